import { OldMachinesDrain } from "../../../components/workers/oldMachinesDrain";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetesAccess";
import { addressesOf, listNodes } from "../../../provider/lifecycle/kubernetesNode";
import { withMachine } from "../../../provider/lifecycle/withMachine";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { createWorkload, eventuallyIn } from "../../provider/lifecycle/workload";

const { signal } = new AbortController();

describe("the pods of machines that a group replaces", () => {
  let cluster: SimulatedCluster;
  let access: KubernetesAccess;
  let drain: OldMachinesDrain;
  let workers: readonly SimulatedNode[];

  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
    const [first, ...others] = await cluster.addConfigured(1, 3);
    if (first === undefined) throw new Error("there is no machine");
    workers = others;
    await cluster.bootstrap(first, 1);
    const machine = await machineAt(cluster, first.address);
    const kubeconfig = await withMachine(machine, (client) => client.kubeconfig());
    access = new KubernetesAccess(new KubernetesApi(kubeconfig), machine);
    await eventuallyIn("four nodes", async () => (await listNodes(access, signal)).length === 4);
    drain = new OldMachinesDrain(
      { kubeconfig, endpoint: first.address },
      "apps-a",
      () => undefined,
    );
    await createWorkload(access, { replicas: 6, minAvailable: 3 });
  });
  afterEach(() => cluster.stop());

  const cordoned = async () =>
    (await listNodes(access, signal))
      .filter(({ spec }) => spec?.unschedulable === true)
      .flatMap(addressesOf)
      .sort();
  const podsOn = async ({ privateAddress }: SimulatedNode) => {
    const nodes = await listNodes(access, signal);
    const node = nodes.find((each) => addressesOf(each).includes(privateAddress));
    const selector = encodeURIComponent(`spec.nodeName=${node?.metadata.name ?? ""}`);
    const path = `/api/v1/namespaces/default/pods?fieldSelector=${selector}`;
    return (await access.read<{ items: object[] }>(path, signal)).items.length;
  };

  it("keep off all of them at once, and move as new machines are ready", async () => {
    const [one, other, successor] = workers as [SimulatedNode, SimulatedNode, SimulatedNode];
    await drain.look({ old: [one, other], current: [] }, signal);
    expect(await cordoned()).toEqual([one.privateAddress, other.privateAddress].sort());
    expect(await podsOn(one)).toBeGreaterThan(0);
    const replaced = { old: [one, other], current: [successor] };
    await eventuallyIn("no pods on the first", async () => {
      await drain.look(replaced, signal);
      return (await podsOn(one)) === 0;
    });
    expect(await podsOn(other)).toBeGreaterThan(0);
    await drain.end({ old: [], current: [successor] }, signal);
    expect((await listNodes(access, signal)).flatMap(addressesOf)).not.toContain(
      one.privateAddress,
    );
  });

  it("come back where AWS gives up", async () => {
    const [one, other] = workers as [SimulatedNode, SimulatedNode, SimulatedNode];
    await drain.look({ old: [one, other], current: [] }, signal);
    await drain.giveUp(signal);
    expect(await cordoned()).toEqual([]);
  });
});
