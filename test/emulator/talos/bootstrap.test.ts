import { protocol } from "../../../provider/api/protocol";
import { failureOf, type RpcClient } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;

describe("etcd", () => {
  let cluster: SimulatedCluster;
  afterEach(() => cluster.stop());

  type Three<T> = readonly [T, T, T];
  /** Nodes with their clients; beyond `count` the first one again. */
  const controlPlanes = async (
    count: 1 | 3,
    joinMs = 0,
  ): Promise<Three<readonly [SimulatedNode, RpcClient]>> => {
    cluster = await SimulatedCluster.create({ joinMs });
    const nodes = await cluster.addConfigured(count);
    const withClient = async (index: number) => {
      const node = nodes[index] ?? nodes[0];
      if (!node) {
        throw new Error("no node was started");
      }
      return [node, await cluster.client(node)] as const;
    };
    return [await withClient(0), await withClient(1), await withClient(2)];
  };
  const serviceOf = async (client: RpcClient, id: string) => {
    const { messages } = await client.unary(machine.ServiceList, {});
    return messages[0]?.services.find((service) => service.id === id);
  };
  const membersOf = async (client: RpcClient, timeoutMs = 500) => {
    const { messages } = await client.unary(machine.EtcdMemberList, {}, { timeoutMs });
    return messages[0]?.members ?? [];
  };

  test("waits and returns no members until it is bootstrapped", async () => {
    const [[, client]] = await controlPlanes(1);
    const service = await serviceOf(client, "etcd");
    expect(service?.state).toBe("Preparing");
    expect(service?.events?.events.at(-1)?.msg).toBe("Running pre state");
    expect(service?.health).toMatchObject({ unknown: true, healthy: false });
    expect(await failureOf(membersOf(client))).toMatch(/^DEADLINE_EXCEEDED: /);
  });

  test("starts on one node; the others join as learners one by one and become voters", async () => {
    const nodes = await controlPlanes(3, 1_000);
    const [{ node }, client] = nodes[0];
    await client.unary(machine.Bootstrap, {});
    const seen = new Set<string>();
    await eventually(async () => {
      const members = await membersOf(client, 5_000);
      seen.add(
        `${members.filter(({ isLearner }) => !isLearner).length} vote, ${members.filter(({ isLearner }) => isLearner).length} learn`,
      );
      return members.length === 3 && members.every(({ isLearner }) => !isLearner);
    });
    // Between the vote of one and the arrival of the next nobody learns, which is seen or missed.
    const between = ["1 vote, 0 learn", "2 vote, 0 learn"];
    const steps = [...seen].filter((step) => !between.includes(step));
    expect(steps).toEqual(["1 vote, 1 learn", "2 vote, 1 learn", "3 vote, 0 learn"]);
    for (const [, each] of nodes) {
      await eventually(async () => (await serviceOf(each, "etcd"))?.health?.healthy === true);
      expect(await serviceOf(each, "etcd")).toMatchObject({ state: "Running" });
      expect(await membersOf(each)).toEqual(await membersOf(client));
    }
    const { messages } = await client.unary(machine.EtcdStatus, {});
    expect(messages[0]?.memberStatus?.leader).toBe(messages[0]?.memberStatus?.memberId);
    expect(node.bootstrapCalls).toBe(1);
  });

  test("is not bootstrapped twice", async () => {
    const [[{ node }, client]] = await controlPlanes(1);
    await client.unary(machine.Bootstrap, {});
    await eventually(async () => (await membersOf(client)).length === 1);
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toBe(
      "ALREADY_EXISTS: etcd data directory is not empty",
    );
    expect(await serviceOf(client, "etcd")).toMatchObject({ state: "Running" });
    expect(node.bootstrapCalls).toBe(2);
  });

  test("is destroyed by a second call while it starts, until the node reboots", async () => {
    const [[, client]] = await controlPlanes(1, 300);
    await client.unary(machine.Bootstrap, {});
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toBe(
      "UNKNOWN: etcd data directory is not empty",
    );
    expect(await serviceOf(client, "etcd")).toMatchObject({ state: "Finished" });
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toBe(
      "ALREADY_EXISTS: etcd data directory is not empty",
    );
    await client.unary(machine.Reboot, {});
    await eventually(async () => (await membersOf(client)).length === 1);
    expect(await serviceOf(client, "etcd")).toMatchObject({ state: "Running" });
  });

  test("becomes a second cluster on a node that left the first one and is bootstrapped", async () => {
    const [[bootstrapped, client], [, leaving]] = await controlPlanes(3);
    await cluster.bootstrap(bootstrapped, 3);
    await leaving.unary(machine.EtcdLeaveCluster, {});
    await eventually(async () => (await membersOf(client)).length === 2);
    expect(await serviceOf(leaving, "etcd")).toMatchObject({ state: "Finished" });
    await leaving.unary(machine.Bootstrap, {});
    await eventually(async () => (await membersOf(leaving)).length === 1);
    expect(await membersOf(client)).toHaveLength(2);
  });

  test.each([
    [
      "v1.12.1",
      "FAILED_PRECONDITION: bootstrap can only be performed on a control plane node",
      "FAILED_PRECONDITION: client configuration (talosconfig) can't be generated on worker nodes",
    ],
    [
      "v1.14.1",
      "UNIMPLEMENTED: bootstrap is only available on control plane nodes",
      "UNIMPLEMENTED: generate client configuration is only available on control plane nodes",
    ],
  ])("does not run on workers of Talos %s", async (talosVersion, refusal, noConfiguration) => {
    cluster = await SimulatedCluster.create();
    cluster.talosVersion = talosVersion;
    await cluster.addConfigured(1);
    const worker = await cluster.add(cluster.config("worker"));
    const client = await cluster.client(worker);
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toBe(refusal);
    const generated = client.unary(machine.GenerateClientConfiguration, { roles: ["os:reader"] });
    expect(await failureOf(generated)).toBe(noConfiguration);
    expect(await failureOf(membersOf(client))).toBe(
      "UNIMPLEMENTED: member list is only available on control plane nodes",
    );
    expect(worker.node.bootstrapCalls).toBe(1);
  });

  test("loses its majority with its members and regains it", async () => {
    const [[bootstrapped, client], [second], [third]] = await controlPlanes(3);
    await cluster.bootstrap(bootstrapped, 3);
    await second.node.stop();
    expect(await membersOf(client)).toHaveLength(3);
    const removed = (await membersOf(client)).find(({ hostname }) => hostname === "ip-10-0-1-2");
    await client.unary(machine.EtcdRemoveMemberByID, { memberId: removed?.id ?? "" });
    expect(await membersOf(client)).toHaveLength(2);
    expect(await failureOf(client.unary(machine.EtcdRemoveMemberByID, { memberId: "123" }))).toBe(
      "NOT_FOUND: failed to remove member 123: etcdserver: member not found",
    );
    await third.node.stop();
    expect(await failureOf(membersOf(client))).toMatch(/^DEADLINE_EXCEEDED: /);
    const replacement = await cluster.add(cluster.config("controlplane"));
    const replaced = await cluster.client(replacement);
    expect(await serviceOf(replaced, "etcd")).toMatchObject({ state: "Preparing" });
  });
});
