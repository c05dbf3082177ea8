import { protocol } from "../../../provider/api/protocol";
import { failureOf, type RpcClient } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const state = protocol.cosi.resource.State.service;

describe("the resources of a node", () => {
  let cluster: SimulatedCluster;
  let node: SimulatedNode;
  let client: RpcClient;
  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    [node] = (await cluster.addConfigured(1, 1)) as [SimulatedNode];
    client = await cluster.client(node);
  });
  afterAll(() => cluster.stop());

  const specOf = async (namespace: string, type: string, id: string) => {
    const { resource } = await client.unary(state.Get, { namespace, type, id });
    return resource?.spec?.yamlSpec;
  };
  const idsOf = async (namespace: string, type: string) => {
    const list = await client.stream(state.List, { namespace, type, options: {} });
    return list.map(({ resource }) => resource?.metadata?.id);
  };

  test("list the cluster's members", async () => {
    expect(await idsOf("cluster", "Members.cluster.talos.dev")).toEqual([
      "ip-10-0-1-1",
      "ip-10-0-1-2",
    ]);
    expect(await specOf("cluster", "Members.cluster.talos.dev", "ip-10-0-1-2")).toMatch(
      /^nodeId: \w{42,44}\naddresses:\n {4}- 10\.0\.1\.2\nhostname: ip-10-0-1-2\.ec2\.internal\nmachineType: worker\noperatingSystem: Talos \(v1\.12\.1\)\n$/,
    );
    expect(await specOf("cluster", "Members.cluster.talos.dev", "ip-10-0-1-1")).toMatch(
      /machineType: controlplane\n.*\ncontrolPlane:\n {4}port: 6443\n$/s,
    );
    const identity = await specOf("cluster", "Identities.cluster.talos.dev", "local");
    expect(await idsOf("cluster", "Affiliates.cluster.talos.dev")).toContain(
      identity?.replace("nodeId: ", "").trim(),
    );
  });

  test("have the node's name and addresses", async () => {
    expect(await specOf("network", "HostnameStatuses.net.talos.dev", "hostname")).toBe(
      "hostname: ip-10-0-1-1\ndomainname: ec2.internal\n",
    );
    expect(await specOf("k8s", "Nodenames.kubernetes.talos.dev", "nodename")).toBe(
      'nodename: ip-10-0-1-1\nhostnameVersion: "1"\nskipNodeRegistration: false\n',
    );
    expect(await specOf("network", "NodeAddresses.net.talos.dev", "default")).toBe(
      "addresses:\n    - 10.0.1.1/24\nsortAlgorithm: v1\n",
    );
    expect(await specOf("network", "NodeAddresses.net.talos.dev", "current")).toBe(
      `addresses:\n    - 10.0.1.1/24\n    - ${node.address}/32\nsortAlgorithm: v1\n`,
    );
  });

  test("have the configuration, for administrators", async () => {
    const expected = `|\n${cluster.config("controlplane").replace(/^(?=.)/gm, "    ")}`;
    expect(await specOf("config", "MachineConfigs.config.talos.dev", "v1alpha1")).toBe(expected);
    expect(await specOf("config", "MachineConfigs.config.talos.dev", "persistent")).toBe(expected);
    const request = {
      namespace: "config",
      type: "MachineConfigs.config.talos.dev",
      id: "v1alpha1",
    };
    const reader = await cluster.client(node, ["os:reader"]);
    expect(await failureOf(reader.unary(state.Get, request))).toBe(
      "PERMISSION_DENIED: not authorized",
    );
    expect(await failureOf(reader.stream(state.List, request))).toBe(
      "PERMISSION_DENIED: not authorized",
    );
    const { resource } = await client.unary(state.Get, request);
    const spec = resource?.spec?.protoSpec ?? Buffer.alloc(0);
    expect(spec.subarray(-20).toString()).toBe(cluster.config("controlplane").slice(-20));
  });

  test("are addressed by type and namespace", async () => {
    expect(await idsOf("meta", "ResourceDefinitions.meta.cosi.dev")).toHaveLength(160);
    expect(await idsOf("meta", "Namespaces.meta.cosi.dev")).toContain("cluster");
    const { resource } = await client.unary(state.Get, {
      namespace: "meta",
      type: "ResourceDefinitions.meta.cosi.dev",
      id: "members.cluster.talos.dev",
    });
    expect(resource?.spec?.yamlSpec).toContain(
      "allAliases:\n    - members\n    - members.cluster\n    - members.cluster.talos\n    - member\n",
    );
  });

  test("can be selected by an expression", async () => {
    const list = await client.stream(state.List, {
      namespace: "cluster",
      type: "Members.cluster.talos.dev",
      options: { idQuery: { regexp: "-2$" } },
    });
    expect(list.map(({ resource }) => resource?.metadata?.id)).toEqual(["ip-10-0-1-2"]);
  });

  test("cannot be written", async () => {
    const refused = "PERMISSION_DENIED: write access is not allowed";
    const request = { namespace: "cluster", type: "Members.cluster.talos.dev", id: "x" };
    expect(await failureOf(client.unary(state.Destroy, request))).toBe(refused);
    expect(await failureOf(client.unary(state.Create, {}))).toBe(refused);
    expect(await failureOf(client.unary(state.Update, {}))).toBe(refused);
  });

  test("can be watched by kind: existing ones, then changes", async () => {
    const seen: string[] = [];
    const watching = client.stream(
      state.Watch,
      {
        namespace: "cluster",
        type: "Members.cluster.talos.dev",
        options: { bootstrapContents: true },
        apiVersion: 1,
      },
      {
        enough: (messages) => {
          seen.splice(0, seen.length, ...messages.map(({ event }) => describeEvents(event)));
          return seen.length >= 6;
        },
      },
    );
    await eventually(() => seen.length === 4);
    const added = await cluster.add(cluster.config("worker"));
    await eventually(() => seen.length === 5);
    // The discovery service keeps a machine that is only gone.
    const own = await cluster.client(added);
    await own.unary(machine.Reset, { systemPartitionsToWipe: [{ label: "STATE", wipe: true }] });
    await watching;
    expect(seen).toEqual([
      "",
      "CREATED ip-10-0-1-1",
      "CREATED ip-10-0-1-2",
      "BOOTSTRAPPED",
      "CREATED ip-10-0-1-3",
      "DESTROYED ip-10-0-1-3",
    ]);
  });

  test("can be watched one by one", async () => {
    const request = {
      namespace: "etcd",
      type: "EtcdMembers.etcd.talos.dev",
      id: "local",
      options: {},
      apiVersion: 1,
    };
    const watching = client.stream(state.Watch, request, { enough: ({ length }) => length === 3 });
    await client.unary(machine.Bootstrap, {});
    const messages = await watching;
    expect(messages.map(({ event }) => describeEvents(event))).toEqual([
      "",
      "DESTROYED local",
      "CREATED local",
    ]);
    const { messages: lists } = await client.unary(machine.EtcdMemberList, {});
    const id = BigInt(lists[0]?.members[0]?.id ?? 0)
      .toString(16)
      .padStart(16, "0");
    expect(messages[2]?.event[0]?.resource?.spec?.yamlSpec).toContain(id);
  });

  test("have versions that count changes", async () => {
    const { resource } = await client.unary(state.Get, {
      namespace: "runtime",
      type: "MachineStatuses.runtime.talos.dev",
      id: "machine",
    });
    expect(Number(resource?.metadata?.version)).toBeGreaterThanOrEqual(1);
    await eventually(
      async () =>
        (await specOf("runtime", "MachineStatuses.runtime.talos.dev", "machine")) ===
        "stage: running\nstatus:\n    ready: true\n    unmetConditions: []\n",
    );
  });

  test.each([
    [
      "without options",
      {},
      "INTERNAL: runtime error: invalid memory address or nil pointer dereference",
    ],
    [
      "one with its contents",
      { id: "x", options: { bootstrapContents: true } },
      "UNIMPLEMENTED: bootstrap contents is not implemented for resource watch",
    ],
  ])("cannot be watched %s", async (_, request, expected) => {
    const kind = { namespace: "cluster", type: "Members.cluster.talos.dev" };
    expect(await failureOf(client.stream(state.Watch, { ...kind, ...request }))).toBe(expected);
  });

  test("have one member for two machines of one node name, the later in the order of their ids", async () => {
    const hostname = { apiVersion: "v1alpha1", kind: "HostnameConfig", auto: "off" };
    const named = cluster.config("worker", [{ ...hostname, hostname: "twin" }]);
    await cluster.add(named);
    await cluster.add(named);
    const specs = async (type: string) => {
      const list = await client.stream(state.List, { namespace: "cluster", type, options: {} });
      const texts = list.map(({ resource }) => resource?.spec?.yamlSpec ?? "");
      return texts.filter((text) => text.includes("hostname: twin"));
    };
    const idOf = (text: string) => /nodeId: (\w+)/.exec(text)?.[1];
    await eventually(async () => (await specs("Affiliates.cluster.talos.dev")).length === 2);
    const ids = (await specs("Affiliates.cluster.talos.dev")).map(idOf);
    const members = await specs("Members.cluster.talos.dev");
    expect(members.map(idOf)).toEqual([ids[1]]);
  });
});

function describeEvents(
  events: readonly {
    readonly eventType: string;
    readonly resource: { readonly metadata: { readonly id: string } | null } | null;
  }[],
): string {
  return events
    .map(({ eventType, resource }) => `${eventType} ${resource?.metadata?.id ?? ""}`.trim())
    .join(", ");
}
