import { DEFAULT_BUDGET, planMachineRepair } from "../../../cli/machineRepair/planMachineRepair";
import { type FactSources, readClusterFacts } from "../../../cli/machineRepair/readClusterFacts";
import { blockedDrain, release, repairInGroup } from "../../../cli/machineRepair/repairInGroup";
import { KEEP_MARK, type WorkerFacts } from "../../../cli/machineRepair/workerFacts";
import type { ClusterAccess } from "../../../cli/status/clusterAccess";
import { TalosClient } from "../../../provider/api/talosClient";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import {
  annotateNode,
  CORDONED_ANNOTATION,
  findNode,
  listNodes,
} from "../../../provider/lifecycle/kubernetes/kubernetesNode";
import { SimulatedCluster, type SimulatedNode } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { createWorkload, eventuallyIn, resizeBudget } from "../../provider/lifecycle/workload";
import { recordedProgress } from "../../provider/progress";
import { inGroup } from "./workers";

const { signal } = new AbortController();

// One cluster's life: each test goes on where the one before it ended.
describe("the repair of a group's machine", () => {
  let cluster: SimulatedCluster;
  let workers: readonly SimulatedNode[];
  let reachable: ClusterAccess;
  let api: KubernetesAccess;
  /** The calls that change something in AWS. */
  const calls: string[] = [];
  let isAwsSilent = false;

  const instanceXml = ({ instanceId, privateAddress }: SimulatedNode) =>
    `<item><instancesSet><item><instanceId>${instanceId}</instanceId><instanceState><name>running</name></instanceState><placement><availabilityZone>us-east-1a</availabilityZone></placement><privateIpAddress>${privateAddress}</privateIpAddress><launchTime>2026-11-01T00:00:00Z</launchTime></item></instancesSet></item>`;
  const aws: FactSources["aws"] = {
    ask: (_service, { Action, InstanceId }) => {
      if (Action === "SetInstanceHealth") {
        if (isAwsSilent) {
          return Promise.reject(new Error("AWS doesn't answer"));
        }
        calls.push(InstanceId ?? "");
      }
      return Promise.resolve(
        Action === "DescribeInstances"
          ? `<DescribeInstancesResponse><reservationSet>${workers.map(instanceXml).join("")}</reservationSet></DescribeInstancesResponse>`
          : "<DescribeInstanceStatusResponse/>",
      );
    },
  };
  const nodeOf = async ({ privateAddress }: Pick<WorkerFacts, "privateAddress">) => {
    const node = await findNode(api, privateAddress, signal);
    if (node === undefined) {
      throw new Error("there is no node");
    }
    return node;
  };
  const target = (): WorkerFacts => {
    const [{ instanceId, privateAddress }] = workers as [SimulatedNode];
    return inGroup("target", { instanceId, privateAddress });
  };
  const repair = (drainSeconds = 60) =>
    repairInGroup(target(), { access: reachable, aws, progress: recordedProgress(), drainSeconds });
  const factsOf = (access: ClusterAccess) =>
    readClusterFacts({ access, pools: new Map(), aws, resources: [] }, signal);

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    const [first, ...others] = (await cluster.addConfigured(1, 2)) as [
      SimulatedNode,
      ...SimulatedNode[],
    ];
    workers = others;
    await cluster.bootstrap(first, 1);
    const machine = await machineAt(cluster, first.address);
    api = await KubernetesAccess.open([machine], signal);
    await eventuallyIn("three ready nodes", async () => {
      const nodes = await listNodes(api, signal);
      return nodes.length === 3 && nodes.every(({ isReady }) => isReady);
    });
    const client = TalosClient.connect(machine);
    const kubeconfig = await client.kubeconfig();
    client.close();
    const known = (role: "controlplane" | "worker") => (node: SimulatedNode, index: number) => ({
      name: `c-${role}-${index + 1}`,
      role,
      zone: "",
      instanceId: node.instanceId,
      publicAddress: node.address,
      privateAddress: node.privateAddress,
    });
    reachable = {
      machines: [...[first].map(known("controlplane")), ...workers.map(known("worker"))],
      unlisted: "none",
      endpoints: [first.address],
      credentials: machine.credentials,
      kubeconfig,
    };
    await createWorkload(api, { replicas: 2, minAvailable: 2 });
  });
  afterAll(() => cluster.stop());

  it("joins what Kubernetes and EC2 say", async () => {
    const facts = await factsOf(reachable);
    expect(facts).toMatchObject({ isKnown: true, obstacles: [] });
    expect(facts.workers.map(({ name, pool, node }) => [name, pool, node?.ready])).toEqual([
      ["c-worker-1", "c-worker", "True"],
      ["c-worker-2", "c-worker", "True"],
    ]);
  });

  it("knows nothing while the API server can't be reached, and says why", async () => {
    const kubeconfig = (reachable.kubeconfig ?? "").replace(
      /server: .*/,
      "server: https://127.0.0.9:1",
    );
    const [first, ...others] = reachable.machines;
    const machines =
      first === undefined ? [] : [{ ...first, publicAddress: "127.0.0.9" }, ...others];
    const facts = await factsOf({ ...reachable, machines, kubeconfig });
    expect(facts.isKnown).toBe(false);
    expect(facts.obstacles[0]).toContain("the Kubernetes API doesn't answer at 127.0.0.9");
    const { machines: planned } = planMachineRepair(facts, DEFAULT_BUDGET, new Date());
    expect(planned.map(({ verdict }) => verdict.kind)).toEqual(["held", "held"]);
  });

  it("reads the mark by which a person keeps a machine", async () => {
    await annotateNode(api, await nodeOf(target()), { [KEEP_MARK]: "investigating" }, signal);
    const facts = await factsOf(reachable);
    expect(facts.workers.map(({ node }) => node?.isKept)).toEqual([true, false]);
  });

  it("ends nothing while a budget blocks the drain, and lets pods in again", async () => {
    await expect(repair(1)).rejects.toThrow(/was not drained within 1 s.*web/s);
    expect(calls).toEqual([]);
    expect((await nodeOf(target())).isCordoned).toBe(false);
  });

  it("sees that a budget would block the drain of a fixed machine, and leaves all as it is", async () => {
    const blocked = (whenBlocked?: string) => {
      const inputs = { drain: { ...(whenBlocked !== undefined && { whenBlocked }) } };
      const type = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
      const apply = { urn: `urn:pulumi:a::b::${type}::${target().name}`, type, inputs };
      const reach = { access: reachable, aws, progress: recordedProgress() };
      return blockedDrain(target(), reach, [apply], signal);
    };
    expect(await blocked()).toMatch(
      /^default\/web-\S+ \(The disruption budget web needs 2 healthy/,
    );
    expect((await nodeOf(target())).isCordoned).toBe(false);
    // Such a pool goes on at the time limit.
    expect(await blocked("proceed")).toBeUndefined();
    await resizeBudget(api, 1);
    expect(await blocked()).toBeUndefined();
    await resizeBudget(api, 2);
  });

  it("goes on after a run that ended when the node was drained", async () => {
    await resizeBudget(api, 0);
    isAwsSilent = true;
    await expect(repair()).rejects.toThrow("AWS doesn't answer");
    const { isCordoned, annotations } = await nodeOf(target());
    expect([isCordoned, annotations[CORDONED_ANNOTATION]]).toEqual([true, "repair"]);
    isAwsSilent = false;
    await repair();
    expect(calls).toEqual([target().instanceId]);
  });

  it("lets pods onto a machine again that came back on its own", async () => {
    const before = await factsOf(reachable);
    const { machines } = planMachineRepair(before, DEFAULT_BUDGET, new Date());
    expect(machines[0]?.verdict.kind).toBe("release");
    await release(target(), { access: reachable, aws, progress: recordedProgress() });
    const { isCordoned, annotations } = await nodeOf(target());
    expect(isCordoned).toBe(false);
    expect(annotations).not.toHaveProperty(CORDONED_ANNOTATION);
  });
});
