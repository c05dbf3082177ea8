import * as pulumi from "@pulumi/pulumi";
import { findTalosImage, MachineImage } from "../../components/machineImage";
import { build, type Calls, valueOf } from "./mockedGraph";

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
});

describe("findTalosImage", () => {
  const query = { ...args, region: "ap-east-2" };
  const failing = (message: string) => () => Promise.reject(new Error(message));

  it("says what it searched, where, and what to do, when there is no such image", async () => {
    const miss = failing("invocation of aws:ec2/getAmi:getAmi: Your query returned no results.");
    await expect(findTalosImage(query, miss)).rejects.toThrow(
      /^no image "talos-v1.12.1-ap-east-2-arm64" of account 540036508848.* in ap-east-2: .*imageId/,
    );
  });

  it("doesn't take another failure for a missing image", async () => {
    await expect(findTalosImage(query, failing("no valid credentials"))).rejects.toThrow(
      /^can't look up the image "talos-v1.12.1-ap-east-2-arm64".*no valid credentials$/,
    );
  });
});
