import type { KubernetesStore } from "../../../emulator/talos/kubernetes/kubernetesStore";
import { protocol } from "../../../provider/api/protocol";
import type { Patch } from "../../../provider/config/patches/patch";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const { service } = protocol.machine.MachineService;

const other: Patch = { cluster: { network: { podSubnets: ["10.200.0.0/16"] } } };
const app = "kube-controller-manager";

/** What nodes' ranges of pods come from, and what comes of another range of the cluster. */
describe("the range of pods of a simulated cluster", () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.create({ restartMs: 40 });
  });
  afterEach(() => cluster.stop());

  const rangesOf = (store: KubernetesStore) =>
    store.nodes.flatMap(({ podCidrs }) => podCidrs).sort();
  const readyOf = (store: KubernetesStore) =>
    store.nodes.filter(({ isReady }) => isReady).map(({ name }) => name);

  async function apply(node: SimulatedNode, ...patches: Patch[]): Promise<void> {
    const client = await cluster.client(node);
    const data = Buffer.from(cluster.config("controlplane", patches));
    await client.unary(service.ApplyConfiguration, { data, mode: "NO_REBOOT" });
  }

  const restartsOf = (store: KubernetesStore) =>
    store.nodes.map(({ staticPods }) => staticPods[app]?.restartCount ?? 0);

  test("gives each node its own, and a node without one is not ready until another ends", async () => {
    const small: Patch = { cluster: { network: { podSubnets: ["10.1.0.0/23"] } } };
    const first = await cluster.add(cluster.config("controlplane", [small]));
    await cluster.bootstrap(first, 1);
    const store = await cluster.kubernetes();
    await cluster.add(cluster.config("worker", [small]));
    await eventually(() => readyOf(store).length === 2);
    await cluster.add(cluster.config("worker", [small]));
    await eventually(() => store.nodes.length === 3);
    expect(rangesOf(store)).toEqual(["10.1.0.0/24", "10.1.1.0/24"]);
    expect(readyOf(store)).toHaveLength(2);
    store.delete("ip-10-0-1-2");
    await eventually(() => readyOf(store).includes("ip-10-0-1-3"));
    expect(store.node("ip-10-0-1-3")?.podCidrs).toEqual(["10.1.1.0/24"]);
  });

  test("ends the controller manager again and again once it is another one, until it is the old one", async () => {
    const node = await cluster.add(cluster.config("controlplane"));
    await cluster.bootstrap(node, 1);
    const store = await cluster.kubernetes();
    await eventually(() => rangesOf(store).length === 1);
    await apply(node, other);
    await eventually(() => restartsOf(store).some((count) => count >= 2));
    expect(rangesOf(store)).toEqual(["10.244.0.0/24"]);
    const status = store.nodes[0]?.staticPods[app];
    const machine = cluster.world.find(node.privateAddress, "vpc-1");
    const id = status?.lastExit?.containerID.replace("containerd://", "").slice(0, 12) ?? "";
    expect(
      machine?.state?.deadContainerLog(`kube-system/${app}-ip-10-0-1-1:${app}:${id}`)?.at(-1),
    ).toMatch(
      /controllermanager\.go:257\] "Error building controllers" err="failed to mark cidr\[10\.244\.0\.0\/24\] at idx \[0\] as occupied for node: ip-10-0-1-1: cidr 10\.244\.0\.0\/24 is out the range of cluster cidr 10\.200\.0\.0\/16"$/,
    );
    // Nobody gives a range to a new node meanwhile.
    await cluster.add(cluster.config("worker"));
    await eventually(() => store.nodes.length === 2);
    expect(readyOf(store)).toEqual(["ip-10-0-1-1"]);
    await apply(node);
    await eventually(() => readyOf(store).length === 2);
    expect(rangesOf(store)).toEqual(["10.244.0.0/24", "10.244.1.0/24"]);
  });

  test("leaves a controller manager alone that only waits for the lease of another", async () => {
    const [first, ...others] = await cluster.addConfigured(3);
    if (first === undefined) {
      throw new Error("no machine was added");
    }
    await cluster.bootstrap(first, 3);
    const store = await cluster.kubernetes();
    await eventually(() => rangesOf(store).length === 3);
    for (const node of others) {
      await apply(node, other);
    }
    await eventually(() =>
      store.nodes.every(
        ({ name, staticPods }) =>
          name === "ip-10-0-1-1" ||
          (staticPods[app]?.ready === true &&
            staticPods[app].annotations["talos.dev/config-version"] === "2"),
      ),
    );
    expect(restartsOf(store)).toEqual([0, 0, 0]);
    // The one that worked ends, and the others get its lease.
    await apply(first, other);
    await eventually(() => restartsOf(store).reduce((sum, count) => sum + count, 0) >= 2);
  });
});
