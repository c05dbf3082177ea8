import { protocol } from "../../../provider/api/protocol";
import { failureOf, type RpcClient } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const health = protocol.cluster.ClusterService.service;

describe("looking at a simulated node", () => {
  let cluster: SimulatedCluster;
  let controlPlane: SimulatedNode;
  let worker: SimulatedNode;
  let client: RpcClient;

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    const [first, second] = await cluster.addConfigured(1, 1);
    if (!first || !second) {
      throw new Error("no nodes");
    }
    [controlPlane, worker] = [first, second];
    client = await cluster.client(controlPlane);
    await cluster.bootstrap(controlPlane, 1);
  });
  afterAll(() => cluster.stop());

  const listed = async (root: string, options: object = {}) => {
    const files = await client.stream(machine.List, { root, ...options });
    return files.map(({ relativeName }) => relativeName);
  };
  const check = (seconds: number) =>
    client.stream(health.HealthCheck, { waitTimeout: { seconds, nanos: 0 } });

  test("lists files to the requested depth, of the requested kinds", async () => {
    const top = await listed("/");
    expect(top).toEqual(expect.arrayContaining([".", "etc", "proc", "var"]));
    expect(top.some((name) => name.includes("/"))).toBe(false);
    const all = await listed("/etc", { recurse: true, types: ["REGULAR"] });
    expect(all).toEqual(["hosts", "os-release", "resolv.conf"]);
    expect(await listed("/etc/hosts")).toEqual(["hosts"]);
    expect(await failureOf(listed("/nope"))).toBe(
      "UNKNOWN: lstat /nope: no such file or directory",
    );
  });

  test("sums a directory with its content", async () => {
    const usage = await client.stream(machine.DiskUsage, {
      paths: ["/var"],
      recursionDepth: 2,
      all: false,
    });
    const sizeOf = (name: string) =>
      Number(usage.find(({ relativeName }) => relativeName === name)?.size ?? NaN);
    expect(sizeOf(".")).toBeGreaterThan(sizeOf("lib"));
    expect(sizeOf(".")).toBe(sizeOf("lib") + sizeOf("log") + 4096);
  });

  test("reads files with content, and reports those without", async () => {
    const [hosts] = await client.stream(machine.Read, { path: "/etc/hosts" });
    expect(hosts?.bytes.toString()).toContain(`
${controlPlane.privateAddress}  ip-10-0-1-1.`);
    expect(await failureOf(client.stream(machine.Read, { path: "/etc" }))).toBe(
      "UNKNOWN: path must be a regular file",
    );
    expect(
      await failureOf(client.stream(machine.Read, { path: "/var/lib/etcd/member/snap/db" })),
    ).toBe("UNIMPLEMENTED: the content of /var/lib/etcd/member/snap/db is not simulated");
  });

  test("uses less memory with fewer services", async () => {
    const { messages } = await client.unary(
      machine.Memory,
      {},
      {
        metadata: { nodes: [controlPlane.privateAddress, worker.privateAddress] },
      },
    );
    const free = new Map(
      messages.map(({ metadata, meminfo }) => [metadata?.hostname, Number(meminfo?.memfree)]),
    );
    expect(free.get(worker.privateAddress)).toBeGreaterThan(
      free.get(controlPlane.privateAddress) ?? Infinity,
    );
  });

  test("keeps META over a reboot", async () => {
    const value = Buffer.from("kept");
    await client.unary(machine.MetaWrite, { key: 10, value });
    expect(await failureOf(client.unary(machine.MetaWrite, { key: 256, value }))).toBe(
      "INVALID_ARGUMENT: key must be a uint8",
    );
    await client.unary(machine.Reboot, {});
    await eventually(async () => {
      await client.unary(machine.EtcdStatus, {}, { timeoutMs: 5_000 });
      return controlPlane.node.stage === "running";
    });
    await client.unary(machine.MetaDelete, { key: 10 });
    expect(await failureOf(client.unary(machine.MetaDelete, { key: 10 }))).toBe(
      "NOT_FOUND: meta key not found",
    );
  });

  test("reports a healthy cluster, and names unhealthy parts", async () => {
    const lines = (await check(20)).map(({ message }) => message);
    expect(lines[0]).toContain(`"${worker.privateAddress}"`);
    expect(lines.at(-1)).toBe("waiting for all k8s nodes to report schedulable: OK");
    await client.unary(machine.ServiceRestart, { id: "kubelet" });
    await worker.node.stop();
    const told: (string | undefined)[] = [];
    const failure = await failureOf(
      client.stream(
        health.HealthCheck,
        {
          waitTimeout: { seconds: 1, nanos: 0 },
          clusterInfo: {
            controlPlaneNodes: [controlPlane.privateAddress],
            workerNodes: [worker.privateAddress],
          },
        },
        {
          enough: (messages) => {
            told.push(messages.at(-1)?.message);
            return false;
          },
        },
      ),
    );
    expect(failure).toBe("DEADLINE_EXCEEDED: context deadline exceeded");
    expect(told.at(-1)).toContain(
      `waiting for apid to be ready: 1 error occurred:\n\t* ${worker.privateAddress}: rpc error: code = Unavailable`,
    );
  });
});
