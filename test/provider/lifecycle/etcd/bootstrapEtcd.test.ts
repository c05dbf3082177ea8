import { mkdtempSync, writeFileSync } from "node:fs";
import { rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { status } from "@grpc/grpc-js";
import { EtcdCluster } from "../../../../emulator/talos/etcd/etcdCluster";
import { writeSnapshot } from "../../../../emulator/talos/etcd/etcdSnapshot";
import type { ServiceInfo } from "../../../../provider/api/gen/machine/ServiceInfo";
import { protocol } from "../../../../provider/api/protocol";
import { clock, realClock, withClock } from "../../../../provider/base/clock";
import { bootstrapEtcd } from "../../../../provider/lifecycle/etcd/bootstrapEtcd";
import { sha256OfFile } from "../../../../provider/lifecycle/etcd/etcdSnapshotFile";
import { eventually, SimulatedCluster } from "../../../emulator/talos/simulatedCluster";
import { startTestNode } from "../../api/testNode";
import { createOsCa, issueCredentials, issueServerCertificate } from "../../api/testPki";
import { recordedProgress, silent } from "../../progress";
import { steppingIt } from "../../steppingClock";
import { machineAt } from "../deliveries";

const etcdMemberList = protocol.machine.MachineService.service.EtcdMemberList;

const cleanups: (() => Promise<void>)[] = [];

afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) {
    await cleanup();
  }
});

async function startCluster(joinMs: number): Promise<SimulatedCluster> {
  const cluster = await SimulatedCluster.create({ joinMs });
  cleanups.push(() => cluster.stop());
  return cluster;
}

const inSeconds = (seconds: number) => clock.now() + seconds * 1_000;

describe("bootstrapEtcd", () => {
  steppingIt(
    "makes one call and is done when etcd is healthy; later runs make none",
    async (stepping) => {
      const cluster = await startCluster(100);
      const { node, address } = await cluster.add(cluster.config("controlplane"));
      const machine = await machineAt(cluster, address);
      const progress = recordedProgress();
      await bootstrapEtcd(machine, { peers: [] }, inSeconds(600), progress);
      expect(node.bootstrapCalls).toBe(1);
      expect(progress.lines.join("\n")).toContain("etcd waits to be bootstrapped");
      const client = await cluster.client({ address });
      const { messages } = await client.unary(etcdMemberList, {});
      expect(messages[0]?.members).toHaveLength(1);

      const before = stepping.skippedMs;
      await bootstrapEtcd(machine, { peers: [] }, inSeconds(600), silent);
      expect(node.bootstrapCalls).toBe(1);
      expect(stepping.skippedMs).toBe(before);
    },
  );

  steppingIt(
    "watches the etcd that an interrupted run started, without a second call",
    async (stepping) => {
      const cluster = await startCluster(1_500);
      const { node, address } = await cluster.add(cluster.config("controlplane"));
      const machine = await machineAt(cluster, address);
      const cutOff = bootstrapEtcd(machine, { peers: [] }, inSeconds(600), silent);
      const failure = expect(cutOff).rejects.toThrow(/gave up waiting for etcd/);
      await eventually(() => node.bootstrapCalls === 1);
      stepping.advance(600_000);
      await failure;
      // In real time, as the etcd of a simulated machine starts in that.
      await withClock(realClock, () =>
        bootstrapEtcd(machine, { peers: [] }, clock.now() + 60_000, silent),
      );
      expect(node.bootstrapCalls).toBe(1);
    },
  );

  it("uploads no second snapshot to a machine that is recovering, however long it takes", async () => {
    const folder = mkdtempSync(join(tmpdir(), "bootstrap-etcd-"));
    cleanups.push(() => rm(folder, { recursive: true, force: true }));
    const path = join(folder, "etcd.snapshot");
    writeFileSync(path, writeSnapshot(new EtcdCluster(() => undefined)));
    const recovery = { peers: [], recoverFrom: { path }, sha256: await sha256OfFile(path) };
    // Longer than etcd must be seen waiting.
    const cluster = await startCluster(8_000);
    const { node, address } = await cluster.add(cluster.config("controlplane"));
    const machine = await machineAt(cluster, address);
    const cutOff = bootstrapEtcd(machine, recovery, inSeconds(60), silent);
    await eventually(() => node.bootstrapCalls === 1);
    const progress = recordedProgress();
    await bootstrapEtcd(machine, recovery, inSeconds(60), progress);
    expect(progress.lines.join("\n")).toContain("bootstrapped before and has not started yet");
    await cutOff;
    expect(node.bootstrapCalls).toBe(1);
  });

  steppingIt("makes no second etcd where one runs and another machine doesn't answer", async () => {
    const cluster = await startCluster(0);
    const [first, dead] = await cluster.addConfigured(2);
    if (first === undefined || dead === undefined) {
      throw new Error("there is no machine");
    }
    await cluster.bootstrap(first, 2);
    // While a member is silent, etcd takes no other.
    await cluster.faults.inject({ kind: "powerLoss", machine: dead.address });
    const late = await cluster.add(cluster.config("controlplane"));
    const machine = await machineAt(cluster, late.address);
    const waiting = bootstrapEtcd(machine, { peers: [] }, inSeconds(15), silent);
    await expect(waiting).rejects.toThrow(
      new RegExp(`etcd runs on ${first.privateAddress}, which this machine has not joined yet`),
    );
    expect(late.node.bootstrapCalls).toBe(0);
  });

  steppingIt("rejects a worker at once", async (stepping) => {
    const cluster = await startCluster(0);
    await cluster.addConfigured(1);
    const worker = await cluster.add(cluster.config("worker"));
    const machine = await machineAt(cluster, worker.address);
    await expect(bootstrapEtcd(machine, { peers: [] }, inSeconds(10), silent)).rejects.toThrow(
      `machine ${worker.address} is a worker`,
    );
    expect(stepping.skippedMs).toBe(0);
    expect(worker.node.bootstrapCalls).toBe(0);
  });

  steppingIt("does not repeat the call if its answer is lost", async () => {
    let calls = 0;
    const { machine, node } = await startWaitingNode((refuse) => {
      calls += 1;
      node.cut();
      refuse(status.UNAVAILABLE, "too late");
    });
    await expect(bootstrapEtcd(machine, { peers: [] }, inSeconds(20), silent)).rejects.toThrow(
      /last seen: bootstrapped, etcd has not started yet/,
    );
    expect(calls).toBe(1);
  });

  steppingIt("repeats the call if the machine was not ready", async () => {
    let calls = 0;
    const { machine, etcd } = await startWaitingNode((refuse) => {
      calls += 1;
      if (calls === 2) {
        Object.assign(etcd, { state: "Running", health: { healthy: true } });
      }
      refuse(status.FAILED_PRECONDITION, "time is not in sync yet");
    });
    await bootstrapEtcd(machine, { peers: [] }, inSeconds(600), silent);
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
