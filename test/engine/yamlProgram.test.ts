import { copyFileSync, mkdirSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { makeAccount } from "./support/exampleAccount";
import type { PulumiResult } from "./support/ordinaryPulumi";
import { pluginCli } from "./support/pluginCli";

const root = join(__dirname, "../..");

// One stack's life: each test goes on where the one before it ended.
describe("examples/quickstart-yaml, by the real engine and its language host", () => {
  let emulator: Emulator;
  let folder: string;
  let pulumi: (...args: string[]) => Promise<PulumiResult>;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache/test/yaml-"));
    copyFileSync(join(root, "examples/quickstart-yaml/Pulumi.yaml"), join(folder, "Pulumi.yaml"));
    emulator = await startEmulator({
      timings: { bootMs: 100, rebootMs: 100, shutdownMs: 100, joinMs: 100 },
    });
    await makeAccount(emulator);
    const host = process.env.PULUMI_YAML_HOST ?? join(root, ".cache/pulumi-yaml-1.28.0");
    const pluginDirs = [host, join(root, "plugin")];
    pulumi = (...args) => pluginCli({ folder, pluginDirs, emulator }, ...args);
    await pulumi("stack", "init", "demo");
    await pulumi("config", "set", "aws:region", "eu-central-1");
  });

  afterAll(async () => {
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("brings the cluster up", async () => {
    const preview = await pulumi("preview", "--diff");
    console.log(preview.output.slice(-6000));
    const up = await pulumi("up", "--yes", "--skip-preview");
    console.log(up.output.slice(-9000));
    expect(up.code).toBe(0);
    const destroyed = await pulumi("destroy", "--yes", "--skip-preview");
    console.log(destroyed.output.slice(-3000));
  });
});
