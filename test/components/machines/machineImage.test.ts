import * as pulumi from "@pulumi/pulumi";
import { MachineImage } from "../../../components/machines/machineImage";
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

  it("looks nothing up when it is given an image", async () => {
    const fail = () => {
      throw new Error("nobody should ask");
    };
    const { value } = await build(
      () => new MachineImage("image", { ...args, imageId: pulumi.output("ami-mine") }),
      answering(fail),
    );
    expect(await valueOf(value.imageId)).toBe("ami-mine");
  });

  it.each(["1.12.1", "v1.12", "latest"])("refuses the version %s", async (talosVersion) => {
    await expect(build(() => new MachineImage("image", { ...args, talosVersion }))).rejects.toThrow(
      /is no Talos release: write it in full, as in "v1.12.1"/,
    );
  });

  it("looks up an own image by its name", async () => {
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

  it("tells everything wrong with a choice at once", async () => {
    const wrong = { ...args, imageId: "ami-1", owner: "me", imageName: "talos-*" };
    await expect(build(() => new MachineImage("image", wrong))).rejects.toThrow(
      /owner: "me" owns no images[^]*imageName: "talos-\*" has wildcards[^]*owner: .*imageId[^]*imageName: .*imageId/,
    );
  });
});
