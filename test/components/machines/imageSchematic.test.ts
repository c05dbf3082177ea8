import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "../../../components";
import { imageSchematic } from "../../../components/machines/imageSchematic";
import { schematic } from "../../../provider";
import { fullestCluster } from "../fullestCluster";
import { build, valueOf } from "../mockedGraph";

const extensions = ["siderolabs/iscsi-tools"];
const { id } = schematic({ systemExtensions: extensions });

describe("imageSchematic", () => {
  it("is that of the official images where nothing is asked for", async () => {
    expect(await valueOf(imageSchematic({}))).toBe(schematic().id);
    expect(await valueOf(imageSchematic({ ecrCredentialProvider: true }))).toBe(schematic().id);
  });

  it("is that of what the installer has", async () => {
    const systemExtensions = extensions.map((extension) => pulumi.output(extension));
    expect(await valueOf(imageSchematic({ systemExtensions }))).toBe(id);
    expect(await valueOf(imageSchematic({ schematicId: "f".repeat(64) }))).toBe("f".repeat(64));
  });
});

test("machines boot an image with what their configuration asks for", async () => {
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
