import { drainNode, type DrainRequest } from "../../../../provider/lifecycle/kubernetes/drainNode";
import { KubernetesAccess } from "../../../../provider/lifecycle/kubernetes/kubernetesAccess";
import {
  CORDONED_ANNOTATION,
  findNode,
  listNodes,
  uncordonNode,
} from "../../../../provider/lifecycle/kubernetes/kubernetesNode";
import { LeavingNode } from "../../../../provider/lifecycle/kubernetes/leavingNode";
import { SimulatedCluster, type SimulatedNode } from "../../../emulator/talos/simulatedCluster";
import { recordedProgress } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { machineAt } from "../deliveries";
import { createWorkload, eventuallyIn } from "../workload";

// What real Kubernetes does with the same calls: test/conformance/labDrain.test.ts.
const { signal } = new AbortController();

describe("a drain of a node", () => {
  let cluster: SimulatedCluster;
  let access: KubernetesAccess;
  let first: SimulatedNode;
  let workers: readonly SimulatedNode[];

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    const [controlPlane, ...others] = await cluster.addConfigured(1, 2);
    if (controlPlane === undefined) {
      throw new Error("there is no machine");
    }
    first = controlPlane;
    workers = others;
    await cluster.bootstrap(first, 1);
    access = await KubernetesAccess.open([await machineAt(cluster, first.address)], signal);
    await eventuallyIn("three ready nodes", async () => {
      const nodes = await listNodes(access, signal);
      return nodes.length === 3 && nodes.every(({ isReady }) => isReady);
    });
  });
  afterEach(() => cluster.stop());

  const request = async (
    { privateAddress }: SimulatedNode,
    more: Partial<DrainRequest> = {},
  ): Promise<DrainRequest & { progress: ReturnType<typeof recordedProgress> }> => ({
    privateAddress,
    controlPlanes: [await machineAt(cluster, first.address)],
    timeoutSeconds: 60,
    whenBlocked: "fail",
    ...more,
    progress: recordedProgress(),
  });
  const nodeOf = async ({ privateAddress }: SimulatedNode) => {
    const node = await findNode(access, privateAddress, signal);
    if (node === undefined) {
      throw new Error("there is no node");
    }
    return node;
  };
  const worker = (index: number) => {
    const found = workers[index];
    if (found === undefined) {
      throw new Error("there is no worker");
    }
    return found;
  };
  const podsOn = async (machine: SimulatedNode) => {
    const { name } = await nodeOf(machine);
    const selector = encodeURIComponent(`spec.nodeName=${name}`);
    const path = `/api/v1/namespaces/default/pods?fieldSelector=${selector}`;
    return (await access.read<{ items: object[] }>(path, signal)).items.length;
  };

  steppingIt("moves pods to other nodes, and cordons the node until the end", async () => {
    await createWorkload(access, { replicas: 4, minAvailable: 2 });
    const target = worker(0);
    const drain = await request(target);
    await drainNode(drain);
    expect(await podsOn(target)).toBe(0);
    expect((await nodeOf(target)).isCordoned).toBe(true);
    await eventuallyIn("four pods elsewhere", async () => (await podsOn(worker(1))) === 4);
    await uncordonNode(drain);
    const { annotations, isCordoned } = await nodeOf(target);
    expect(isCordoned).toBe(false);
    expect(annotations).not.toHaveProperty(CORDONED_ANNOTATION);
  });

  steppingIt("stops at a budget, names it, and uncordons the node", async () => {
    await createWorkload(access, { replicas: 2, minAvailable: 2 });
    const target = (await podsOn(worker(0))) > 0 ? worker(0) : worker(1);
    await expect(drainNode(await request(target))).rejects.toThrow(
      /was not drained within 60 s: can't be evicted: default\/web-\S+ \(The disruption budget web needs 2 healthy pods and has 2 currently\).*The machine was not changed.*"whenBlocked" to "proceed"/,
    );
    expect((await nodeOf(target)).isCordoned).toBe(false);
    expect(await podsOn(target)).toBeGreaterThan(0);
  });

  steppingIt("lists all nodes once, however long it waits", async () => {
    await createWorkload(access, { replicas: 2, minAvailable: 2 });
    const target = (await podsOn(worker(0))) > 0 ? worker(0) : worker(1);
    const drain = await request(target, { whenBlocked: "proceed" });
    const reads = vi.spyOn(KubernetesAccess.prototype, "send");
    try {
      await drainNode(drain);
      const paths = reads.mock.calls.map(([{ path }]) => path);
      const { name } = await nodeOf(target);
      expect(paths.filter((path) => path === "/api/v1/nodes")).toHaveLength(1);
      expect(paths.filter((path) => path === `/api/v1/nodes/${name}`).length).toBeGreaterThan(1);
    } finally {
      reads.mockRestore();
    }
  });

  steppingIt("proceeds despite a budget on request, with a warning", async () => {
    await createWorkload(access, { replicas: 2, minAvailable: 2 });
    const target = (await podsOn(worker(0))) > 0 ? worker(0) : worker(1);
    const drain = await request(target, { whenBlocked: "proceed" });
    await drainNode(drain);
    expect(drain.progress.warnings.join()).toContain("The change continues");
    expect((await nodeOf(target)).isCordoned).toBe(true);
  });

  steppingIt("leaves a node cordoned that someone else has cordoned", async () => {
    const target = worker(0);
    const { name } = await nodeOf(target);
    const path = `/api/v1/nodes/${name}`;
    const contentType = "application/merge-patch+json";
    const body = { spec: { unschedulable: true } };
    await access.send({ method: "PATCH", path, body, contentType }, signal);
    const drain = await request(target);
    await drainNode(drain);
    await uncordonNode(drain);
    expect((await nodeOf(target)).isCordoned).toBe(true);
  });

  steppingIt("reports that a node that is not ready can't end its pods", async () => {
    const target = worker(0);
    const fault = await cluster.faults.inject({ kind: "powerLoss", machine: target.address });
    await eventuallyIn("a node that is lost", async () => !(await nodeOf(target)).isReady);
    const drain = await request(target);
    await drainNode(drain);
    expect(drain.progress.warnings.join()).toContain("isn't ready, so it was not drained");
    await fault.lift();
  });

  steppingIt("reports at the deadline that Kubernetes doesn't answer", async () => {
    const drain = await request(worker(0));
    await cluster.faults.inject({ kind: "powerLoss", machine: first.address });
    await expect(drainNode(drain)).rejects.toThrow(
      /was not drained within 60 s: no control plane machine serves Kubernetes: \S+: /,
    );
  });

  steppingIt("ends with the node's removal if its machine is removed", async () => {
    await createWorkload(access, { replicas: 4, minAvailable: 2 });
    const target = worker(0);
    const machine = await machineAt(cluster, target.address);
    const leaving = new LeavingNode(
      { ...machine, machineId: target.instanceId },
      await request(target),
    );
    await leaving.drain();
    await leaving.remove();
    expect(await findNode(access, target.privateAddress, signal)).toBeUndefined();
  });

  steppingIt("does not drain another machine that got the address", async () => {
    const target = worker(0);
    const machine = await machineAt(cluster, target.address);
    const leaving = new LeavingNode(
      { ...machine, machineId: "i-00000000000000000" },
      await request(target),
    );
    await leaving.drain();
    await leaving.remove();
    expect((await nodeOf(target)).isCordoned).toBe(false);
  });
});
