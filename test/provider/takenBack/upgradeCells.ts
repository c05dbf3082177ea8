import { ServedResource } from "../../conformance/support/servedResource";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import type { Cells } from "./cells";
import { failingWhen } from "./failingWhen";

const imagesOf = (version: string) => ({
  apiServer: { image: `registry.k8s.io/kube-apiserver:${version}` },
  controllerManager: { image: `registry.k8s.io/kube-controller-manager:${version}` },
  scheduler: { image: `registry.k8s.io/kube-scheduler:${version}` },
});

type Nodes = readonly [SimulatedNode, SimulatedNode];

/** Fails one upgrade of two machines, and takes it back. */
function cell(
  version: string,
  fail: (cluster: SimulatedCluster, nodes: Nodes, update: () => Promise<unknown>) => Promise<void>,
) {
  return async () => {
    const cluster = await SimulatedCluster.create();
    try {
      const nodes = (await cluster.addConfigured(2)) as [SimulatedNode, SimulatedNode];
      await cluster.bootstrap(nodes[0], 2);
      const resource = new ServedResource("KubernetesUpgrade");
      const machine = await machineAt(cluster, nodes[0].address);
      const up = (kubernetes: string) =>
        resource.up({
          ...machine,
          machineId: "i-1",
          settledSeconds: 0,
          timeoutSeconds: 30,
          redactedConfiguration: { cluster: imagesOf(kubernetes) },
        });
      await up("v1.35.0");
      const configurations = () => nodes.map(({ node }) => node.machineConfiguration);
      const before = configurations();
      await fail(cluster, nodes, () => up(version));
      await cluster.faults.liftAll();
      await up("v1.35.0");
      expect(configurations()).toEqual(before);
      expect(await up("v1.35.0")).toBe("same");
    } finally {
      await cluster.stop();
    }
  };
}

const has =
  ({ node }: SimulatedNode, image: string) =>
  () =>
    node.machineConfiguration?.includes(`${image}:v1.35.1`) === true;

/** What fails in a `KubernetesUpgrade`: its parts are components on each machine. */
export const upgradeCells: Cells = {
  "before the first change": cell("v1.35.99", async (_, __, update) => {
    await expect(update()).rejects.toThrow(/not found/);
  }),
  "after the first change": cell("v1.35.1", async (cluster, nodes, update) => {
    await failingWhen(has(nodes[0], "kube-apiserver"), cluster, nodes[1], update);
  }),
  "between parts": cell("v1.35.1", async (cluster, nodes, update) => {
    await failingWhen(has(nodes[1], "kube-apiserver"), cluster, nodes[0], update);
  }),
  "at the last wait": cell("v1.35.1", async (cluster, nodes, update) => {
    const isLast = has(nodes[1], "kube-scheduler");
    await failingWhen(isLast, cluster, nodes[1], update, "stoppedKubelet");
  }),
};
