import { parse, stringify } from "yaml";
import { SchematicImage, TalosCluster } from "../../components";
import { schematic } from "../../provider";
import { FORMER_RELEASES } from "../../provider/config/releases/newestReleases";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { localSettings, startEngineWorld } from "../engine/support/engineWorld";
import { DISK_BUCKET, makeAccount, makeDisk } from "../engine/support/exampleAccount";
import { labelOf, storedResources } from "../engine/support/storedResources";

/** What accountability adds to a cluster, as `production` has it. */
const WATCHED = {
  "talos-aws:network": {
    zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
    flowLogs: { retentionDays: 365 },
  },
  "talos-aws:addOns": { auditLog: { retentionDays: 365 } },
  "talos-aws:kubeconfigLifetimeHours": 168,
};

it("takes back the audit log, flow logs and the short life of a kubeconfig, and leaves nothing", async () => {
  const { config } = parse(await localSettings()) as { config: Record<string, unknown> };
  const settings = (more: object) => stringify({ config: { ...config, ...more } });
  const world = await startEngineWorld({ settings: settings({}) });
  try {
    const labels = async () => (await storedResources(world.stack)).map(labelOf).sort();
    const nothingChanges = async (more: object) => {
      const stack = await world.withSettings(settings(more));
      const { changeSummary } = await stack.preview({ ...world.record, refresh: true });
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    };
    await world.stack.up(world.record);
    const before = await labels();
    const configurations = () =>
      world.emulator.nodes().map(({ machineConfiguration = "" }) => machineConfiguration);
    const first = configurations();
    await (await world.withSettings(settings(WATCHED))).up(world.record);
    const added = (await labels()).filter((label) => !before.includes(label));
    expect(added).toEqual([
      "FlowLog local-network-flow-logs",
      "LogGroup local-audit-log",
      "LogGroup local-network-flow-logs",
      "Role local-network-flow-logs",
      "RolePolicy local-network-flow-logs",
    ]);
    await nothingChanges(WATCHED);
    for (const configuration of configurations()) {
      expect(configuration).toContain("name: audit-log");
      expect(configuration).toContain("certLifetime: 168h0m0s");
    }
    await (await world.withSettings(settings({}))).up(world.record);
    expect(await labels()).toEqual(before);
    await nothingChanges({});
    expect(configurations()).toEqual(first);
  } finally {
    await world.close();
  }
});

const EXTENSIONS = [
  "siderolabs/nvidia-open-gpu-kernel-modules-lts",
  "siderolabs/nvidia-container-toolkit-lts",
];

/** A pool that has GPUs, whose GPUs are handed out, or that is not there. */
type GpuState = "none" | "pool" | "pool with gpu" | "pool with gpu and plugin";

/** A cluster of the last minor of Talos that the device plugin works with. */
function gpuProgram(state: () => GpuState) {
  return () => {
    const { imageId } = new SchematicImage("gpu", {
      talosVersion: FORMER_RELEASES.talosVersion,
      architecture: "amd64",
      systemExtensions: EXTENSIONS,
      bucket: DISK_BUCKET,
      key: "disk.raw",
    });
    const hasGpu = state().includes("gpu");
    const machines = { machineCount: 1, instanceType: "g6.xlarge", imageId };
    const pool = hasGpu ? { ...machines, gpu: "nvidia" as const } : machines;
    const { kubeconfig } = new TalosCluster("demo", {
      environment: "demo",
      domain: "example.com",
      ...FORMER_RELEASES,
      operatorCidrs: ["127.0.0.1/32"],
      network: { zones: ["eu-central-1a"] },
      controlPlane: { machineCount: 1 },
      addOns: { nvidiaDevicePlugin: state().includes("plugin") },
      workerPools: state() === "none" ? {} : { ml: pool },
    });
    return Promise.resolve({ kubeconfig });
  };
}

it("takes back the device plugin, the GPUs of a pool and the pool, and brings them again", async () => {
  let state: GpuState = "none";
  const world = await startEngineWorld({
    stack: "demo",
    program: gpuProgram(() => state),
    settings: "config: { aws:region: eu-central-1 }",
    prepare: async (emulator) => {
      await makeAccount(emulator);
      await makeDisk(emulator, "disk.raw");
    },
  });
  /** The cluster's objects, the worker's modules and its schematic, after an `up` that nothing is left of. */
  const afterUp = async (next: GpuState) => {
    state = next;
    const { outputs } = await world.stack.up(world.record);
    const { changeSummary } = await world.stack.preview({ ...world.record, refresh: true });
    expect(Object.keys(changeSummary), next).toEqual(["same"]);
    const [server, worker] = world.emulator.nodes();
    const api = new KubernetesApi(String(outputs.kubeconfig?.value));
    const options = { address: server?.address ?? "", port: 6443, timeoutMs: 10_000 };
    const listed = async (path: string) => {
      const { items } = JSON.parse(await api.get(path, options)) as {
        items: { metadata: { name: string } }[];
      };
      return items.map(({ metadata }) => metadata.name).filter((name) => name.includes("nvidia"));
    };
    const configuration = worker?.machineConfiguration ?? "";
    return {
      classes: await listed("/apis/node.k8s.io/v1/runtimeclasses"),
      daemonSets: await listed("/apis/apps/v1/namespaces/kube-system/daemonsets"),
      drives: configuration.includes("nvidia_uvm"),
      isInstalled: configuration.includes(schematic({ systemExtensions: EXTENSIONS }).id),
    };
  };
  try {
    const nothing = { classes: [], daemonSets: [], drives: false, isInstalled: false };
    const driven = { ...nothing, drives: true, isInstalled: true };
    const offered = { ...driven, classes: ["nvidia"], daemonSets: ["nvidia-device-plugin"] };
    expect(await afterUp("none")).toEqual(nothing);
    const before = (await storedResources(world.stack)).map(labelOf).sort();
    expect(await afterUp("pool with gpu and plugin")).toEqual(offered);
    expect(await afterUp("pool with gpu")).toEqual(driven);
    expect(await afterUp("pool")).toEqual(nothing);
    expect(await afterUp("pool with gpu and plugin")).toEqual(offered);
    expect(await afterUp("none")).toEqual(nothing);
    expect((await storedResources(world.stack)).map(labelOf).sort()).toEqual(before);
  } finally {
    await world.close();
  }
});
