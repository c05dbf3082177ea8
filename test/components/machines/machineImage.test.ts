import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "../../../components";
import { MachineImage, imageSchematic } from "../../../components/machines/machineImage";
import { schematic } from "../../../provider";
import { fullestCluster } from "../fullestCluster";
import { build, type Calls, valueOf } from "../mockedGraph";

const args = { talosVersion: "v1.12.1", architecture: "arm64" as const };
const answering = (getAmi: Calls[string]): { calls: Calls } => ({
  calls: { "aws:ec2/getAmi:getAmi": getAmi },
});

describe("MachineImage", () => {
  it("looks up the one official image by its exact name", async () => {
    const asked: unknown[] = [];
    const { value } = await build(
      () => new MachineImage("image", args),
      answering((inputs) => {
        asked.push(inputs);
        return { id: "ami-1" };
      }),
    );
    expect(await valueOf(value.imageId)).toBe("ami-1");
    expect(asked).toEqual([
      {
        owners: ["540036508848"],
        filters: [{ name: "name", values: ["talos-v1.12.1-us-east-1-arm64"] }],
        mostRecent: false,
      },
    ]);
  });

  it("looks nothing up if an image is given", async () => {
    const fail = () => {
      throw new Error("nobody should ask");
    };
    const { value } = await build(
      () => new MachineImage("image", { ...args, imageId: pulumi.output("ami-mine") }),
      answering(fail),
    );
    expect(await valueOf(value.imageId)).toBe("ami-mine");
  });

  it("rejects a release that the package doesn't know", async () => {
    const talosVersion = "v1.99.0";
    await expect(build(() => new MachineImage("image", { ...args, talosVersion }))).rejects.toThrow(
      /Talos "v1.99.0" is newer than this release of pulumi-talos-aws/,
    );
  });

  it.each(["1.12.1", "v1.12", "latest"])("rejects the version %s", async (talosVersion) => {
    await expect(build(() => new MachineImage("image", { ...args, talosVersion }))).rejects.toThrow(
      /is no Talos release: write it in full, as in "v1\.14\.1"/,
    );
  });

  it("looks up your own image by its name", async () => {
    const asked: unknown[] = [];
    const own = { ...args, owner: "self", imageName: "talos-with-drbd" };
    await build(
      () => new MachineImage("image", own),
      answering((inputs) => {
        asked.push(inputs);
        return { id: "ami-own" };
      }),
    );
    expect(asked).toMatchObject([
      { owners: ["self"], filters: [{ name: "name", values: ["talos-with-drbd"] }] },
    ]);
  });

  it("reports all problems at once", async () => {
    const wrong = { ...args, imageId: "ami-1", owner: "me", imageName: "talos-*" };
    await expect(build(() => new MachineImage("image", wrong))).rejects.toThrow(
      /owner: "me" owns no images[^]*imageName: "talos-\*" has wildcards[^]*owner: .*imageId[^]*imageName: .*imageId/,
    );
  });
});

const extensions = ["siderolabs/iscsi-tools"];
const { id } = schematic({ systemExtensions: extensions });

describe("imageSchematic", () => {
  it("is that of the official images by default", async () => {
    expect(await valueOf(imageSchematic({}))).toBe(schematic().id);
    expect(await valueOf(imageSchematic({ ecrCredentialProvider: true }))).toBe(schematic().id);
  });

  it("is the installer's schematic", async () => {
    const systemExtensions = extensions.map((extension) => pulumi.output(extension));
    expect(await valueOf(imageSchematic({ systemExtensions }))).toBe(id);
    expect(await valueOf(imageSchematic({ schematicId: "f".repeat(64) }))).toBe("f".repeat(64));
  });
});

test("machines boot an image with their configuration's schematic", async () => {
  const asked: unknown[] = [];
  await build(
    () =>
      new TalosCluster("c", {
        ...fullestCluster,
        addOns: {},
        machineConfiguration: { systemExtensions: extensions },
        workerPools: {
          plain: { machineCount: 1 },
          own: {
            machineCount: 1,
            instanceType: "m7g.large",
            machineConfiguration: { schematicId: "f".repeat(64) },
          },
        },
      }),
    {
      calls: {
        "aws:ec2/getAmi:getAmi": ({ owners, filters }) => {
          asked.push([owners, (filters as { values: string[] }[])[0]?.values]);
          return { id: "ami-1" };
        },
      },
    },
  );
  expect(asked).toHaveLength(3);
  expect(asked).toEqual(
    expect.arrayContaining([
      [["self"], [`talos-v1.12.1-${id}-amd64`]],
      [["540036508848"], ["talos-v1.12.1-us-east-1-amd64"]],
      [["self"], [`talos-v1.12.1-${"f".repeat(64)}-arm64`]],
    ]),
  );
});
