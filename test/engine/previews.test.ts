import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Deployment } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { withoutSecrets } from "../../cli/offline/withoutSecrets";
import { NOT_MADE_YET } from "../../provider/config/effects/outline";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { talosKind } from "../../provider/engine/talosTypes";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";
import { offlinePreview, previewText } from "./support/offlinePreview";
import { formsOf, isSecret, secretsIn } from "./support/secretForms";
import { storedResources } from "./support/storedResources";
import { withoutMachines } from "./support/withoutMachines";

const machines = ["local-control-plane-1", "local-control-plane-2", "local-control-plane-3"];

/** The resources of the cluster. */
const UNCHANGED = { same: 79 };

// One cluster's life: each test goes on where the one before it ended.
describe("machine configurations in previews, by the real engine", () => {
  let world: EngineWorld;
  /** Those that are shipped. */
  let settings: Record<string, unknown>;

  beforeAll(async () => {
    world = await startEngineWorld({ secrets: "passphrase" });
    ({ config: settings } = parse(await localSettings()) as { config: Record<string, unknown> });
  });

  afterAll(async () => {
    await world.close();
  });

  it("are shown whole the first time, except for unknown values", async () => {
    const { stdout } = await world.stack.preview({ ...world.record, diff: true });
    for (const machine of machines) {
      const shown = shownOf(stdout, "ConfigurationApply", machine);
      expect(shown).toEqual(
        expect.arrayContaining([
          "redactedConfiguration: {",
          'environment: "local"',
          `image: "registry.k8s.io/kube-apiserver:${NEWEST_RELEASES.kubernetesVersion}"`,
          `token: "${NOT_MADE_YET}"`,
          'type: "controlplane"',
        ]),
      );
      expect(shown.length).toBeGreaterThan(100);
      expect(shown.join("\n")).not.toContain("sha256:");
    }
  });

  it("are not shown without a change", async () => {
    await world.stack.up(world.record);
    expect((await world.stack.preview(world.record)).changeSummary).toEqual(UNCHANGED);
  });

  it("show exactly the changed lines for each machine: a sysctl, a label, a certificate's name", async () => {
    const stdout = await previewWith({
      nodeLabels: { environment: "local", team: "platform" },
      sysctls: { "net.core.somaxconn": "65535" },
      certSans: ["talos.example.com"],
    });
    const lines = [
      "~ redactedConfiguration: {",
      "~ KubeAPIServerConfig: {",
      "+ certExtraSANs: [",
      '+ [0]: "talos.example.com"',
      "]",
      "}",
      "~ KubeNodeConfig: {",
      "~ labels: {",
      '+ team: "platform"',
      "}",
      "}",
      "+ SysctlConfig: {",
      "+ params: {",
      '+ net.core.somaxconn: "65535"',
      "}",
      "}",
      "~ machine: {",
      "~ certSANs: [",
      '+ [0]: "talos.example.com"',
      "]",
      "}",
      "}",
    ];
    for (const machine of machines) {
      expect(shownOf(stdout, "ConfigurationApply", machine)).toEqual(lines);
    }
    expect(stdout.match(/: \((?:create|update|replace|delete)\)$/gm)).toHaveLength(5);
    // of the role: what was asked for, and what comes of it
    expect(shownOf(stdout, "MachineConfiguration", "local-control-plane").sort()).toEqual(
      [
        ...lines,
        "+ certSans: [",
        '+ [0]: "talos.example.com"',
        "]",
        "~ nodeLabels: {",
        '+ team: "platform"',
        "}",
        "+ sysctls: {",
        '+ net.core.somaxconn: "65535"',
        "}",
      ].sort(),
    );
  });

  it("show a secret in a patch as a fingerprint", async () => {
    const registry = { "registry.example.com": { auth: { username: "me", password: "hunter2" } } };
    const patches = [{ machine: { registries: { config: registry } } }];
    const stdout = await previewWith(undefined, patches);
    for (const machine of machines) {
      const shown = shownOf(stdout, "ConfigurationApply", machine);
      expect(shown).toContain('+ username: "me"');
      expect(shown.filter((line) => line.startsWith("+ password"))).toEqual([
        expect.stringMatching(/^\+ password: "«secret hmac:[0-9a-f]{8}»"$/),
      ]);
    }
    expect(stdout).not.toContain("hunter2");
  });

  describe("a preview without an account", () => {
    /** The cluster's state with its secrets encrypted. */
    let state: Deployment;
    /** The same in clear. */
    let clear: Deployment;
    let passphrase: string;
    let folder: string;

    beforeAll(async () => {
      folder = await mkdtemp(join(world.stateDir, "offline-"));
      clear = await world.stack.exportStack();
      const { command } = await engineFromEnvironment();
      const { workDir, envVars } = world.stack.workspace;
      const options = { cwd: workDir, env: { ...process.env, ...envVars }, maxBuffer: 1 << 26 };
      const run = await promisify(execFile)(command, ["stack", "export", "-s", "local"], options);
      state = JSON.parse(run.stdout) as Deployment;
      passphrase = await readFile(join(world.stateDir, "passphrase"), "utf8");
    });

    afterAll(async () => {
      await rm(folder, { recursive: true, force: true });
    });

    const changed = {
      "talos-aws:machineConfiguration": { sysctls: { "net.core.somaxconn": "65535" } },
      "talos-aws:operatorCidrs": ["127.0.0.0/8", "10.9.0.0/16"],
      "talos-aws:controlPlane": { instanceType: "t3.large" },
    };
    /** What a preview of these changes shows. */
    let shown: string;

    const offline = async (changed: Record<string, unknown>, from = state, secret = passphrase) =>
      offlinePreview({ ...settings, ...changed }, { state: from, folder, passphrase: secret });

    it("shows the same changes as one with the account", async () => {
      shown = await previewText(await withChange(changed));
      expect(shown).toContain("SysctlConfig.params.net.core.somaxconn");
      expect(shown).toContain("instanceType t3.medium → t3.large");
      expect(await offline(changed)).toBe(shown);
    });

    it("shows no change, also for a state with its secrets in clear", async () => {
      expect(await offline({}, clear, "")).toContain("nothing changes");
    });

    it("shows the same without a secret, from a state that has none", async () => {
      const without = withoutSecrets(clear);
      const text = JSON.stringify(without);
      const secrets = secretsIn(world.emulator.nodes()[0]?.machineConfiguration ?? "");
      expect(secrets.length).toBeGreaterThan(8);
      const forms = secrets.flatMap(({ value }) => formsOf(value));
      expect(forms.filter((form) => JSON.stringify(clear).includes(form))).not.toEqual([]);
      expect(forms.filter((form) => text.includes(form))).toEqual([]);
      expect(await offline({}, without, "")).toContain("nothing changes");
      expect(await offline(changed, without, "")).toBe(shown);
    });

    it("rejects a state whose secrets it can't read", async () => {
      await expect(offline({}, state, "")).rejects.toThrow("set PULUMI_CONFIG_PASSPHRASE to it");
    });

    describe("of a cluster that changes to the plugin", () => {
      const byPlugin = { "talos-aws:plugin": true };
      const zones = ["us-east-1a", "us-east-1b", "us-east-1c"];
      const untouched = (work: () => Promise<void>) =>
        withoutMachines(world.emulator.faults, zones, work);
      const talosTypes = async () => {
        const types = (await storedResources(world.stack)).map(({ type }) => type);
        const kinds = types.filter((type) => talosKind(type) !== undefined);
        return new Set(kinds.map((type) => type.slice(0, type.lastIndexOf(":"))));
      };

      it("shows no change, and then nothing changes", async () => {
        await untouched(async () => {
          const stack = await withChange(byPlugin);
          expect((await stack.preview(world.record)).changeSummary).toEqual(UNCHANGED);
          expect((await stack.up(world.record)).summary.resourceChanges).toEqual(UNCHANGED);
        });
        expect(await talosTypes()).toEqual(new Set(["talos-aws:index"]));
      });

      it("shows what it shows of dynamic resources, with an account and without", async () => {
        expect(await previewText(await withChange({ ...changed, ...byPlugin }))).toBe(shown);
        const served = await world.stack.exportStack();
        expect(await offline({ ...changed, ...byPlugin }, served, "")).toBe(shown);
      });

      it("shows no change on the way back", async () => {
        await untouched(async () => {
          const stack = await withChange({});
          expect((await stack.preview(world.record)).changeSummary).toEqual(UNCHANGED);
          expect((await stack.up(world.record)).summary.resourceChanges).toEqual(UNCHANGED);
        });
        expect(await talosTypes()).toEqual(new Set(["pulumi-nodejs:dynamic/talos"]));
      });
    });
  });

  it("contains no secret", () => {
    const secrets = secretsIn(world.emulator.nodes()[0]?.machineConfiguration ?? "");
    expect(secrets.length).toBeGreaterThanOrEqual(9);
    const leaks = secrets
      .filter(isSecret)
      .filter(({ value }) => formsOf(value).some((form) => world.transcript().includes(form)));
    expect(leaks.map(({ name }) => name)).toEqual([]);
  });

  const withChange = (changed: Record<string, unknown>) =>
    world.withSettings(stringify({ config: { ...settings, ...changed } }));

  async function previewWith(
    machineConfiguration: Record<string, unknown> | undefined,
    patches?: readonly unknown[],
  ): Promise<string> {
    const changed = {
      ...settings,
      ...(machineConfiguration && { "talos-aws:machineConfiguration": machineConfiguration }),
      ...(patches && { "talos-aws:patches": patches }),
    };
    const stack = await world.withSettings(stringify({ config: changed }));
    return (await stack.preview({ ...world.record, diff: true })).stdout;
  }
});

/** The lines that the engine prints of one resource's inputs, without the space around columns. */
function shownOf(stdout: string, kind: string, name: string): string[] {
  const step = new RegExp(`^ *[-+~]+ \\S+talos:${kind}: \\(\\w+\\)$`);
  const isStep = (line: string) => /^ *[-+~]+ \S+:\S+: \(\w+\)$/.test(line);
  const lines = stdout.split("\n");
  const start = lines.findIndex(
    (line, index) =>
      step.test(line) &&
      lines.slice(index, index + 3).some((other) => other.endsWith(`${kind}::${name}]`)),
  );
  const rest = start < 0 ? [] : lines.slice(start + 1);
  const end = rest.findIndex((line) => isStep(line) || /^ *(--outputs:--|Resources:)/.test(line));
  return (
    rest
      .slice(0, end < 0 ? rest.length : end)
      .map((line) =>
        line
          .trim()
          .replace(/\s+/g, " ")
          .replace(/ :(?= )/, ":"),
      )
      // Between the lines the engine says every now and then that it goes on.
      .filter((line) => line !== "" && !/^(\[(id|urn)=|@ )/.test(line))
  );
}
