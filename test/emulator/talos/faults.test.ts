import { connect } from "node:net";
import { connect as connectTls } from "node:tls";
import { status } from "@grpc/grpc-js";
import type { FaultRequest } from "../../../emulator/talos/faults/faultRequest";
import { protocol } from "../../../provider/api/protocol";
import { TalosClient } from "../../../provider/api/talosClient";
import { readMachineFacts } from "../../../provider/lifecycle/health/machineFacts";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { failureOf } from "./rpcClient";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const machine = protocol.machine.MachineService.service;
const clusters: SimulatedCluster[] = [];

afterAll(async () => {
  await Promise.all(clusters.map((cluster) => cluster.stop()));
});

/** A control plane whose etcd is up, unless it is to wait. */
async function controlPlane({ bootstrapped = true } = {}) {
  const cluster = await SimulatedCluster.create({ joinMs: 20, rebootMs: 50 });
  clusters.push(cluster);
  const node = await cluster.add(cluster.config("controlplane"));
  if (bootstrapped) {
    await cluster.bootstrap(node, 1);
  }
  const inject = (kind: FaultRequest["kind"], parameters: FaultRequest["parameters"] = {}) =>
    cluster.faults.inject({ kind, machine: node.address, parameters });
  return { cluster, node, inject };
}

/** Asks for the version over a connection of its own: undefined, or what went wrong. */
async function problemOf(
  cluster: SimulatedCluster,
  { address }: SimulatedNode,
  timeoutMs = 1_000,
): Promise<string | undefined> {
  const client = TalosClient.connect(await machineAt(cluster, address));
  try {
    await client.version({ timeoutMs });
    return undefined;
  } catch (error) {
    return String(error);
  } finally {
    client.close();
  }
}

async function etcdOf(cluster: SimulatedCluster, node: SimulatedNode) {
  const client = await cluster.client(node);
  const { messages } = await client.unary(machine.ServiceList, {});
  return messages[0]?.services.find(({ id }) => id === "etcd");
}

describe.each(["refuse", "drop", "expiredCertificate", "foreignCertificates", "imposter"] as const)(
  "%s",
  (kind) => {
    const words = {
      refuse: /refused/,
      drop: /did not (answer|complete)|within 1 s/,
      expiredCertificate: /expired|clock/,
      foreignCertificates: /another cluster|certificate authority/,
      imposter: /another cluster|certificate authority|maintenance/,
    }[kind];

    it("affects a client until it is lifted", async () => {
      const { cluster, node, inject } = await controlPlane();
      expect(await problemOf(cluster, node)).toBeUndefined();
      const fault = await inject(kind);
      expect(await problemOf(cluster, node)).toMatch(words);
      expect(cluster.faults.list()).toEqual([fault]);
      await fault.lift();
      await fault.lift();
      expect(cluster.faults.list()).toEqual([]);
      expect(await problemOf(cluster, node)).toBeUndefined();
    });
  },
);

describe("faults of the network", () => {
  it("refuse: closes every port at once, also those that a reboot opens", async () => {
    const { cluster, node, inject } = await controlPlane();
    const fault = await inject("refuse");
    await (await inject("reboot")).lift();
    await eventually(() => node.node.stage === "running");
    for (const port of [50000, 50001, 6443]) {
      expect(await canConnect(node, port)).toBe(false);
    }
    await fault.lift();
    for (const port of [50000, 50001]) {
      expect(await canConnect(node, port)).toBe(true);
    }
    await eventually(() => canConnect(node, 6443));
    expect(await problemOf(cluster, node)).toBeUndefined();
  });

  it("refuse: other nodes don't reach the machine either", async () => {
    const { cluster, node } = await controlPlane();
    const other = await cluster.add(cluster.config("controlplane"));
    const client = await cluster.client(node);
    const metadata = { node: other.privateAddress };
    await client.unary(machine.Version, {}, { metadata });
    await cluster.faults.inject({ kind: "refuse", machine: other.node.faultTarget.id });
    expect(await failureOf(client.unary(machine.Version, {}, { metadata }))).toMatch(
      /^UNAVAILABLE: .*connection refused/,
    );
  });

  it("drop: pending calls are answered when the fault ends", async () => {
    const { cluster, node } = await controlPlane();
    const client = await cluster.client(node);
    await client.unary(machine.Version, {});
    const started = Date.now();
    await cluster.faults.inject({ kind: "drop", machine: node.address, forMs: 300 });
    await client.unary(machine.Version, {});
    expect(Date.now() - started).toBeGreaterThanOrEqual(250);
    expect(cluster.faults.list()).toEqual([]);
  });

  it("delay: each call takes longer by the delay", async () => {
    const { cluster, node, inject } = await controlPlane();
    const client = await cluster.client(node);
    await client.unary(machine.Version, {});
    await inject("delay", { latencyMs: 150 });
    const started = Date.now();
    await client.unary(machine.Version, {});
    expect(Date.now() - started).toBeGreaterThanOrEqual(145);
  });

  it("resetMidCall: the call takes effect, its answer is lost, the next one succeeds", async () => {
    const { cluster, node, inject } = await controlPlane();
    const client = await cluster.client(node);
    const fault = await inject("resetMidCall", { method: "ApplyConfiguration" });
    const data = Buffer.from(
      cluster.config("controlplane", [{ machine: { sysctls: { "vm.swappiness": "1" } } }]),
    );
    const apply = () => client.unary(machine.ApplyConfiguration, { data, mode: "AUTO" });
    expect(await failureOf(apply())).toMatch(/^UNAVAILABLE: .*(ECONNRESET|reset)/);
    expect(node.node.machineConfiguration).toContain("vm.swappiness");
    expect(fault.observed).toEqual({ calls: 1 });
    await apply();
  });

  it("resetMidCall: cuts a streamed answer", async () => {
    const { cluster, node, inject } = await controlPlane();
    const client = await cluster.client(node);
    const whole = await client.stream(machine.Kubeconfig, {});
    const bytes = whole.map(({ bytes: part }) => part.length);
    await inject("resetMidCall", { method: "Kubeconfig", afterBytes: 1 });
    expect(bytes.length).toBeGreaterThan(0);
    expect(await failureOf(client.stream(machine.Kubeconfig, {}))).toMatch(/^UNAVAILABLE/);
  });

  it("imposter: counts connections and received configurations", async () => {
    const { cluster, node, inject } = await controlPlane();
    const fault = await inject("imposter");
    await problemOf(cluster, node);
    expect(fault.observed.connections).toBeGreaterThan(0);
    expect(fault.observed.receivedBytes).toBe(0);
    const trusting = connectTls({ host: node.address, port: 50000, rejectUnauthorized: false });
    trusting.end("a secret");
    await eventually(() => fault.observed.receivedBytes === "a secret".length);
  });
});

describe("faults of a machine", () => {
  it("powerLoss: the machine stops, and starts again from its disk", async () => {
    const { cluster, node, inject } = await controlPlane();
    const configuration = node.node.machineConfiguration;
    const fault = await inject("powerLoss");
    expect(node.node.stage).toBe("stopped");
    expect(await canConnect(node, 50000)).toBe(false);
    await fault.lift();
    expect(node.node.stage).toBe("running");
    expect(node.node.machineConfiguration).toBe(configuration);
    await eventually(async () => (await etcdOf(cluster, node))?.health?.healthy === true);
  });

  it("powerLoss of a zone: all its machines stop, and etcd loses its majority", async () => {
    const { cluster, node } = await controlPlane();
    for (const zone of ["us-east-1b", "us-east-1b"]) {
      await cluster.add(cluster.config("controlplane"), undefined, zone);
    }
    const client = await cluster.client(node);
    const members = async () => {
      const { messages } = await client.unary(machine.EtcdMemberList, {}, { timeoutMs: 2_000 });
      return messages[0]?.members.filter(({ isLearner }) => !isLearner).length;
    };
    await eventually(async () => (await members()) === 3);
    const fault = await cluster.faults.inject({ kind: "powerLoss", zone: "us-east-1b" });
    expect(fault.machines).toHaveLength(2);
    expect(await failureOf(members())).toMatch(/^DEADLINE_EXCEEDED/);
    await fault.lift();
    await eventually(async () => (await members()) === 3);
  });

  it("reboot: the machine boots again, also in maintenance mode", async () => {
    const cluster = await SimulatedCluster.create();
    clusters.push(cluster);
    const node = await cluster.add();
    await cluster.faults.inject({ kind: "reboot", machine: node.address });
    expect(node.node.stage).toBe("maintenance");
    const { inject, ...configured } = await controlPlane();
    const client = TalosClient.connect(
      await machineAt(configured.cluster, configured.node.address),
    );
    const before = await client.bootId();
    await inject("reboot");
    await eventually(async () => (await client.bootId()) !== before);
    client.close();
  });

  it.each([true, false])("rebootDuringApply: kept %s", async (kept) => {
    const { cluster, node, inject } = await controlPlane();
    const client = await cluster.client(node);
    const before = node.node.machineConfiguration;
    await inject("rebootDuringApply", { kept });
    const data = cluster.config("controlplane", [
      { machine: { sysctls: { "vm.swappiness": "1" } } },
    ]);
    expect(
      await failureOf(
        client.unary(machine.ApplyConfiguration, { data: Buffer.from(data), mode: "AUTO" }),
      ),
    ).toMatch(/^UNAVAILABLE/);
    await eventually(() => node.node.stage === "running");
    expect(node.node.machineConfiguration).toBe(kept ? data : before);
  });

  it("diskFull: a configuration is accepted, and what it changes doesn't start", async () => {
    const { cluster, node, inject } = await controlPlane();
    const client = await cluster.client(node);
    const fault = await inject("diskFull");
    const patch = { cluster: { scheduler: { extraArgs: { v: "1" } } } };
    const data = Buffer.from(cluster.config("controlplane", [patch]));
    await client.unary(machine.ApplyConfiguration, { data, mode: "AUTO" });
    const reference = "registry.k8s.io/etcd:v3.6.6";
    expect(await failureOf(client.unary(machine.ImagePull, { reference }))).toMatch(
      /^UNKNOWN: .*no space left on device$/,
    );
    const talos = TalosClient.connect(await machineAt(cluster, node.address));
    const isPending = async () => {
      const { podStatuses } = await readMachineFacts(talos, {});
      const found = [...podStatuses].find(([id]) => id.startsWith("kube-system/kube-scheduler"));
      return found?.[1].phase === "Pending";
    };
    await eventually(isPending);
    expect((await etcdOf(cluster, node))?.health?.healthy).toBe(false);
    await fault.lift();
    await eventually(async () => !(await isPending()));
    talos.close();
    await eventually(async () => (await etcdOf(cluster, node))?.health?.healthy === true);
  });

  it("diskFull: a machine in maintenance mode can't install", async () => {
    const cluster = await SimulatedCluster.create();
    clusters.push(cluster);
    const node = await cluster.add();
    const fault = await cluster.faults.inject({ kind: "diskFull", machine: node.address });
    const data = Buffer.from(cluster.config("controlplane"));
    const apply = () =>
      cluster.insecureClient(node).unary(machine.ApplyConfiguration, { data, mode: "AUTO" });
    await apply();
    await eventually(() => node.node.stage === "stopped" || node.node.stage === "rebooting");
    await eventually(() => node.node.stage === "maintenance");
    await fault.lift();
    await apply();
    await eventually(() => node.node.stage === "running");
  });
});

describe("faults of etcd", () => {
  it("slowEtcd: takes longer to start and to answer", async () => {
    const { cluster, node, inject } = await controlPlane({ bootstrapped: false });
    await inject("slowEtcd", { delayMs: 300 });
    const started = Date.now();
    await cluster.bootstrap(node, 1);
    const up = Date.now();
    expect(up - started).toBeGreaterThanOrEqual(300);
    await (await cluster.client(node)).unary(machine.EtcdMemberList, {});
    expect(Date.now() - up).toBeGreaterThanOrEqual(300);
  });

  it("stuckEtcd: a starting etcd waits until the fault is lifted", async () => {
    const { cluster, node, inject } = await controlPlane({ bootstrapped: false });
    const fault = await inject("stuckEtcd");
    const client = await cluster.client(node);
    await client.unary(machine.Bootstrap, {});
    const list = () => client.unary(machine.EtcdMemberList, {}, { timeoutMs: 2_000 });
    expect(await failureOf(list())).toMatch(/^DEADLINE_EXCEEDED/);
    expect((await etcdOf(cluster, node))?.state).toBe("Preparing");
    await fault.lift();
    await eventually(async () => (await list()).messages[0]?.members.length === 1);
  });

  it("stuckEtcd: a running etcd is unhealthy, and the Kubernetes API fails", async () => {
    const { cluster, node, inject } = await controlPlane();
    const fault = await inject("stuckEtcd");
    expect((await etcdOf(cluster, node))?.health?.lastMessage).toBe("context deadline exceeded");
    await fault.lift();
    await eventually(async () => (await etcdOf(cluster, node))?.health?.healthy === true);
  });

  it("lostBootstrap: the call succeeds without an effect", async () => {
    const { cluster, node, inject } = await controlPlane({ bootstrapped: false });
    await inject("lostBootstrap");
    const client = await cluster.client(node);
    await client.unary(machine.Bootstrap, {});
    expect(node.node.bootstrapCalls).toBe(0);
    expect((await etcdOf(cluster, node))?.state).toBe("Preparing");
    await cluster.bootstrap(node, 1);
    expect(node.node.bootstrapCalls).toBe(1);
  });

  it("lostBootstrapAnswer: etcd is bootstrapped, but the call fails", async () => {
    const { cluster, node, inject } = await controlPlane({ bootstrapped: false });
    await inject("lostBootstrapAnswer");
    const client = await cluster.client(node);
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toMatch(/^UNAVAILABLE/);
    await eventually(async () => (await etcdOf(cluster, node))?.health?.healthy === true);
  });
});

describe("clockSkew", () => {
  const yearMs = 366 * 24 * 60 * 60 * 1000;

  it("a clock that is ahead creates certificates that begin in the future", async () => {
    const { cluster, node, inject } = await controlPlane();
    const fault = await inject("clockSkew");
    expect(await problemOf(cluster, node)).toMatch(/clock/);
    await fault.lift();
    expect(await problemOf(cluster, node)).toBeUndefined();
  });

  it("a worker whose clock is ahead finds its clients' certificates expired", async () => {
    const { cluster } = await controlPlane();
    const worker = await cluster.add(cluster.config("worker"));
    await cluster.faults.inject({
      kind: "clockSkew",
      machine: worker.address,
      parameters: { byMs: yearMs },
    });
    expect(await problemOf(cluster, worker)).toMatch(/expired/);
  });

  it("prevents the bootstrap of etcd", async () => {
    const { cluster, node, inject } = await controlPlane({ bootstrapped: false });
    await inject("clockSkew", { byMs: 30_000 });
    const client = await cluster.client(node);
    expect(await failureOf(client.unary(machine.Bootstrap, {}))).toBe(
      `${status[status.FAILED_PRECONDITION]}: time is not in sync yet`,
    );
  });
});

describe("a wrong request", () => {
  it("is rejected with all its problems", async () => {
    const { cluster, node } = await controlPlane({ bootstrapped: false });
    const request = {
      kind: "refus",
      machine: "i-none",
      forMs: -1,
      zones: "a",
    };
    await expect(cluster.faults.inject(request as never)).rejects.toMatchObject({
      problems: [
        expect.stringContaining('there is no field "zones", did you mean "zone"'),
        expect.stringContaining('there is no kind "refus", did you mean "refuse"'),
        `there is no machine "i-none": there are ${node.node.faultTarget.id} at ${node.address}`,
        "forMs is -1: give milliseconds, more than 0",
      ],
    });
    const wrong = { latencyMs: "long", latency: 1 };
    await expect(
      cluster.faults.inject({ kind: "delay", zone: "nowhere", parameters: wrong }),
    ).rejects.toMatchObject({
      problems: [
        'there is no machine in zone "nowhere": there are us-east-1a',
        expect.stringContaining('there is no parameter of delay "latency"'),
        'latencyMs is "long": give a number, how much later, in milliseconds',
      ],
    });
    await expect(cluster.faults.inject({ kind: "refuse" })).rejects.toThrow(
      "it is not said where: give either machine or zone",
    );
    expect(cluster.faults.list()).toEqual([]);
  });

  it("is rejected for a machine that can't have the fault", async () => {
    const { cluster } = await controlPlane();
    const worker = await cluster.add(cluster.config("worker"));
    await expect(
      cluster.faults.inject({ kind: "expiredCertificate", machine: worker.privateAddress }),
    ).rejects.toThrow(/it is a worker/);
  });
});

function canConnect({ address }: SimulatedNode, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: address, port });
    const end = (result: boolean) => {
      socket.destroy();
      resolve(result);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}
