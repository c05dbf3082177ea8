import { removeEnded } from "../../../components/workers/endedNodes";
import type { NodeObserver } from "../../../components/workers/nodeObserver";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetesAccess";
import { addressesOf, isReady, listNodes } from "../../../provider/lifecycle/kubernetesNode";
import { withMachine } from "../../../provider/lifecycle/machine";
import { expectDocumented } from "../../documented";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { eventuallyIn } from "../../provider/lifecycle/workload";

const { signal } = new AbortController();

describe("nodes of machines that AWS has ended", () => {
  let cluster: SimulatedCluster;
  let access: KubernetesAccess;
  let observer: NodeObserver;
  let ended: SimulatedNode;
  const lines: string[] = [];

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    const [first, worker] = await cluster.addConfigured(1, 2);
    if (first === undefined || worker === undefined) {
      throw new Error("there is no machine");
    }
    ended = worker;
    await cluster.bootstrap(first, 1);
    const machine = await machineAt(cluster, first.address);
    const kubeconfig = await withMachine(machine, (client) => client.kubeconfig());
    observer = { kubeconfig, endpoint: first.address };
    access = new KubernetesAccess(new KubernetesApi(kubeconfig), machine);
    await eventuallyIn("three nodes", async () => (await addresses()).length === 3);
  });
  afterAll(() => cluster.stop());

  const nodes = () => listNodes(access, signal);
  const addresses = async () => (await nodes()).flatMap(addressesOf);
  const remove = async (range: string, existing: readonly string[]) => {
    const ranges = vi.fn(() => Promise.resolve(["10.99.0.0/16", range]));
    const existingAt = vi.fn(() => Promise.resolve(new Set(existing)));
    await removeEnded(observer, { ranges, existingAt }, (line) => lines.push(line));
    return { ranges, existingAt };
  };

  it("stay while they are ready, and then AWS isn't asked", async () => {
    const { ranges } = await remove("10.0.0.0/16", []);
    expect(ranges).not.toHaveBeenCalled();
    expect(await addresses()).toHaveLength(3);
  });

  it("stay outside of the network, or while the machine exists", async () => {
    await cluster.faults.inject({ kind: "powerLoss", machine: ended.address });
    await eventuallyIn("a node that isn't ready", async () => !(await nodes()).every(isReady));
    const { existingAt } = await remove("10.1.0.0/16", []);
    expect(existingAt).not.toHaveBeenCalled();
    const asked = await remove("10.0.0.0/16", [ended.privateAddress]);
    expect(asked.existingAt).toHaveBeenCalledExactlyOnceWith([ended.privateAddress]);
    expect(await addresses()).toHaveLength(3);
    expect(lines).toEqual([]);
  });

  it("are removed if AWS has no machine at their address", async () => {
    await remove("10.0.0.0/16", []);
    expect(await addresses()).toHaveLength(2);
    expect(await addresses()).not.toContain(ended.privateAddress);
    expect(lines).toHaveLength(1);
    expectDocumented("scaling.md", lines.join("\n"));
  });

  it("don't block a run if Kubernetes or AWS can't be asked", async () => {
    const fail = () => Promise.reject(new Error("AccessDenied"));
    const network = { ranges: fail, existingAt: fail };
    const silent = { endpoint: "127.0.0.1:1", kubeconfig: "" };
    for (const each of [undefined, silent, observer]) {
      await removeEnded(each, network, (line) => lines.push(line));
    }
    expect(lines).toHaveLength(1);
  });
});
