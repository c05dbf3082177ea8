import { OldMachinesDrain } from "../../../components/workers/oldMachinesDrain";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { listNodes } from "../../../provider/lifecycle/kubernetes/kubernetesNode";
import { withMachine } from "../../../provider/lifecycle/machine";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { createWorkload, eventuallyIn } from "../../provider/lifecycle/workload";

const { signal } = new AbortController();

type Workers = readonly [SimulatedNode, SimulatedNode, SimulatedNode, SimulatedNode];

interface Pod {
  readonly status: { readonly conditions?: readonly { type: string; status: string }[] };
}

describe("the pods of machines that a group replaces", () => {
  let cluster: SimulatedCluster;
  let access: KubernetesAccess;
  let drain: OldMachinesDrain;
  let workers: readonly SimulatedNode[];

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    const [first, ...others] = await cluster.addConfigured(1, 4);
    if (first === undefined) {
      throw new Error("there is no machine");
    }
    workers = others;
    await cluster.bootstrap(first, 1);
    const machine = await machineAt(cluster, first.address);
    const kubeconfig = await withMachine(machine, (client) => client.kubeconfig());
    access = new KubernetesAccess(new KubernetesApi(kubeconfig), machine);
    await eventuallyIn("five nodes", async () => (await listNodes(access, signal)).length === 5);
    drain = new OldMachinesDrain(
      { kubeconfig, endpoint: first.address },
      "apps-a",
      () => undefined,
    );
    await createWorkload(access, { replicas: 6, minAvailable: 3 });
  });
  afterEach(() => cluster.stop());

  const addresses = async () => (await listNodes(access, signal)).flatMap((node) => node.addresses);
  const healthyPods = async () => {
    const path = "/api/v1/namespaces/default/pods";
    const { items } = await access.read<{ items: Pod[] }>(path, signal);
    return items.filter(({ status }) =>
      status.conditions?.some((each) => each.type === "Ready" && each.status === "True"),
    );
  };
  const cordoned = async () =>
    (await listNodes(access, signal))
      .filter(({ isCordoned }) => isCordoned)
      .flatMap((node) => node.addresses)
      .sort();
  const podsOn = async ({ privateAddress }: SimulatedNode) => {
    const nodes = await listNodes(access, signal);
    const node = nodes.find((each) => each.addresses.includes(privateAddress));
    const selector = encodeURIComponent(`spec.nodeName=${node?.name ?? ""}`);
    const path = `/api/v1/namespaces/default/pods?fieldSelector=${selector}`;
    return (await access.read<{ items: object[] }>(path, signal)).items.length;
  };

  it("are kept off all old nodes at once, and move as new machines are ready", async () => {
    const [one, other, successor] = workers as Workers;
    await drain.look({ old: [one, other], current: [] }, signal);
    expect(await cordoned()).toEqual([one.privateAddress, other.privateAddress].sort());
    expect(await podsOn(one)).toBeGreaterThan(0);
    const replaced = { old: [one, other], current: [successor] };
    await eventuallyIn("no pods on the first", async () => {
      await drain.look(replaced, signal);
      return (await podsOn(one)) === 0;
    });
    expect(await podsOn(other)).toBeGreaterThan(0);
    // AWS has ended the first: its node would hold up what waits for each node.
    await drain.look({ old: [other], current: [successor] }, signal);
    expect(await addresses()).not.toContain(one.privateAddress);
    expect(await addresses()).toContain(other.privateAddress);
    await drain.end({ old: [], current: [successor] }, signal);
    expect(await addresses()).not.toContain(other.privateAddress);
  });

  it("leave all nodes of a group before one ends, if all successors start first", async () => {
    const [one, other, ...current] = workers as Workers;
    const moved = async () => (await podsOn(one)) + (await podsOn(other)) === 0;
    await eventuallyIn("no pods on either", async () => {
      const { length } = await healthyPods();
      expect(length).toBeGreaterThanOrEqual(3);
      await drain.look({ old: [one, other], current }, signal);
      return moved();
    });
    expect(await podsOn(current[0])).toBeGreaterThan(0);
    expect(await podsOn(current[1])).toBeGreaterThan(0);
  });

  it("return if AWS gives up", async () => {
    const [one, other] = workers as Workers;
    await drain.look({ old: [one, other], current: [] }, signal);
    await drain.giveUp(signal);
    expect(await cordoned()).toEqual([]);
  });
});
