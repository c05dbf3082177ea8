import * as pulumi from "@pulumi/pulumi";
import { failRun } from "../../components/failRun";
import { build } from "./mockedGraph";

const inRun = (preview: boolean) =>
  build(
    async () => {
      const resource = new pulumi.ComponentResource("test:index:Machines", "machines");
      const failing = failRun("too many machines", resource);
      return failing.then(
        () => "goes on",
        (error: unknown) => error,
      );
    },
    { preview },
  );

describe("a problem that shows only when AWS is asked", () => {
  it("stops an update", async () => {
    const { value } = await inRun(false);
    expect(pulumi.ResourceError.isInstance(value)).toBe(true);
    expect(String(value)).toContain("too many machines");
  });

  it("fails a preview, which goes on", async () => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    const { value } = await inRun(true);
    expect(value).toBe("goes on");
    expect(told.mock.calls.map(([text]) => text)).toEqual(["too many machines"]);
    told.mockRestore();
  });
});
