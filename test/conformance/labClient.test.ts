import { once } from "node:events";
import { connect } from "node:tls";
import { stringify } from "yaml";
import { readMachineState } from "../../provider/api/machineState";
import { TalosApiError } from "../../provider/api/talosApiError";
import { TalosClient, type NodesClient } from "../../provider/api/talosClient";
import { talosResources } from "../../provider/api/talosResources";
import { waitFor } from "../../provider/api/waitFor";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { hashDocuments } from "../../provider/config/hash";
import type { MachineType } from "../../provider/config/machineBasics";
import { applyPatches } from "../../provider/config/patches/patch";
import { decodeDocuments, encodeDocuments } from "../../provider/config/yaml/encode";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { LAB } from "./support/labRelease";
import { describeWithTalosLab } from "./support/talosLab";

const first = "10.5.0.2";
const second = "10.5.0.3";
const nobody = "10.5.0.77";

/** What a call came to: its value, or the code and message of its error. */
async function outcome<T>(call: Promise<T>): Promise<T | Pick<TalosApiError, "code" | "message">> {
  try {
    return await call;
  } catch (error) {
    if (!(error instanceof TalosApiError)) {
      throw error;
    }
    return { code: error.code, message: error.message };
  }
}

async function take<T>(items: AsyncIterable<T>, count = Infinity): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= count) {
      break;
    }
  }
  return taken;
}

function patiently<T>(what: string, ask: () => Promise<T>): Promise<T> {
  return waitFor<T>({
    what,
    deadlineMs: 120_000,
    intervalMs: 500,
    probe: async () => ({ done: true, value: await ask() }),
    isFatal: () => false,
  });
}

/** What the certificate of a machine's Talos API names. */
async function certifiedNames(host: string): Promise<string> {
  const socket = connect({ host, port: 50_000, rejectUnauthorized: false });
  try {
    await once(socket, "secureConnect");
    return socket.getPeerCertificate().subjectaltname ?? "";
  } finally {
    socket.destroy();
  }
}

const containerMode = { code: "failedPrecondition" };

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosLab("the client on real Talos nodes", (lab) => {
  let credentials: ClientCredentials;
  let reader: ClientCredentials;
  let controlPlane: TalosClient;
  let worker: TalosClient;
  let all: NodesClient;
  let configurationOf: (machineType: MachineType, ...extras: readonly object[]) => string;

  beforeAll(async () => {
    const secretsBundle = await generateSecretsBundle();
    const issue = (role: "os:admin" | "os:reader") =>
      issueClientCredentials(secretsBundle.certs.os, {
        roles: [role],
        now: new Date(Date.now() - 60_000),
        lifetimeHours: 1,
      });
    [credentials, reader] = [await issue("os:admin"), await issue("os:reader")];
    const patch = await lab.patch();
    configurationOf = (machineType, ...extras) => {
      const documents = generateMachineConfig({
        clusterName: "lab",
        endpoint: `https://${first}:6443`,
        machineType,
        secretsBundle,
        versionContract: "v1.12",
        kubernetesVersion: LAB.kubernetes.next.slice(1),
        installDisk: "/dev/sda",
        installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
      });
      const patches = [patch, ...extras].map((each) => stringify(each));
      return encodeDocuments(applyPatches(documents, patches));
    };
    await lab.up(["cp1:2", "w1:3"]);
    controlPlane = TalosClient.connect({ endpoint: first, credentials });
    worker = TalosClient.connect({ endpoint: second, credentials });
    all = controlPlane.onNodes([nobody, second, first]);
  });
  afterAll(() => lab.down());

  it("reads little from a node in maintenance mode, and configures it", async () => {
    const blank = TalosClient.connectInsecure({ endpoint: first });
    expect((await blank.getTyped(talosResources.machineStatus)).spec.stage).toBe("maintenance");
    expect(await blank.disks()).toEqual([]);
    // What every reader may ask is answered where machined itself serves maintenance mode.
    const isMachined = LAB.maintenanceRefusal === "permissionDenied";
    expect(await outcome(blank.version())).toMatchObject(
      isMachined ? { tag: LAB.talos } : { code: LAB.maintenanceRefusal },
    );
    expect(await outcome(blank.bootId())).toMatchObject({ code: LAB.maintenanceRefusal });
    expect(await outcome(blank.getTyped(talosResources.activeConfiguration))).toMatchObject({
      code: "permissionDenied",
    });
    expect(await outcome(controlPlane.version())).toMatchObject({ code: "notConfigured" });

    const data = configurationOf("controlplane");
    await blank.applyConfiguration({ data, mode: "AUTO", dryRun: true });
    expect((await blank.getTyped(talosResources.machineStatus)).spec.stage).toBe("maintenance");
    const bad = blank.applyConfiguration({ data: "machine: {foo: bar}", mode: "AUTO" });
    expect(await outcome(bad)).toMatchObject({ code: "invalidArgument" });
    const handedOver = await blank.applyConfiguration({ data, mode: "AUTO" });
    // v1.12 answers with the first value of the enumeration, which says nothing.
    expect(handedOver.mode).toBe(isMachined ? "NO_REBOOT" : "REBOOT");
    const other = TalosClient.connectInsecure({ endpoint: second });
    await other.applyConfiguration({ data: configurationOf("worker"), mode: "AUTO" });

    expect((await patiently("mTLS", () => controlPlane.version())).tag).toBe(LAB.talos);
    await patiently("mTLS", () => worker.version());
    expect(await outcome(blank.disks())).toMatchObject({ code: "alreadyConfigured" });
  });

  it("bootstraps etcd, once", async () => {
    await patiently("bootstrap", () => controlPlane.bootstrap());
    await patiently("etcd", () => controlPlane.etcdMembers({ timeoutMs: 2000 }));
    expect(await outcome(controlPlane.bootstrap())).toMatchObject({ code: "alreadyExists" });
    expect(await outcome(worker.bootstrap())).toMatchObject({ code: LAB.workerBootstrapRefusal });
  });

  it("asks several nodes, in order, each with its own error", async () => {
    const versions = await all.version();
    expect(versions.map(({ node }) => node)).toEqual([nobody, second, first]);
    expect(versions[0]?.error).toMatchObject({ code: "unreachable", node: nobody });
    expect(versions.slice(1).map(({ value }) => value?.tag)).toEqual([LAB.talos, LAB.talos]);
    const members = await controlPlane.onNodes([second, first]).etcdMembers();
    expect(members.map(({ error }) => error?.code)).toEqual(["unimplemented", undefined]);
    const lines = await take(all.logs({ id: "machined", tailLines: 2 }));
    expect(lines.find(({ node }) => node === nobody)?.error?.code).toBe("unreachable");
    expect(lines.filter(({ node, value }) => node === second && value !== undefined)).toHaveLength(
      2,
    );
  });

  it("uses another endpoint, and one that forwards", async () => {
    const ask = (options: { endpoints: string[]; node: string }) =>
      outcome(TalosClient.connect({ ...options, credentials }).version());
    expect(await ask({ endpoints: [nobody, first], node: second })).toHaveProperty("tag");
    expect(await ask({ endpoints: [first], node: nobody })).toMatchObject({ code: "unreachable" });
    expect(await ask({ endpoints: [second], node: first })).toMatchObject({
      code: "permissionDenied",
    });
  });

  it("reports missing permissions of a role", async () => {
    const client = TalosClient.connect({ endpoint: first, credentials: reader });
    await client.version();
    expect(await outcome(client.kubeconfig())).toMatchObject({ code: "permissionDenied" });
    expect(await outcome(client.reboot())).toMatchObject({ code: "permissionDenied" });
  });

  it("reads a node's information", async () => {
    expect(await controlPlane.disks()).toEqual([]);
    const missing = { namespace: "kubernetes", reference: "registry.k8s.io/nope:1" } as const;
    expect(await outcome(controlPlane.imagePull(missing))).toMatchObject({ code: "notFound" });
    expect((await controlPlane.readFile("/etc/os-release")).toString()).toContain("Talos");
    expect(await outcome(controlPlane.readFile("/nope"))).toMatchObject({ code: "notFound" });
  });

  it("reads services, logs and events", async () => {
    const services = await controlPlane.services();
    const apid = services.find(({ id }) => id === "apid");
    expect(apid).toMatchObject({ state: "Running", healthy: true });
    expect(apid?.events.length).toBeGreaterThan(2);
    expect(await take(controlPlane.logs({ id: "machined", tailLines: 3 }))).toHaveLength(3);
    expect(await outcome(take(controlPlane.logs({ id: "nope" })))).toMatchObject({
      code: "unknown",
    });
    expect((await take(controlPlane.logs({ id: "machined", follow: true }), 2)).length).toBe(2);
    const events = await take(controlPlane.events({ tailEvents: -1 }), 20);
    expect(events.map(({ payload }) => payload.kind)).toContain("serviceState");
  });

  it("reads and maintains etcd", async () => {
    const [member] = await controlPlane.etcdMembers();
    expect(member).toMatchObject({ hostname: "cp1", isLearner: false });
    const status = await controlPlane.etcdStatus();
    expect(status).toMatchObject({ memberId: member?.id, leaderId: member?.id, errors: [] });
    expect(await controlPlane.etcdAlarms()).toEqual([]);
    expect(await outcome(controlPlane.etcdRemoveMember("123"))).toMatchObject({ code: "notFound" });
    const snapshot = Buffer.concat(await take(controlPlane.etcdSnapshot()));
    expect(snapshot.length).toBeGreaterThan(20_000);
  });

  it("reads its state as types", async () => {
    const names = (await controlPlane.listTyped(talosResources.member)).map(
      ({ spec }) => spec.hostname,
    );
    expect(names.sort()).toEqual(["cp1", "w1"]);
    for (const client of [controlPlane, worker]) {
      for (const kind of Object.values(talosResources)) {
        await client.listTyped<unknown>(kind);
      }
    }
    const missing = { namespace: "runtime", type: talosResources.member.type, id: "nope" };
    expect(await outcome(controlPlane.getResource(missing))).toMatchObject({ code: "notFound" });
  });

  it("applies in every mode, and reads the running and the next configuration by hash", async () => {
    const before = await readMachineState(controlPlane);
    const applied = configurationOf("controlplane");
    // There is no image of the kubelet here.
    expect(LAB.bootAwaitsKubelet ? ["booting"] : ["booting", "running"]).toContain(before.stage);
    expect(before.persistentHash).toBe(before.activeHash);
    expect(before.activeHash).toBe(hashDocuments(decodeDocuments(applied)));

    const live = configurationOf("controlplane", { machine: { nodeLabels: { a: "b" } } });
    const dry = await controlPlane.applyConfiguration({ data: live, mode: "AUTO", dryRun: true });
    expect(dry.modeDetails).toMatch(/^Dry run summary:[^]*not shown/);
    expect(await readMachineState(controlPlane)).toEqual(before);
    const tried = { data: live, mode: "TRY", tryTimeoutMs: 1500 } as const;
    expect((await controlPlane.applyConfiguration(tried)).mode).toBe("TRY");
    const onTrial = await readMachineState(controlPlane);
    expect(onTrial.persistentHash).toBe(before.activeHash);
    expect(onTrial.activeHash).not.toBe(before.activeHash);
    await patiently("the trial's end", async () => {
      expect((await readMachineState(controlPlane)).activeHash).toBe(before.activeHash);
    });
    const auto = await controlPlane.applyConfiguration({ data: live, mode: "AUTO" });
    expect(auto.mode).toBe("NO_REBOOT");
    const running = await readMachineState(controlPlane);
    const again = await controlPlane.applyConfiguration({ data: live, mode: "AUTO" });
    expect(again.mode).toBe("NO_REBOOT");
    expect(await readMachineState(controlPlane)).toEqual(running);

    const rebooting = configurationOf("controlplane", { machine: { env: { A: "b" } } });
    const atOnce = controlPlane.applyConfiguration({
      data: rebooting,
      mode: "NO_REBOOT",
      dryRun: true,
    });
    expect(await outcome(atOnce)).toMatchObject(
      LAB.configurationsReboot ? { code: "invalidArgument" } : { mode: "NO_REBOOT" },
    );
    const restarting = controlPlane.applyConfiguration({
      data: rebooting,
      mode: "REBOOT",
      dryRun: true,
    });
    expect(await outcome(restarting)).toMatchObject(
      LAB.configurationsReboot ? { mode: "REBOOT" } : { code: "unimplemented" },
    );
    await controlPlane.applyConfiguration({ data: rebooting, mode: "STAGED" });
    const staged = await readMachineState(controlPlane);
    expect(staged.persistentHash).toBe(hashDocuments(decodeDocuments(rebooting)));
    expect(staged.activeHash).toBe(hashDocuments(decodeDocuments(live)));
    expect(staged.bootId).toBe(before.bootId);
  });

  it("gets a kubeconfig, only on control planes", async () => {
    expect(await controlPlane.kubeconfig()).toContain("client-certificate-data");
    expect(await outcome(worker.kubeconfig())).toMatchObject({ code: "unimplemented" });
  });

  it("is refused operations that container mode lacks", async () => {
    expect(await outcome(controlPlane.upgrade({ image: "x" }))).toMatchObject(containerMode);
    const reset = controlPlane.reset({ systemPartitions: ["NOPE"], graceful: false });
    expect(await outcome(reset)).toMatchObject({ code: "unknown" });
  });

  it("sees a reboot by the boot id and the machine's status, after which the staged configuration runs", async () => {
    const before = await readMachineState(controlPlane);
    const { created } = await controlPlane.getTyped(talosResources.machineStatus);
    expect((await controlPlane.getTyped(talosResources.machineStatus)).created).toBe(created);
    const { actorId } = await controlPlane.reboot();
    expect(actorId).toMatch(/^[0-9a-f-]{36}$/);
    await patiently("another boot", async () => {
      const now = await readMachineState(controlPlane, { timeoutMs: 2000 });
      expect(now.bootId).not.toBe(before.bootId);
      expect(now.activeHash).toBe(before.persistentHash);
    });
    const after = await controlPlane.getTyped(talosResources.machineStatus);
    expect(Date.parse(after.created ?? "")).toBeGreaterThan(Date.parse(created ?? ""));
  });

  it("names another address in its certificate at once, without a restart", async () => {
    const address = "203.0.113.9";
    const { bootId } = await readMachineState(controlPlane);
    expect(await certifiedNames(first)).not.toContain(address);
    const data = configurationOf("controlplane", {
      machine: { env: { A: "b" }, certSANs: [address] },
    });
    expect((await controlPlane.applyConfiguration({ data, mode: "AUTO" })).mode).toBe("NO_REBOOT");
    await patiently("another certificate", async () =>
      expect(await certifiedNames(first)).toContain(`IP Address:${address}`),
    );
    expect((await readMachineState(controlPlane)).bootId).toBe(bootId);
  });

  it("shuts a node down", async () => {
    expect((await worker.shutdown({ force: true })).actorId).not.toBe("");
    await patiently("the end", async () => {
      expect(await outcome(worker.version({ timeoutMs: 2000 }))).toMatchObject({
        code: "unreachable",
      });
    });
  });
});
