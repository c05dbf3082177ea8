import type { ClusterAccess, KnownMachine } from "../../../cli/status/clusterAccess";
import { judgeStatus } from "../../../cli/status/clusterStatus";
import { readStatus } from "../../../cli/status/readStatus";
import { TalosClient } from "../../../provider/api/talosClient";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import type { Machine } from "../../../provider/lifecycle/machine";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import {
  eventually,
  SimulatedCluster,
  type SimulatedNode,
} from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../../provider/lifecycle/deliveries";

const ZONE = "us-east-1a";

// One cluster's life: each test goes on where the one before it ended.
describe("readStatus", () => {
  let cluster: SimulatedCluster;
  let controlPlanes: SimulatedNode[];
  let workers: SimulatedNode[];
  let first: Machine;
  let credentials: ClientCredentials;
  let kubeconfig: string;
  const signal = () => AbortSignal.timeout(60_000);

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    const nodes = await cluster.addConfigured(3, 3);
    [controlPlanes, workers] = [nodes.slice(0, 3), nodes.slice(3)];
    await cluster.bootstrap(at(controlPlanes, 0), 3);
    first = await machineAt(cluster, at(controlPlanes, 0).address);
    ({ credentials } = first);
    const client = TalosClient.connect(first);
    kubeconfig = await client.kubeconfig();
    client.close();
    await eventually(async () => (await nodeNames()).length === 6);
  });
  afterAll(() => cluster.stop());

  function at(nodes: readonly SimulatedNode[], index: number): SimulatedNode {
    const node = nodes[index];
    if (node === undefined) {
      throw new Error(`there is no machine ${index}`);
    }
    return node;
  }

  const known = (role: KnownMachine["role"]) => (node: SimulatedNode, index: number) => ({
    name: `${role}-${index + 1}`,
    role,
    zone: ZONE,
    instanceId: node.instanceId,
    publicAddress: node.address,
    privateAddress: node.privateAddress,
  });

  /** The stack has all machines but the last ones. */
  const access = (
    stack: { readonly controlPlanes: number; readonly workers: number },
    more: Partial<ClusterAccess> = {},
  ): ClusterAccess => ({
    machines: [
      ...controlPlanes.slice(0, stack.controlPlanes).map(known("controlplane")),
      ...workers.slice(0, stack.workers).map(known("worker")),
    ],
    endpoints: controlPlanes.slice(0, stack.controlPlanes).map(({ address }) => address),
    unlisted: "none",
    credentials,
    kubeconfig,
    ...more,
  });

  const look = async (...args: Parameters<typeof access>) => {
    const status = await readStatus("c", access(...args));
    return {
      verdict: judgeStatus(status),
      others: status.machines
        .slice(args[0].controlPlanes + args[0].workers)
        .map(({ name, role, problems }) => ({ name, role, problems: problems.join("; ") })),
      notes: status.notes.join("; "),
    };
  };

  const kubernetes = () => KubernetesAccess.open([first], signal());

  async function nodeNames(): Promise<readonly string[]> {
    const { items } = await (
      await kubernetes()
    ).read<{ items: { metadata: { name: string } }[] }>("/api/v1/nodes", signal());
    return items.map(({ metadata }) => metadata.name);
  }

  async function deleteNode({ privateAddress }: SimulatedNode): Promise<void> {
    const path = `/api/v1/nodes/${nodeOf(privateAddress)}`;
    await (await kubernetes()).send({ method: "DELETE", path }, signal());
  }

  const nodeOf = (address: string) => `ip-${address.replaceAll(".", "-")}`;
  const nameOf = ({ privateAddress }: SimulatedNode) => `${nodeOf(privateAddress)}.ec2.internal`;

  it("has nothing to tell of a cluster with the stack's machines only", async () => {
    expect(await look({ controlPlanes: 3, workers: 3 })).toEqual({
      verdict: "healthy",
      others: [],
      notes: "",
    });
  });

  it("names lists of objects that a run has left half applied, and what then happens", async () => {
    const path = "/api/v1/namespaces/kube-system/configmaps";
    const lists = ["cluster", "shop", "whole"].map((list) => `pulumi-talos-aws-objects-${list}`);
    for (const name of lists) {
      const annotations = name.endsWith("whole") ? {} : { "pulumi-talos-aws/unfinished": "true" };
      const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name, annotations } };
      await (await kubernetes()).send({ method: "POST", path, body }, signal());
    }
    const { verdict, notes } = await look({ controlPlanes: 3, workers: 3 });
    expect(verdict).toBe("healthy");
    expect(notes).toMatch(/the list "cluster" may .* or deletes them if the program no longer/);
    expect(notes).toMatch(/the list "shop" may .* declare a KubernetesObjects with this inventory/);
    expect(notes).not.toMatch(/whole/);
    for (const name of lists) {
      await (await kubernetes()).send({ method: "DELETE", path: `${path}/${name}` }, signal());
    }
  });

  it("shows machines of groups, which no stack lists", async () => {
    const { verdict, others } = await look(
      { controlPlanes: 3, workers: 2 },
      { unlisted: "workers" },
    );
    expect(verdict).toBe("healthy");
    expect(others).toEqual([{ name: nameOf(at(workers, 2)), role: "worker", problems: "" }]);
  });

  it("tells of a machine that runs without being in the stack", async () => {
    const worker = await look({ controlPlanes: 3, workers: 2 });
    expect(worker.verdict).toBe("unhealthy");
    expect(worker.others).toEqual([
      {
        name: nameOf(at(workers, 2)),
        role: "worker",
        problems: expect.stringContaining("isn't one of the stack's machines") as unknown,
      },
    ]);
    const controlPlane = await look({ controlPlanes: 2, workers: 3 }, { unlisted: "workers" });
    expect(controlPlane.verdict).toBe("unhealthy");
    expect(controlPlane.others).toEqual([
      {
        name: nameOf(at(controlPlanes, 2)),
        role: "controlplane",
        problems: expect.stringContaining(
          `"talosctl -n ${at(controlPlanes, 2).privateAddress} reset"`,
        ) as unknown,
      },
    ]);
  });

  it("doesn't count who isn't in the stack where the stack lists no machine", async () => {
    const { verdict, others } = await look(
      { controlPlanes: 1, workers: 0 },
      { unlisted: "any", kubeconfig: undefined },
    );
    expect(others).toHaveLength(5);
    expect(verdict).toBe("healthy");
  });

  it("shows a machine that only Kubernetes has, and tells when it is silent", async () => {
    const undiscovered = { cluster: { discovery: { enabled: false } } };
    const worker = await cluster.add(cluster.config("worker", [undiscovered]));
    const name = nodeOf(worker.privateAddress);
    await eventually(async () => (await nodeNames()).includes(name));
    const stack = [{ controlPlanes: 3, workers: 3 }, { unlisted: "workers" }] as const;
    await eventually(async () => (await look(...stack)).verdict === "healthy");
    const { others } = await look(...stack);
    expect(others).toEqual([{ name, role: "worker", problems: "" }]);
    await worker.node.stop();
    const silent = await look(...stack);
    expect(silent.verdict).toBe("unhealthy");
    expect(silent.others[0]?.problems).toContain(`Kubernetes still has its node ${name}`);
    await deleteNode(worker);
    expect(await look(...stack)).toMatchObject({ verdict: "healthy", others: [], notes: "" });
  });

  it("tells of a silent machine that Kubernetes has", async () => {
    await at(workers, 2).node.stop();
    const { verdict, others, notes } = await look(
      { controlPlanes: 3, workers: 2 },
      { unlisted: "workers" },
    );
    expect(verdict).toBe("unhealthy");
    expect(others).toMatchObject([{ name: nameOf(at(workers, 2)) }]);
    expect(others[0]?.problems).toMatch(/doesn't answer.*Kubernetes still has its node/);
    expect(notes).toBe("");
  });

  it("only notes a removed machine that discovery remembers, if all could be asked", async () => {
    await deleteNode(at(workers, 2));
    const stack = { controlPlanes: 3, workers: 2 };
    const [{ machines, notes, ...status }, unsure] = await Promise.all([
      readStatus("c", access(stack)),
      look(stack, { unlisted: "workers", kubeconfig: undefined }),
    ]);
    expect(judgeStatus({ ...status, machines, notes })).toBe("healthy");
    expect(machines).toHaveLength(5);
    expect(notes).toEqual([
      `discovery still remembers ${nameOf(at(workers, 2))} (${at(workers, 2).privateAddress}), for half an hour after it was removed: it doesn't answer, and neither etcd nor Kubernetes has it`,
    ]);
    expect(unsure.verdict).toBe("unhealthy");
    expect(unsure.others).toMatchObject([{ name: nameOf(at(workers, 2)) }]);
  });

  it("tells of a silent control plane machine that etcd has", async () => {
    await at(controlPlanes, 2).node.stop();
    await deleteNode(at(controlPlanes, 2));
    const { verdict, others } = await look({ controlPlanes: 2, workers: 2 });
    expect(verdict).toBe("unhealthy");
    expect(others).toMatchObject([{ name: nameOf(at(controlPlanes, 2)), role: "controlplane" }]);
    expect(others[0]?.problems).toMatch(
      /doesn't answer.*etcd counts it for its majority.*"talosctl -n \S+ etcd remove-member [0-9a-f]+"/,
    );
  });

  it("only notes it once etcd has it no more", async () => {
    const client = TalosClient.connect(first);
    const member = (await client.etcdMembers()).find(({ peerUrls }) =>
      peerUrls.some((url) => url.includes(`//${at(controlPlanes, 2).privateAddress}:`)),
    );
    await client.etcdRemoveMember(member?.id ?? "");
    client.close();
    const { verdict, others, notes } = await look({ controlPlanes: 2, workers: 2 });
    expect({ verdict, others }).toEqual({ verdict: "healthy", others: [] });
    expect(notes).toContain(nameOf(at(controlPlanes, 2)));
  });
});
