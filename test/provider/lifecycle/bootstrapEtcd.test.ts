import { status } from "@grpc/grpc-js";
import type { ServiceInfo } from "../../../provider/api/gen/machine/ServiceInfo";
import { protocol } from "../../../provider/api/protocol";
import { bootstrapEtcd } from "../../../provider/lifecycle/bootstrapEtcd";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { startTestNode } from "../api/testNode";
import { createOsCa, issueCredentials, issueServerCertificate } from "../api/testPki";
import { recordedProgress, silent } from "../progress";
import { machineAt } from "./deliveries";

const etcdMemberList = protocol.machine.MachineService.service.EtcdMemberList;

const cleanups: (() => Promise<void>)[] = [];

// The tests mostly wait, so they run side by side.
afterAll(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

async function startCluster(joinMs: number): Promise<SimulatedCluster> {
  const cluster = await SimulatedCluster.create({ joinMs });
  cleanups.push(() => cluster.stop());
  return cluster;
}

const inSeconds = (seconds: number) => Date.now() + seconds * 1_000;

describe("bootstrapEtcd", () => {
  it.concurrent(
    "makes one call and is done when etcd is healthy; later runs make none",
    async () => {
      const cluster = await startCluster(100);
      const { node, address } = await cluster.add(cluster.config("controlplane"));
      const machine = await machineAt(cluster, address);
      const progress = recordedProgress();
      await bootstrapEtcd(machine, { peers: [] }, inSeconds(20), progress);
      expect(node.bootstrapCalls).toBe(1);
      expect(progress.lines.join("\n")).toContain("etcd waits to be bootstrapped");
      const client = await cluster.client({ address });
      const { messages } = await client.unary(etcdMemberList, {});
      expect(messages[0]?.members).toHaveLength(1);

      const started = Date.now();
      await bootstrapEtcd(machine, { peers: [] }, inSeconds(20), silent);
      expect(node.bootstrapCalls).toBe(1);
      expect(Date.now() - started).toBeLessThan(3_000);
    },
  );

  it.concurrent(
    "watches the etcd that a run started which was cut off, and makes no second call",
    async () => {
      const cluster = await startCluster(2_500);
      const { node, address } = await cluster.add(cluster.config("controlplane"));
      const machine = await machineAt(cluster, address);
      await expect(bootstrapEtcd(machine, { peers: [] }, inSeconds(4.7), silent)).rejects.toThrow(
        /etcd/,
      );
      expect(node.bootstrapCalls).toBe(1);
      await bootstrapEtcd(machine, { peers: [] }, inSeconds(20), silent);
      expect(node.bootstrapCalls).toBe(1);
    },
  );

  it.concurrent("refuses a worker at once", async () => {
    const cluster = await startCluster(0);
    await cluster.addConfigured(1);
    const worker = await cluster.add(cluster.config("worker"));
    const machine = await machineAt(cluster, worker.address);
    const started = Date.now();
    await expect(bootstrapEtcd(machine, { peers: [] }, inSeconds(10), silent)).rejects.toThrow(
      `machine ${worker.address} is a worker`,
    );
    expect(Date.now() - started).toBeLessThan(5_000);
    expect(worker.node.bootstrapCalls).toBe(0);
  });

  it.concurrent("does not ask again when the answer to its call is lost", async () => {
    let calls = 0;
    const { machine, node } = await startWaitingNode((refuse) => {
      calls += 1;
      node.cut();
      refuse(status.UNAVAILABLE, "too late");
    });
    await expect(bootstrapEtcd(machine, { peers: [] }, inSeconds(6.5), silent)).rejects.toThrow(
      /last seen: etcd waits to be bootstrapped/,
    );
    expect(calls).toBe(1);
  });

  it.concurrent("asks again when the machine was not ready", async () => {
    let calls = 0;
    const { machine, etcd } = await startWaitingNode((refuse) => {
      calls += 1;
      if (calls === 2) Object.assign(etcd, { state: "Running", health: { healthy: true } });
      refuse(status.FAILED_PRECONDITION, "time is not in sync yet");
    });
    await bootstrapEtcd(machine, { peers: [] }, inSeconds(40), silent);
    expect(calls).toBe(2);
  });
});

/** A machine whose etcd waits for good, and what it does when it is asked to bootstrap. */
async function startWaitingNode(
  bootstrap: (refuse: (code: status, details: string) => void) => void,
) {
  const ca = await createOsCa();
  const etcd: ServiceInfo = { id: "etcd", state: "Preparing", health: { unknown: true } };
  const node = await startTestNode({
    certificate: await issueServerCertificate(ca),
    clientCa: ca.crt,
    machine: {
      Read: (call) => {
        call.write({ bytes: Buffer.from("a boot id\n") });
        call.end();
      },
      ServiceList: (_call, callback) => callback(null, { messages: [{ services: [etcd] }] }),
      Bootstrap: (_call, callback) => bootstrap((code, details) => callback({ code, details })),
    },
  });
  cleanups.push(() => node.stop());
  const credentials = await issueCredentials(ca);
  return { node, etcd, machine: { node: "127.0.0.1", endpoint: node.endpoint, credentials } };
}
