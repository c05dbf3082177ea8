import type { NodeObserver } from "../../../components/workers/nodeObserver";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import type { KubernetesNode } from "../../../provider/kubernetes/node";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { listNodes } from "../../../provider/lifecycle/kubernetes/kubernetesNode";
import { withMachine } from "../../../provider/lifecycle/machine";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { eventuallyIn } from "../../provider/lifecycle/workload";

const { signal } = new AbortController();

/** A simulated cluster with two workers, whose nodes a program observes. */
export interface ObservedCluster {
  readonly cluster: SimulatedCluster;
  readonly observer: NodeObserver;
  readonly workers: readonly [SimulatedNode, SimulatedNode];
  readonly nodes: () => Promise<readonly KubernetesNode[]>;
  readonly addresses: () => Promise<readonly string[]>;
}

/** Starts it, and waits until it has three nodes; stop its `cluster`. */
export async function startObservedCluster(): Promise<ObservedCluster> {
  const cluster = await SimulatedCluster.create();
  const [first, one, other] = await cluster.addConfigured(1, 2);
  if (first === undefined || one === undefined || other === undefined) {
    throw new Error("there is no machine");
  }
  await cluster.bootstrap(first, 1);
  const machine = await machineAt(cluster, first.address);
  const kubeconfig = await withMachine(machine, (client) => client.kubeconfig());
  const access = new KubernetesAccess(new KubernetesApi(kubeconfig), machine);
  const nodes = () => listNodes(access, signal);
  const addresses = async () => (await nodes()).flatMap(({ addresses: own }) => own);
  await eventuallyIn("three nodes", async () => (await addresses()).length === 3);
  const observer = { kubeconfig, endpoint: first.address };
  return { cluster, observer, workers: [one, other], nodes, addresses };
}
