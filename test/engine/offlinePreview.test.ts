import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { previewStack } from "../../cli/engine/previewStack";
import { withOfflineStack } from "../../cli/offline/withOfflineStack";
import { renderText } from "../../preview";
import { paths } from "../../scripts/paths";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";

const root = join(__dirname, "../..");

describe("a preview without an account", () => {
  let world: EngineWorld;
  /** With its secrets encrypted, and in clear. */
  let state: Deployment;
  let clear: Deployment;
  let passphrase: string;
  let settings: Record<string, unknown>;
  let folder: string;

  beforeAll(async () => {
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/offline-"));
    const text = await readFile(join(root, "environments/Pulumi.sandbox.yaml"), "utf8");
    const { config } = parse(text) as { config: Record<string, unknown> };
    settings = {
      ...config,
      "talos-aws:domain": "talos.internal",
      "talos-aws:operatorCidrs": ["127.0.0.0/8"],
      "talos-aws:dns": { createZone: true },
    };
    world = await startEngineWorld({ stack: "sandbox", settings: stringify({ config: settings }) });
    await world.stack.up(world.record);
    clear = await world.stack.exportStack();
    const { command } = await engineFromEnvironment();
    const { workDir, envVars } = world.stack.workspace;
    const options = { cwd: workDir, env: { ...process.env, ...envVars }, maxBuffer: 1 << 26 };
    const run = await promisify(execFile)(command, ["stack", "export", "-s", "sandbox"], options);
    state = JSON.parse(run.stdout) as Deployment;
    passphrase = await readFile(join(world.stateDir, "passphrase"), "utf8");
  }, 180_000);

  afterAll(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }, 60_000);

  const offline = async (changed: Record<string, unknown>, from = state, secret = passphrase) =>
    withOfflineStack(
      {
        stack: "sandbox",
        settings: stringify({ config: { ...settings, ...changed } }),
        state: from,
        ...(secret !== "" && { passphrase: secret }),
        engine: await engineFromEnvironment(),
        folder,
        pluginDirs: [paths.pulumiSdk],
      },
      told,
    );
  const told = async (stack: Stack) => renderText((await previewStack(stack, {})).summary);

  it("says of a change what one with the account says", async () => {
    const changed = {
      "talos-aws:machineConfiguration": { sysctls: { "net.core.somaxconn": "65535" } },
      "talos-aws:operatorCidrs": ["127.0.0.0/8", "10.9.0.0/16"],
      "talos-aws:controlPlane": { instanceType: "t3.large" },
    };
    const stack = await world.withSettings(stringify({ config: { ...settings, ...changed } }));
    const online = await told(stack);
    expect(online).toContain("machine.sysctls.net.core.somaxconn");
    expect(online).toContain("instanceType t3.medium → t3.large");
    expect(await offline(changed)).toBe(online);
  }, 120_000);

  it("says that nothing changes, also of a state with its secrets in clear", async () => {
    expect(await offline({}, clear, "")).toContain("nothing changes");
  }, 120_000);

  it("refuses a state whose secrets it can't read", async () => {
    await expect(offline({}, state, "")).rejects.toThrow("set PULUMI_CONFIG_PASSPHRASE to it");
  });
});
