import { TalosCluster, type TalosClusterArgs } from "../../components";
import type { EmulatedNode } from "../../emulator/instances";
import { KubernetesAccess } from "../../provider/lifecycle/kubernetes/kubernetesAccess";
import { CORDONED_ANNOTATION, listNodes } from "../../provider/lifecycle/kubernetes/kubernetesNode";
import { administrator } from "../engine/support/administrator";
import { controlPlaneAlone } from "../engine/support/controlPlaneLife";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { killedWhile } from "../engine/support/killedWhile";
import { lifeSteps } from "../engine/support/lifeSteps";
import { createWorkload, eventuallyIn, resizeBudget } from "../provider/lifecycle/workload";

const REPLICAS = 3;

const { signal } = new AbortController();

// One cluster's life: each step goes on where the one before it ended.
describe("workloads of a changing cluster, by the real engine", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let access: KubernetesAccess;
  let args: TalosClusterArgs = {
    ...controlPlaneAlone,
    network: { zones: ["us-east-1a"] },
    controlPlane: { machineCount: 1 },
    workerPools: { apps: { machineCount: 3, drain: { timeoutSeconds: 5 } } },
  };

  const up = (options: object = {}, stack = world.stack) =>
    stack.up({ ...world.record, ...options });
  const apps = (change: object) => {
    args = { ...args, workerPools: { apps: { ...args.workerPools?.apps, ...change } as never } };
  };
  const workers = () => world.emulator.nodes().filter((node) => !isControlPlane(node));
  const cordoned = async () =>
    (await listNodes(access, signal)).filter(
      ({ isCordoned, annotations }) => isCordoned || annotations[CORDONED_ANNOTATION] !== undefined,
    );
  const healthy = async () => {
    const path = "/apis/policy/v1/namespaces/default/poddisruptionbudgets/web";
    const { status } = await access.read<{ status: { currentHealthy: number } }>(path, signal);
    return status.currentHealthy;
  };

  beforeAll(async () => {
    world = await startEngineWorld({
      program: () => {
        const { kubeconfig } = new TalosCluster("c", args);
        return Promise.resolve({ kubeconfig });
      },
    });
    await up();
    const node = world.emulator.nodes().find(isControlPlane)?.address ?? "";
    const credentials = await administrator(world.stack);
    access = await KubernetesAccess.open([{ node, endpoint: node, credentials }], signal);
    await createWorkload(access, { replicas: REPLICAS, minAvailable: REPLICAS });
  });
  afterAll(() => world.close());

  step("stop a change whose restart their budget forbids, before the machine changes", async () => {
    apps({ patches: [{ machine: { env: { FIRST: "1" } } }] });
    const failure: unknown = await up().catch((error: unknown) => error);
    expect(String(failure)).toMatch(
      /was not drained within 5 s: can't be evicted: default\/web-\S+ \(The disruption budget web needs 3 healthy pods and has 3 currently\)/,
    );
    expect(await healthy()).toBe(REPLICAS);
    expect(await cordoned()).toEqual([]);
    for (const { machineConfiguration } of workers()) {
      expect(machineConfiguration).not.toContain("FIRST");
    }
  });

  step("stay within their budget while machines restart for their configuration", async () => {
    await resizeBudget(access, 2);
    apps({ drain: { timeoutSeconds: 120 } });
    const watch = watchHealthy(healthy);
    await up();
    expect(await watch.stop()).toBeGreaterThanOrEqual(2);
    for (const { machineConfiguration } of workers()) {
      expect(machineConfiguration).toContain("FIRST");
    }
    expect(await cordoned()).toEqual([]);
  });

  step("stay within it while machines are stopped for another instance type", async () => {
    apps({ instanceType: "m6i.xlarge" });
    const watch = watchHealthy(healthy);
    const { summary } = await up();
    expect(await watch.stop()).toBeGreaterThanOrEqual(2);
    expect(summary.resourceChanges).toMatchObject({ update: expect.any(Number) as number });
    expect(workers()).toHaveLength(3);
    expect(await cordoned()).toEqual([]);
  });

  step(
    "stay within it if the engine is killed while a machine restarts, and in the next run",
    async () => {
      apps({ patches: [{ machine: { env: { SECOND: "1" } } }] });
      const watch = watchHealthy(healthy);
      const isMoment = () => workers().some(({ stage }) => stage === "rebooting");
      await killedWhile(up, isMoment, world);
      expect(await cordoned()).toHaveLength(1);
      await up();
      expect(await watch.stop()).toBeGreaterThanOrEqual(2);
      expect(await cordoned()).toEqual([]);
    },
  );

  step("leave removed machines, whose nodes are removed too", async () => {
    await resizeBudget(access, 2);
    apps({ machineCount: 1 });
    const watch = watchHealthy(healthy);
    await up();
    expect(await watch.stop()).toBeGreaterThanOrEqual(2);
    expect(await listNodes(access, signal)).toHaveLength(2);
    await eventuallyIn(
      "all pods on the worker that stays",
      async () => (await healthy()) === REPLICAS,
    );
  });

  step("do not block the destruction of the whole cluster", async () => {
    await resizeBudget(access, REPLICAS);
    await world.stack.destroy(world.record);
    expect(world.emulator.nodes()).toEqual([]);
  });
});

function isControlPlane({ machineConfiguration = "" }: EmulatedNode): boolean {
  return machineConfiguration.includes("type: controlplane");
}

/** Asks all the time how many pods are healthy, and tells the least. */
function watchHealthy(healthy: () => Promise<number>) {
  let least = Infinity;
  const ended = new AbortController();
  const watching = (async () => {
    while (!ended.signal.aborted) {
      least = Math.min(least, await healthy());
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  })();
  return {
    stop: async () => {
      ended.abort();
      await watching;
      return least;
    },
  };
}
