import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { failRun } from "../../components/failRun";
import { duringCall } from "../../provider/base/engineCall";
import { dynamicType } from "../../provider/engine/talosTypes";
import { build } from "./mockedGraph";

const components = join(__dirname, "../../components");

const inRun = async (preview: boolean) => {
  let isOver = false;
  const { graph } = await build(
    () => {
      const resource = new pulumi.ComponentResource("test:index:Machines", "machines");
      void failRun("too many machines", resource).then(() => (isOver = true));
      return resource;
    },
    { preview },
  );
  return { isOver, refused: graph.ofType(dynamicType("ImmutableArguments")) };
};

describe("a problem that shows only when AWS is asked", () => {
  it("ends an update by a resource that the engine refuses, and lets nothing go on", async () => {
    const { isOver, refused } = await inRun(false);
    expect(isOver).toBe(false);
    expect(refused.map(({ inputs }) => inputs.refusals)).toEqual([["too many machines"]]);
    expect(refused[0]?.name).toMatch(/^refused-\d+$/);
  });

  it("fails a preview, which goes on", async () => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    const { isOver, refused } = await inRun(true);
    expect(isOver).toBe(true);
    expect(refused).toEqual([]);
    expect(told.mock.calls.map(([text]) => text)).toEqual(["too many machines"]);
    told.mockRestore();
  });

  it("fails a preview of a program that Pulumi's runner started by its exit code", async () => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    const exitCode = process.exitCode;
    onTestFinished(() => {
      told.mockRestore();
      vi.unstubAllEnvs();
      process.exitCode = exitCode;
    });
    await inRun(true);
    expect(process.exitCode).toBe(exitCode);
    vi.stubEnv("PULUMI_NODEJS_MONITOR", "127.0.0.1:1");
    await inRun(true);
    expect(process.exitCode).toBe(32);
  });

  it("is the only place that logs an error, as nothing else would fail a preview", () => {
    const files = readdirSync(components, { recursive: true, encoding: "utf8" });
    const loud = files.filter(
      (file) =>
        file.endsWith(".ts") &&
        /severity: "error"|log\.error\(/.test(readFileSync(join(components, file), "utf8")),
    );
    expect(loud).toEqual(["failRun.ts"]);
  });

  it("fails the call of the plugin in whose preview it shows", async () => {
    const told = vi.spyOn(pulumi.log, "error").mockResolvedValue();
    onTestFinished(() => told.mockRestore());
    const fail = vi.fn();
    const { signal: cancelled } = new AbortController();
    await duringCall({ cancelled, fail }, () => inRun(true));
    expect(fail.mock.calls).toEqual([["too many machines"]]);
  });
});
