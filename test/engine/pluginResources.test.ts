import { writeFileSync } from "node:fs";
import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiFn, Stack } from "@pulumi/pulumi/automation";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { openStack } from "../../scripts/openStack";
import { SimulatedCluster, type SimulatedNode } from "../emulator/talos/simulatedCluster";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { exampleProgram } from "./support/exampleProgram";
import { writeFormerState } from "./support/formerState";
import { type LanguageHost, nodeHostFolder, startLanguageHost } from "./support/languageHost";
import { readLater } from "./support/readLater";
import { type StoredResource, storedResources } from "./support/storedResources";
import { withoutMachines } from "./support/withoutMachines";

const root = join(__dirname, "../..");

/** Of the example: two rollouts, nine Talos resources and the stack. */
const UNCHANGED = { same: 12 };

// One stack's life: each test goes on where the one before it ended.
describe("resources of the plugin, by the real engine", () => {
  let cluster: SimulatedCluster;
  let controlPlane: SimulatedNode;
  let worker: SimulatedNode;
  let folder: string;
  let stack: Stack;
  let host: LanguageHost;

  const open = async (
    stateDir: string,
    environment: Readonly<Record<string, string>> = {},
    program: PulumiFn = exampleProgram("provider-only", folder),
  ) =>
    openStack({
      stack: "local",
      program,
      engine: await engineFromEnvironment(),
      stateDir,
      environment,
      pluginDirs: [nodeHostFolder(host)],
      settings: "config: {}",
    });

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    cluster.talosVersion = NEWEST_RELEASES.talosVersion;
    controlPlane = await cluster.add();
    worker = await cluster.add();
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/plugin-"));
    // Imports load the host of the project's language, and don't use it.
    host = await startLanguageHost();
    stack = readLater(await open(folder));
    const settings = {
      installDisk: "/dev/sda",
      endpoint: `https://${controlPlane.address}:6443`,
      controlPlanes: JSON.stringify({ "serial-1": controlPlane.address }),
      workers: JSON.stringify({ "serial-2": worker.address }),
    };
    for (const [key, value] of Object.entries(settings)) {
      await stack.setConfig(key, { value });
    }
    await stack.up();
  });

  afterAll(async () => {
    host.close();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const untouched = (work: () => Promise<void>) =>
    withoutMachines(cluster.faults, ["us-east-1a"], work);

  const typesOfTalos = async () => {
    const types = (await storedResources(stack)).map(({ type }) => type);
    return new Set(types.map((type) => type.split(":").slice(0, 2).join(":")));
  };

  it("take over a stack of the first releases, and change no machine", async () => {
    expect(await writeFormerState(stack)).toBe(2);
    await stack.setConfig("talos-aws:plugin", { value: "true" });
    await untouched(async () => {
      expect((await stack.preview()).changeSummary).toEqual(UNCHANGED);
      expect((await stack.up()).summary.resourceChanges).toEqual(UNCHANGED);
      expect((await stack.preview()).changeSummary).toEqual(UNCHANGED);
    });
    expect(await typesOfTalos()).toEqual(
      new Set(["pulumi:pulumi", "pulumi:providers", "talos-aws:index"]),
    );
  });

  it("find no drift", async () => {
    expect((await stack.refresh()).summary.resourceChanges).toEqual(UNCHANGED);
    expect((await stack.preview()).changeSummary).toEqual(UNCHANGED);
  });

  it("import a running machine, the cluster's kubeconfig and its secrets", async () => {
    const sources = await storedResources(stack);
    const fileOf = (kind: string, output: string) => {
      const path = join(folder, output);
      const value = secretOutput(sources, kind, output);
      writeFileSync(path, typeof value === "string" ? value : JSON.stringify(value));
      return path;
    };
    const TALOSCONFIG = fileOf("ClientConfiguration", "talosconfig");
    const other = await open(join(folder, "imports"), { TALOSCONFIG });
    const ids = {
      ConfigurationApply: `serial-2@${worker.address}`,
      ClusterKubeconfig: fileOf("ClusterKubeconfig", "kubeconfig"),
      MachineSecrets: `${NEWEST_RELEASES.versionContract}@${fileOf("MachineSecrets", "secretsBundle")}`,
    };
    const resources = Object.entries(ids).map(([name, id]) => {
      return { type: `talos-aws:index:${name}`, name, id };
    });
    const { stdout } = await other.import({ resources, generateCode: false, protect: false });
    expect(stdout).not.toContain("failed to validate");

    const imported = await storedResources(other);
    for (const [kind, output] of [
      ["ClusterKubeconfig", "kubeconfig"],
      ["MachineSecrets", "secretsBundle"],
    ] as const) {
      expect(secretOutput(imported, kind, output)).toEqual(secretOutput(sources, kind, output));
    }
    const machineIn = (resources: readonly StoredResource[]) =>
      resources.find(({ id, type }) => id === "serial-2" && type.endsWith(":ConfigurationApply"));
    expect(machineIn(imported)?.inputs).toEqual(machineIn(sources)?.inputs);
    const { summary } = await other.refresh();
    expect(summary.resourceChanges).toEqual({ same: 4 });
  });

  it("end a run for arguments of a component that the schema doesn't have, and say nothing else", async () => {
    const misspelt = { bucketNam: "backups", lifecycle: {} };
    const other = await open(join(folder, "misspelt"), {}, () => {
      new pulumi.ComponentResource("talos-aws:index:EtcdBackup", "backup", misspelt, {}, true);
      return Promise.resolve();
    });
    const failed = await other.preview().then(String, String);
    const [, diagnostics = ""] = /Diagnostics:([^]*?)Resources:/.exec(failed) ?? [];
    const errors = diagnostics.split("\n").filter((line) => /error:|^ +- /.test(line));
    expect(errors).toEqual([
      expect.stringContaining('the EtcdBackup "backup" can\'t be made of these arguments:'),
      expect.stringContaining('- bucketNam: there is no such argument: did you mean "bucketName"?'),
      expect.stringContaining("- lifecycle: there is no such argument: known are bucketName, "),
      expect.stringContaining("- bucketName: it is missing"),
    ]);
  });

  it("end a wait at the first Ctrl-C, and continue in the next run", async () => {
    const interrupt = new AbortController();
    await stack.setConfig("installDisk", { value: "/dev/sdb" });
    // The wait can't end by itself, however late the interruption reaches the plugin.
    const fault = await cluster.faults.inject({
      kind: "stoppedKubelet",
      machine: controlPlane.instanceId,
    });
    let output = "";
    const lasting: string[] = [];
    const interrupted = stack.up({
      signal: interrupt.signal,
      onEvent: ({ diagnosticEvent }) => {
        if (diagnosticEvent !== undefined && diagnosticEvent.ephemeral !== true) {
          lasting.push(diagnosticEvent.message);
        }
      },
      onOutput: (text) => {
        output += text;
        if (/to be healthy with its configuration: .* of \d+ s\)/.test(output)) {
          interrupt.abort();
        }
      },
    });
    await expect(interrupted).rejects.toThrow(
      /to be healthy with its configuration was cancelled; last seen: .*kubelet/,
    );
    expect(lasting.filter((message) => message.startsWith("waiting for"))).toEqual([]);
    await fault.lift();
    const { summary } = await stack.up();
    // What was interrupted, the machine that waited for it, and the health of both.
    expect(summary.resourceChanges).toEqual({ same: 9, update: 3 });
    expect((await stack.preview()).changeSummary).toEqual(UNCHANGED);
  });

  it("return the stack to dynamic resources, and change no machine", async () => {
    await stack.setConfig("talos-aws:plugin", { value: "false" });
    await untouched(async () => {
      expect((await stack.preview()).changeSummary).toEqual(UNCHANGED);
      expect((await stack.up()).summary.resourceChanges).toEqual(UNCHANGED);
    });
    expect(await typesOfTalos()).toContain("pulumi-nodejs:dynamic/talos");
    expect((await stack.refresh()).summary.resourceChanges).toEqual(UNCHANGED);
    await stack.destroy();
    expect(await storedResources(stack)).toEqual([]);
  });
});

/** A secret output of the only resource of a kind. */
function secretOutput(resources: readonly StoredResource[], kind: string, output: string): unknown {
  const resource = resources.find(({ type }) => type.endsWith(`:${kind}`));
  const value = resource?.outputs?.[output] as { readonly plaintext: string } | undefined;
  return value && JSON.parse(value.plaintext);
}
