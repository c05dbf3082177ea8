import { protocol } from "../../../provider/api/protocol";
import { failureOf, type RpcClient } from "./rpcClient";
import { SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const state = protocol.cosi.resource.State.service;

describe("a call through a node", () => {
  let cluster: SimulatedCluster;
  let controlPlane: SimulatedNode;
  let second: SimulatedNode;
  let worker: SimulatedNode;
  let client: RpcClient;
  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    controlPlane = await cluster.add(cluster.config("controlplane"));
    second = await cluster.add(cluster.config("controlplane"));
    worker = await cluster.add(cluster.config("worker"));
    client = await cluster.client(controlPlane);
  });
  afterAll(() => cluster.stop());

  const hostnames = async (metadata: Record<string, string | string[]>) => {
    const { messages } = await client.unary(machine.Hostname, {}, { metadata });
    return messages.map((message) => [message.metadata?.hostname ?? null, message.hostname]);
  };

  test("is answered by the node itself without metadata", async () => {
    expect(await hostnames({})).toEqual([[null, "ip-10-0-1-1"]]);
  });

  test("goes to one node, whose reply is unchanged", async () => {
    for (const node of [
      second.address,
      second.privateAddress,
      "ip-10-0-1-2",
      "ip-10-0-1-2.ec2.internal",
    ]) {
      expect(await hostnames({ node })).toEqual([[null, "ip-10-0-1-2"]]);
    }
  });

  test("goes to several nodes, and each reply has the node's name", async () => {
    const nodes = [second.privateAddress, worker.address, controlPlane.address];
    const replies = await hostnames({ nodes });
    expect(replies).toHaveLength(3);
    expect(new Map(replies.map(([node, hostname]) => [node, hostname]))).toEqual(
      new Map([
        [second.privateAddress, "ip-10-0-1-2"],
        [worker.address, "ip-10-0-1-3"],
        [controlPlane.address, "ip-10-0-1-1"],
      ]),
    );
    expect(await hostnames({ nodes: [second.address] })).toEqual([[second.address, "ip-10-0-1-2"]]);
  });

  test("reports an error of a node in that node's message", async () => {
    const nodes = [controlPlane.address, worker.address];
    const { messages } = await client.unary(
      machine.Bootstrap,
      {},
      { metadata: { nodes: [worker.address] } },
    );
    expect(messages).toHaveLength(1);
    expect(messages[0]?.metadata).toMatchObject({
      hostname: worker.address,
      error:
        "rpc error: code = FailedPrecondition desc = bootstrap can only be performed on a control plane node",
      status: { code: 9, message: "bootstrap can only be performed on a control plane node" },
    });
    const streamed = await client.stream(machine.Kubeconfig, {}, { metadata: { nodes } });
    const failed = streamed.filter(({ metadata }) => metadata?.error !== "");
    expect(streamed).toHaveLength(2);
    expect(failed.map(({ metadata }) => [metadata?.hostname, metadata?.status?.code])).toEqual([
      [worker.address, 12],
    ]);
  });

  test("fails with the node's own error if it goes to one node", async () => {
    const metadata = { node: worker.address };
    expect(await failureOf(client.stream(machine.Kubeconfig, {}, { metadata }))).toBe(
      "UNIMPLEMENTED: kubeconfig is only available on control plane nodes",
    );
  });

  test.each([
    [
      "nobody's name",
      { node: "nobody" },
      /^UNAVAILABLE: dns: A record lookup error: lookup nobody /,
    ],
    [
      "two values of node",
      { node: ["a", "b"] },
      /^INVALID_ARGUMENT: node metadata must be single-valued$/,
    ],
    ["a port", { node: "10.0.1.2:50000" }, /^INTERNAL: invalid target "10\.0\.1\.2:50000"$/],
    ["nothing", { nodes: [""] }, /^INTERNAL: invalid target ""$/],
  ])("cannot go to %s", async (_, metadata, expected) => {
    expect(await failureOf(client.unary(machine.Version, {}, { metadata }))).toMatch(expected);
  });

  test("hangs with an address at which no machine is, and takes all replies with it", async () => {
    const timeoutMs = 300;
    for (const metadata of [{ node: "10.9.9.9" }, { nodes: [second.address, "10.9.9.9"] }]) {
      const call = client.unary(machine.Version, {}, { metadata, timeoutMs });
      expect(await failureOf(call)).toMatch(/^DEADLINE_EXCEEDED: /);
    }
  });

  test("treats a list in one value as one name", async () => {
    const nodes = `${controlPlane.address},${second.address}`;
    const replies = await client.unary(machine.Version, {}, { metadata: { nodes } });
    expect(replies.messages.map(({ metadata }) => metadata?.hostname)).toEqual([nodes]);
    expect(replies.messages[0]?.metadata?.error).toContain("no such host");
  });

  test("does not reach a node in maintenance mode, which has another CA", async () => {
    const stranger = await cluster.add();
    const metadata = { node: stranger.address };
    expect(await failureOf(client.unary(machine.Version, {}, { metadata }))).toMatch(
      /^UNAVAILABLE: .*certificate signed by unknown authority/,
    );
  });

  test("cannot read resources of several nodes at once", async () => {
    const request = {
      namespace: "runtime",
      type: "MachineStatuses.runtime.talos.dev",
      id: "machine",
    };
    const metadata = { nodes: [second.address] };
    expect(await failureOf(client.unary(state.Get, request, { metadata }))).toBe(
      "INVALID_ARGUMENT: one-2-many proxying is not supported for COSI methods",
    );
    await expect(
      client.unary(state.Get, request, { metadata: { node: second.address } }),
    ).resolves.toBeDefined();
  });

  test("has the caller's roles on every node", async () => {
    const reader = await cluster.client(controlPlane, ["os:reader"]);
    expect(
      await failureOf(reader.unary(machine.Reboot, {}, { metadata: { node: second.address } })),
    ).toBe("PERMISSION_DENIED: not authorized");
  });

  test("is not forwarded by a worker", async () => {
    const direct = await cluster.client(worker);
    for (const own of [worker.address, worker.privateAddress, "ip-10-0-1-3"]) {
      const { messages } = await direct.unary(machine.Hostname, {}, { metadata: { nodes: [own] } });
      expect(messages).toEqual([{ metadata: null, hostname: "ip-10-0-1-3" }]);
    }
    for (const metadata of [{ node: second.address }, { nodes: [second.address] }]) {
      expect(await failureOf(direct.unary(machine.Hostname, {}, { metadata }))).toBe(
        "PERMISSION_DENIED: no request forwarding",
      );
    }
  });
});

test("a call through a node reaches a node of another network only by its public address", async () => {
  const cluster = await SimulatedCluster.create();
  try {
    const here = await cluster.add(cluster.config("controlplane"));
    const there = await cluster.add(
      cluster.config("controlplane"),
      ...([undefined, "us-east-1a", "vpc-2"] as const),
    );
    const client = await cluster.client(here);
    const to = (node: string, timeoutMs = 10_000) =>
      client.unary(machine.Hostname, {}, { metadata: { node }, timeoutMs });
    expect((await to(there.address)).messages[0]?.hostname).toBe("ip-10-0-1-2");
    expect(await failureOf(to(there.privateAddress, 300))).toMatch(/^DEADLINE_EXCEEDED: /);
    expect(await failureOf(to("ip-10-0-1-2"))).toContain("no such host");
  } finally {
    await cluster.stop();
  }
});
