import * as pulumi from "@pulumi/pulumi";
import { judgeGivenImage } from "../../../components/machines/judgeGivenImage";
import { MachineImage } from "../../../components/machines/machineImage";
import { schematic } from "../../../provider";
import { build, valueOf } from "../mockedGraph";

const { id: schematicId } = schematic({ systemExtensions: ["siderolabs/iscsi-tools"] });
const { id: otherId } = schematic({ systemExtensions: ["siderolabs/gvisor"] });
const image = {
  imageId: "ami-mine",
  talosVersion: "v1.13.9",
  architecture: "amd64" as const,
  schematicId,
};
const judge = (name: string, architecture = "x86_64") =>
  judgeGivenImage(image, () => Promise.resolve({ name, architecture }));

describe("an image that is given by its id", () => {
  it("is taken if it has the schematic, or if that can't be known", async () => {
    expect(await judge(`talos-v1.13.9-${schematicId}-amd64`)).toEqual({});
    expect(await judge("our-golden-image-7")).toEqual({});
    expect(await judge("talos-with-drbd-amd64")).toEqual({});
    expect(await judgeGivenImage(image, () => Promise.reject(new Error("denied")))).toEqual({});
  });

  it("brings a warning if it lacks what the configuration asks of it", async () => {
    const { warning, problem } = await judge(`talos-v1.13.9-${otherId}-amd64`);
    expect(problem).toBeUndefined();
    expect(warning).toContain(`has the schematic ${otherId}`);
    expect(warning).toContain(`Give the image "talos-v1.13.9-${schematicId}-amd64"`);
    for (const name of [
      "talos-v1.13.9-eu-central-1-amd64",
      "talos-v1.14.0-rc.1-us-gov-west-1-amd64",
    ]) {
      expect((await judge(name)).warning).toContain(
        `("${name}") is an official image, without system extensions`,
      );
    }
  });

  it("is refused for another architecture", async () => {
    expect(await judge("any", "arm64")).toEqual({
      problem:
        'the image "ami-mine" is for arm64, and the instance type for amd64: give an image for amd64, or another type',
    });
  });

  it("is judged in a preview, only where machines need more than an official image has", async () => {
    const warn = vi.spyOn(pulumi.log, "warn").mockResolvedValue(undefined);
    const error = vi.spyOn(pulumi.log, "error").mockResolvedValue(undefined);
    const make = async (given: object, architecture: string) => {
      const { value } = await build(
        () => new MachineImage("image", { ...image, schematicId: undefined, ...given } as never),
        {
          preview: true,
          calls: {
            "aws:ec2/getAmi:getAmi": () => ({
              name: "talos-v1.13.9-us-east-1-amd64",
              architecture,
            }),
          },
        },
      );
      expect(await valueOf(value.imageId)).toBe("ami-mine");
    };
    await make({}, "arm64");
    expect([warn.mock.calls, error.mock.calls]).toEqual([[], []]);
    await make({ schematicId }, "x86_64");
    expect(warn.mock.calls.map(([line]) => line)).toEqual([
      expect.stringContaining("is an official image, without system extensions"),
    ]);
    await make({ schematicId }, "arm64");
    expect(error.mock.calls.map(([line]) => line)).toEqual([
      expect.stringContaining('the image "ami-mine" is for arm64'),
    ]);
    warn.mockRestore();
    error.mockRestore();
  });
});
