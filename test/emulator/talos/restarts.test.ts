import { parse } from "yaml";
import { protocol } from "../../../provider/api/protocol";
import type { Patch } from "../../../provider/config/patches/patch";
import { kubernetesClient, type KubernetesClient } from "./kubernetes/kubernetesClient";
import type { RpcClient } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const state = protocol.cosi.resource.State.service;
const statusType = "MachineStatuses.runtime.talos.dev";
const apiServer = "kube-system/kube-apiserver-ip-10-0-1-1";

interface PodStatus {
  readonly phase: string;
  readonly conditions?: readonly { readonly type: string; readonly status: string }[];
  readonly containerStatuses?: readonly {
    readonly image: string;
    readonly ready: boolean;
    readonly restartCount: number;
    readonly state: {
      readonly running?: { readonly startedAt: string };
      readonly waiting?: { readonly reason: string; readonly message?: string };
    };
    readonly lastState: { readonly terminated?: { readonly exitCode: number } };
  }[];
}

interface Annotated {
  readonly metadata: { readonly annotations: object };
}

interface MachineStatus {
  readonly stage: string;
  readonly status: {
    readonly ready: boolean;
    readonly unmetConditions: readonly { readonly name: string; readonly reason: string }[];
  };
}

/** What a change of the configuration restarts, and what comes of a change that can't run. */
describe("a node whose configuration changes", () => {
  let cluster: SimulatedCluster;
  let node: SimulatedNode;
  let client: RpcClient;
  /** What kept the machine from being ready, and "ready", as its resource told a watch. */
  let reasons: string[] = [];
  let kubernetes: KubernetesClient;
  beforeAll(async () => {
    // Joining for a second keeps a lost node Ready for 40.
    cluster = await SimulatedCluster.create({ joinMs: 1000, restartMs: 300 });
    node = await cluster.add(cluster.config("controlplane"));
    client = await cluster.client(node);
    await cluster.bootstrap(node, 1);
    kubernetes = await kubernetesClient(cluster, node);
    void client
      .stream(
        state.Watch,
        { namespace: "runtime", type: statusType, id: "machine", options: {}, apiVersion: 1 },
        {
          enough: (messages) => {
            const events = messages.at(-1)?.event ?? [];
            for (const { resource } of events) {
              const { status } = parse(resource?.spec?.yamlSpec ?? "") as MachineStatus;
              reasons.push(...(status.ready ? ["ready"] : reasonsOf(status)));
            }
            return false;
          },
        },
      )
      .catch(() => undefined);
    await eventually(() => reasons.length > 0);
  });
  beforeEach(async () => {
    await apply();
    await eventually(async () => (await isWell()) && (await runsPresent()));
    reasons = [];
  });
  afterAll(() => cluster.stop());

  const apply = (...patches: Patch[]) =>
    client.unary(machine.ApplyConfiguration, {
      data: Buffer.from(cluster.config("controlplane", patches)),
      mode: "NO_REBOOT",
    });
  const get = async (namespace: string, type: string, id: string) => {
    const { resource } = await client.unary(state.Get, { namespace, type, id });
    return {
      version: Number(resource?.metadata?.version),
      spec: parse(resource?.spec?.yamlSpec ?? "") as unknown,
    };
  };
  const staticPod = (app: string) => get("k8s", "StaticPods.kubernetes.talos.dev", app);
  const podStatus = async (id = apiServer) =>
    (await get("k8s", "StaticPodStatuses.kubernetes.talos.dev", id)).spec as PodStatus;
  const container = async (id?: string) => (await podStatus(id)).containerStatuses?.[0];
  const machineStatus = async () =>
    (await get("runtime", statusType, "machine")).spec as MachineStatus;
  const unmet = async () => reasonsOf((await machineStatus()).status);
  const kubelet = async () => {
    const { messages } = await client.unary(machine.ServiceList, {});
    return messages[0]?.services.find(({ id }) => id === "kubelet");
  };
  const isWell = async () => {
    const { stage, status } = await machineStatus();
    const service = await kubelet();
    const ready = await container();
    return (
      stage === "running" &&
      status.ready &&
      service?.state === "Running" &&
      service.health?.healthy === true &&
      ready?.ready === true
    );
  };
  /** Whether its API server, which answers, has noticed what was applied last. */
  const runsPresent = async () => {
    const { metadata } = (await staticPod("kube-apiserver")).spec as Annotated;
    const { annotations } = metadata;
    expect(
      await kubernetes.get("/api/v1/pods?labelSelector=k8s-app%3Dkube-apiserver"),
    ).toMatchObject({ items: [{ metadata: { annotations } }] });
    return true;
  };
  const answers = () =>
    kubernetes.get("/api/v1/nodes").then(
      () => true,
      () => false,
    );

  test("gets a new API server: the old one stops, the new one answers later", async () => {
    const before = await staticPod("kube-apiserver");
    const scheduler = await staticPod("kube-scheduler");
    const disconnected = await kubernetes.connect();
    await apply({ cluster: { apiServer: { image: "registry.k8s.io/kube-apiserver:v1.34.3" } } });
    const after = await staticPod("kube-apiserver");
    expect(after.version).toBe(before.version + 1);
    expect((await staticPod("kube-scheduler")).version).toBe(scheduler.version);
    await disconnected.ended;
    await eventually(answers);
    await eventually(isWell);
    expect(reasons).toContain(`staticPods: ${apiServer} pending`);
    expect((await container())?.image).toBe("registry.k8s.io/kube-apiserver:v1.34.3");
    expect(await kubernetes.get("/version")).toMatchObject({ gitVersion: "v1.34.3" });
    expect(
      await kubernetes.get("/api/v1/pods?labelSelector=k8s-app%3Dkube-apiserver"),
    ).toMatchObject({
      items: [
        {
          metadata: {
            annotations: (after.spec as { metadata: { annotations: object } }).metadata.annotations,
          },
        },
      ],
    });
  });

  test("restarts the API server with the scheduler, because Talos writes their files together", async () => {
    const before = await staticPod("kube-apiserver");
    const disconnected = await kubernetes.connect();
    await apply({ cluster: { scheduler: { extraArgs: { v: "2" } } } });
    expect((await staticPod("kube-apiserver")).version).toBe(before.version + 1);
    await disconnected.ended;
    await eventually(answers);
  });

  test("keeps its API server down with an unknown flag, until the flag is removed", async () => {
    await apply({ cluster: { apiServer: { extraArgs: { "no-such-flag": "1" } } } });
    let waiting: Awaited<ReturnType<typeof container>>;
    await eventually(async () => {
      // One look: a moment later it may have been started again.
      waiting = await container();
      return waiting?.state.waiting?.reason === "CrashLoopBackOff";
    });
    expect(await podStatus()).toMatchObject({ phase: "Running" });
    expect(waiting).toMatchObject({
      ready: false,
      lastState: { terminated: { exitCode: 1, reason: "Error" } },
    });
    await eventually(async () => ((await container())?.restartCount ?? 0) >= 2);
    expect(await answers()).toBe(false);
    // Without their API server the other components fail too.
    const all = ["kube-apiserver", "kube-controller-manager", "kube-scheduler"];
    const lost = all.map((app) => `kube-system/${app}-ip-10-0-1-1 not ready`).join(", ");
    await eventually(() => reasons.includes(`staticPods: ${lost}`));
    await apply();
    await eventually(async () => (await isWell()) && (await answers()));
  });

  test.each([
    ["whose tag no release has", "registry.k8s.io/kube-apiserver:v1.35.99"],
    ["of a registry that isn't there", "registry.invalid/kube-apiserver:v1.35.0"],
  ])("keeps its API server down with an image %s", async (_, image) => {
    await apply({ cluster: { apiServer: { image } } });
    await eventually(
      async () =>
        (await container())?.state.waiting?.message?.startsWith(
          `Back-off pulling image "${image}": ErrImagePull: `,
        ) === true,
    );
    expect(await podStatus()).toMatchObject({ phase: "Pending" });
    expect(reasons).toContain(`staticPods: ${apiServer} pending`);
    expect(await answers()).toBe(false);
  });

  test("restarts its kubelet, and does not know its static pods meanwhile", async () => {
    const startedAt = async () => (await container())?.state.running?.startedAt;
    const before = await startedAt();
    await apply({ machine: { kubelet: { extraArgs: { "max-pods": "111" } } } });
    await eventually(() => reasons.includes("services: kubelet not running"));
    await eventually(isWell);
    // The containers went on, and Kubernetes has noticed nothing.
    expect(await startedAt()).toBe(before);
    expect(reasons).toEqual(["services: kubelet not running", "ready"]);
    const events = (await kubelet())?.events?.events ?? [];
    const last = events.slice(-8).map(({ state: at, msg }) => `${at}: ${msg}`);
    expect(last).toEqual([
      expect.stringMatching(/^Stopping: Sending SIGTERM to task kubelet \(PID \d+, /) as string,
      "Finished: Service finished successfully",
      "Starting: Starting service",
      expect.stringMatching(/^Waiting: Waiting for volumes /) as string,
      "Preparing: Running pre state",
      "Preparing: Creating service runner",
      expect.stringMatching(/^Running: Started task kubelet /) as string,
      "Running: Health check successful",
    ]);
  });

  test("leaves the Node Ready while its kubelet fails repeatedly", async () => {
    await apply({ machine: { kubelet: { extraArgs: { "no-such-flag": "1" } } } });
    const lastOf = async () => (await kubelet())?.events?.events.at(-1)?.msg;
    await eventually(async () => (await lastOf())?.includes("exit code 1") === true);
    expect(await lastOf()).toMatch(
      /^Error running Containerd\(kubelet\), going to restart forever: task "kubelet" failed: exit code 1 \(last log ".*unknown flag: --no-such-flag/,
    );
    await eventually(() => reasons.includes("ready"));
    expect(new Set(reasons)).toEqual(new Set(["services: kubelet not running", "ready"]));
    expect(await kubernetes.get("/api/v1/nodes/ip-10-0-1-1")).toMatchObject({
      status: {
        conditions: expect.arrayContaining([
          expect.objectContaining({ type: "Ready", status: "True" }),
        ]) as object[],
      },
    });
    await apply();
    await eventually(isWell);
  });

  test("stops a kubelet whose image can't be pulled, until it gets another image", async () => {
    const image = "ghcr.io/siderolabs/kubelet:v1.35.99";
    await apply({ machine: { kubelet: { image } } });
    await eventually(async () => (await kubelet())?.state === "Failed");
    expect((await kubelet())?.events?.events.at(-1)?.msg).toContain(
      `Failed to run pre stage: failed to pull image "${image}"`,
    );
    await apply();
    await eventually(isWell);
  });

  test("can lose its kubelet behind a Node that still looks Ready", async () => {
    const fault = await cluster.faults.inject({
      kind: "stoppedKubelet",
      machine: node.instanceId,
    });
    await eventually(async () => (await kubelet())?.state === "Finished");
    expect(await unmet()).toEqual(["services: kubelet not running"]);
    await client.unary(machine.ServiceStart, { id: "kubelet" });
    expect((await kubelet())?.state).toBe("Finished");
    await fault.lift();
    await eventually(isWell);
  });
});

test.each([
  ["v1.12.1", "booting"],
  ["v1.14.1", "running"],
])("a boot of Talos %s whose kubelet fails is %s", async (talosVersion, stage) => {
  const cluster = await SimulatedCluster.create();
  try {
    cluster.talosVersion = talosVersion;
    const [first] = await cluster.addConfigured(1);
    if (!first) {
      throw new Error("no node");
    }
    const image = "ghcr.io/siderolabs/kubelet:v1.35.99";
    const text = cluster.config("worker", [{ machine: { kubelet: { image } } }]);
    const client = await cluster.client(await cluster.add(text));
    const kubelet = async () => {
      const { messages } = await client.unary(machine.ServiceList, {});
      return messages[0]?.services.find(({ id }) => id === "kubelet")?.state;
    };
    await eventually(async () => (await kubelet()) === "Failed");
    const { resource } = await client.unary(state.Get, {
      namespace: "runtime",
      type: statusType,
      id: "machine",
    });
    expect(parse(resource?.spec?.yamlSpec ?? "")).toMatchObject({
      stage,
      status: { ready: false },
    });
  } finally {
    await cluster.stop();
  }
});

function reasonsOf({ unmetConditions }: MachineStatus["status"]): string[] {
  return unmetConditions.map(({ name, reason }) => `${name}: ${reason}`);
}
