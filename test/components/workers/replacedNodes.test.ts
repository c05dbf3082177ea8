import type { NodeObserver } from "../../../components/workers/nodeObserver";
import { markReplaced, removeReplaced } from "../../../components/workers/replacedNodes";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetesAccess";
import { addressesOf, listNodes } from "../../../provider/lifecycle/kubernetesNode";
import { withMachine } from "../../../provider/lifecycle/machine";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { eventuallyIn } from "../../provider/lifecycle/workload";

const { signal } = new AbortController();
const TEMPLATE = "lt-1";

describe("nodes of machines that AWS replaces", () => {
  let cluster: SimulatedCluster;
  let access: KubernetesAccess;
  let observer: NodeObserver;
  let workers: readonly [SimulatedNode, SimulatedNode];

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    const [first, ...others] = await cluster.addConfigured(1, 2);
    if (first === undefined) {
      throw new Error("there is no machine");
    }
    workers = others as [SimulatedNode, SimulatedNode];
    await cluster.bootstrap(first, 1);
    const machine = await machineAt(cluster, first.address);
    const kubeconfig = await withMachine(machine, (client) => client.kubeconfig());
    observer = { kubeconfig, endpoint: first.address };
    access = new KubernetesAccess(new KubernetesApi(kubeconfig), machine);
    await eventuallyIn("three nodes", async () => (await addresses()).length === 3);
  });
  afterEach(() => cluster.stop());

  const addresses = async () => (await listNodes(access, signal)).flatMap(addressesOf);
  const oldOf = ({ privateAddress }: SimulatedNode) => [{ instanceId: "i-1", privateAddress }];
  const none = () => Promise.resolve(new Set<string>());

  it("are removed once no machine has their address, by any later run", async () => {
    const [one, other] = workers;
    await markReplaced(observer, TEMPLATE, oldOf(one));
    await removeReplaced(observer, TEMPLATE, (asked) => {
      expect(asked).toEqual([one.privateAddress]);
      return Promise.resolve(new Set(asked));
    });
    expect(await addresses()).toContain(one.privateAddress);
    await removeReplaced(observer, TEMPLATE, none);
    expect(await addresses()).not.toContain(one.privateAddress);
    expect(await addresses()).toContain(other.privateAddress);
  });

  it("stay if they were marked for another pool, or not at all", async () => {
    const [one] = workers;
    await markReplaced(observer, "lt-2", oldOf(one));
    const asked = vi.fn(none);
    await removeReplaced(observer, TEMPLATE, asked);
    expect(asked).not.toHaveBeenCalled();
    expect(await addresses()).toContain(one.privateAddress);
  });

  it("don't block a run if Kubernetes doesn't answer", async () => {
    const silent = { ...observer, endpoint: "127.0.0.1:1", kubeconfig: "" };
    await markReplaced(silent, TEMPLATE, oldOf(workers[0]));
    await removeReplaced(undefined, TEMPLATE, none);
    expect(await addresses()).toHaveLength(3);
  });
});
