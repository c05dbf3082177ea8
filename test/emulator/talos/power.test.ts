import { connect } from "node:net";
import { protocol } from "../../../provider/api/protocol";
import { failureOf } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;

/** What makes a machine of the cloud forget its cluster and boot all the same. */
const statePartitions = {
  systemPartitionsToWipe: ["STATE", "EPHEMERAL"].map((label) => ({ label, wipe: true })),
};

/** A document that encrypts a volume of Talos. */
const encrypted = (name: string) =>
  `apiVersion: v1alpha1\nkind: VolumeConfig\nname: ${name}\nencryption:\n  provider: luks2\n  keys: [{slot: 0, nodeID: {}}]\n`;

describe("a simulated machine", () => {
  let cluster: SimulatedCluster;
  beforeEach(async () => {
    cluster = await SimulatedCluster.create();
  });
  afterEach(() => cluster.stop());

  const bootstrapped = async (): Promise<SimulatedNode> => {
    const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    await cluster.bootstrap(node, 1);
    return node;
  };

  test("keeps its configuration and its member of etcd over a reboot", async () => {
    const node = await bootstrapped();
    const client = await cluster.client(node);
    const before = await client.unary(machine.EtcdMemberList, {});
    const { messages } = await client.unary(machine.Reboot, {});
    expect(messages[0]?.actorId).toMatch(/^[0-9a-f-]{36}$/);
    await eventually(() => node.node.stage === "running");
    const after = await client.unary(machine.EtcdMemberList, {});
    expect(after).toEqual(before);
  });

  test("has closed ports while it reboots", async () => {
    await cluster.stop();
    cluster = await SimulatedCluster.create({ rebootMs: 1500 });
    const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    const client = await cluster.client(node);
    await client.unary(machine.Reboot, {});
    await eventually(() => node.node.stage === "rebooting");
    await eventually(async () => !(await isOpen(node.address, 50000)));
    expect(node.node.stage).toBe("rebooting");
    await eventually(() => node.node.stage === "running");
    expect(await isOpen(node.address, 50000)).toBe(true);
  });

  test("stays in its boot if a volume was encrypted after it was made", async () => {
    const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    const client = await cluster.client(node);
    await client.unary(machine.ApplyConfiguration, {
      data: Buffer.from(`${cluster.config("controlplane")}---\n${encrypted("EPHEMERAL")}`),
      mode: "NO_REBOOT",
    });
    expect(node.node.stage).toBe("running");
    await client.unary(machine.Reboot, {});
    await eventually(() => node.node.stage === "booting");
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(node.node.stage).toBe("booting");
    expect(await isOpen(node.address, 50000)).toBe(false);
  });

  test("boots again with a volume that it encrypted when it made it", async () => {
    const node = await cluster.add();
    await cluster.insecureClient(node).unary(machine.ApplyConfiguration, {
      data: Buffer.from(`${cluster.config("controlplane")}---\n${encrypted("STATE")}`),
      mode: "AUTO",
    });
    await eventually(() => node.node.stage === "running");
    const client = await cluster.client(node);
    await client.unary(machine.Reboot, {});
    await eventually(() => node.node.stage === "rebooting");
    await eventually(() => node.node.stage === "running");
  });

  test("is in maintenance mode, without configuration and etcd, after a reset", async () => {
    const node = await cluster.add();
    await cluster.insecureClient(node).unary(machine.ApplyConfiguration, {
      data: Buffer.from(cluster.config("controlplane")),
      mode: "AUTO",
    });
    await eventually(() => node.node.stage === "running");
    await cluster.bootstrap(node, 1);
    const client = await cluster.client(node);
    await client.unary(machine.Reset, { reboot: true, ...statePartitions });
    await eventually(() => node.node.stage === "maintenance");
    expect(node.node.machineConfiguration).toBeUndefined();
    expect(await isOpen(node.address, 6443)).toBe(false);
  });

  test("reads its configuration from user data again after a reset", async () => {
    const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    const client = await cluster.client(node);
    await client.unary(machine.Reset, { reboot: true, ...statePartitions });
    await eventually(() => node.node.stage === "rebooting" || node.node.stage === "running");
    await eventually(() => node.node.stage === "running");
    expect(node.node.machineConfiguration).toBe(cluster.config("controlplane"));
  });

  test("loses only etcd if only EPHEMERAL is wiped", async () => {
    const node = await bootstrapped();
    const client = await cluster.client(node);
    await client.unary(machine.Reset, {
      reboot: true,
      systemPartitionsToWipe: [{ label: "EPHEMERAL", wipe: true }],
    });
    await eventually(async () => {
      const { messages } = await client.unary(machine.ServiceList, {});
      return messages[0]?.services.find(({ id }) => id === "etcd")?.state === "Preparing";
    });
    expect(node.node.machineConfiguration).toBeDefined();
  });

  test.each([
    [
      { mode: "SYSTEM_DISK" as const, userDisksToWipe: ["/dev/sdb"] },
      "UNKNOWN: reset failed: invalid input, wipe mode SYSTEM_DISK doesn't support UserDisksToWipe parameter",
    ],
    [
      { userDisksToWipe: ["/dev/sdb"] },
      "UNKNOWN: reset user disk failed: device /dev/sdb wasn't found",
    ],
    [
      { systemPartitionsToWipe: [{ label: "NOPE", wipe: true }] },
      'UNKNOWN: failed to get volume status with label "NOPE": resource VolumeStatuses.block.talos.dev(runtime/NOPE@undefined) doesn\'t exist',
    ],
    [
      { mode: "USER_DISKS" as const, systemPartitionsToWipe: [{ label: "STATE", wipe: true }] },
      "UNKNOWN: reset failed: invalid input, wipe mode USER_DISKS doesn't support SystemPartitionsToWipe parameter",
    ],
  ])("is not reset by %j", async (request, expected) => {
    const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    const client = await cluster.client(node);
    expect(await failureOf(client.unary(machine.Reset, request))).toBe(expected);
    expect(node.node.stage).toBe("running");
  });

  test("is off after a shutdown", async () => {
    const [node] = (await cluster.addConfigured(1)) as [SimulatedNode];
    const client = await cluster.client(node);
    await client.unary(machine.Shutdown, {});
    await eventually(() => node.node.stage === "stopped");
    expect(await isOpen(node.address, 50000)).toBe(false);
  });

  test("leaves no port, connection or timer when it is stopped", async () => {
    await cluster.stop();
    cluster = await SimulatedCluster.create({ joinMs: 60_000 });
    const nodes = [...(await cluster.addConfigured(1, 1)), await cluster.add()];
    const [controlPlane] = nodes as [SimulatedNode];
    const client = await cluster.client(controlPlane);
    await client.unary(machine.Bootstrap, {});
    const watching = failureOf(
      client.stream(protocol.cosi.resource.State.service.Watch, {
        namespace: "cluster",
        type: "Members.cluster.talos.dev",
        options: {},
      }),
    );
    await Promise.all(nodes.map(({ node }) => node.stop()));
    expect(await watching).toMatch(/^UNAVAILABLE: |^INTERNAL: /);
    for (const { address, node } of nodes) {
      expect(node.stage).toBe("stopped");
      for (const port of [50000, 50001, 6443]) {
        expect(await isOpen(address, port)).toBe(false);
      }
    }
  });

  test("can be stopped while it boots and while it waits for a certificate", async () => {
    await cluster.stop();
    cluster = await SimulatedCluster.create({ bootMs: 50 });
    const booting = await cluster.add();
    expect(booting.node.stage).toBe("booting");
    await booting.node.stop();
    // No control plane runs, so nobody issues this worker's certificate.
    const waiting = await cluster.add(cluster.config("worker"));
    await new Promise((resolve) => setTimeout(resolve, 150));
    expect(waiting.node.stage).toBe("booting");
    expect(await isOpen(waiting.address, 50000)).toBe(false);
    await waiting.node.stop();
    expect(waiting.node.stage).toBe("stopped");
  });

  test("can be stopped in any moment of a boot that waits for a certificate", async () => {
    await cluster.stop();
    cluster = await SimulatedCluster.create({ bootMs: 1 });
    const config = cluster.config("worker");
    for (let turns = 0; turns < 40; turns += 1) {
      const { node } = await cluster.add(config);
      await new Promise((resolve) => setTimeout(resolve, 1));
      for (let turn = 0; turn < turns; turn += 1) {
        await new Promise((resolve) => setImmediate(resolve));
      }
      await node.stop();
      expect(node.stage).toBe("stopped");
    }
  }, 30_000);

  test("as a worker gets its certificate once a control plane runs", async () => {
    await cluster.stop();
    cluster = await SimulatedCluster.create({ bootMs: 1 });
    const worker = await cluster.add(cluster.config("worker"));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(worker.node.stage).toBe("booting");
    await cluster.add(cluster.config("controlplane"));
    await eventually(() => worker.node.stage === "running");
    const client = await cluster.client(worker);
    await expect(client.unary(machine.Version, {})).resolves.toBeDefined();
  });

  test("needs a free address", async () => {
    const [{ address }] = (await cluster.addConfigured(1)) as [SimulatedNode];
    await expect(cluster.add(undefined, address)).rejects.toThrow(
      `cannot listen on ${address}:50000 for a simulated Talos node`,
    );
  });
});

function isOpen(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host, port }, () => {
      socket.destroy();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });
}
