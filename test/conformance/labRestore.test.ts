import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { takeSnapshot } from "../../cli/backup/takeSnapshot";
import { readSnapshotFacts } from "../../cli/restore/snapshotFacts";
import { TalosClient } from "../../provider/api/talosClient";
import { waitFor } from "../../provider/api/waitFor";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import { applyPatches } from "../../provider/config/patches/patch";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { lookAtEtcd } from "../../provider/lifecycle/etcd/lookAtEtcd";
import { wasBootstrapped } from "../../provider/lifecycle/etcd/wasBootstrapped";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../provider/pki/secretsBundle";
import { machineBootstrapHandler } from "../../provider/resources/machineBootstrap";
import { callEtcd } from "./support/etcdAccess";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";
import { describeWithTalosLab } from "./support/talosLab";

const address = (index: number) => `10.5.0.${index + 1}`;
const silent = { report: () => undefined, warn: () => undefined };

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosLab("a restore of etcd, on real Talos nodes", (lab) => {
  let credentials: ClientCredentials;
  let secretsBundle: SecretsBundle;
  let machineConfiguration: string;
  let folder: string;

  const machine = (index: number) => ({
    machineId: `i-${index}`,
    node: address(index),
    endpoint: address(index),
    privateAddress: address(index),
    credentials,
    timeoutSeconds: 200,
  });

  async function configure(index: number): Promise<void> {
    const wanted = { ...machine(index), machineConfiguration, patches: [], mode: "auto" };
    const apply = new ServedResource("ConfigurationApply");
    expect(await apply.up({ ...wanted, redactedConfiguration: "" })).toBe("created");
  }

  async function onMachine<Value>(
    index: number,
    ask: (client: TalosClient) => Promise<Value>,
  ): Promise<Value> {
    const client = TalosClient.connect({ endpoint: address(index), credentials });
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  }

  async function awaitVoters(index: number, count: number): Promise<void> {
    await waitFor<undefined>({
      what: `${count} members of etcd to vote`,
      deadlineMs: 150_000,
      isFatal: () => false,
      probe: async () => {
        const members = await onMachine(index, (client) => client.etcdMembers());
        const voters = members.filter(({ isLearner }) => !isLearner).length;
        return voters === count
          ? { done: true, value: undefined }
          : { done: false, status: `${voters} do` };
      },
    });
  }

  /** Calls etcd itself. */
  function etcd(index: number, path: string, body: object): Promise<string> {
    return callEtcd(address(index), secretsBundle.certs.etcd, path, body);
  }

  const base64 = (text: string) => Buffer.from(text).toString("base64");
  const put = (index: number, key: string) =>
    etcd(index, "/v3/kv/put", { key: base64(key), value: base64(`the value of ${key}`) });
  const has = async (index: number, key: string) =>
    (await etcd(index, "/v3/kv/range", { key: base64(key) })).includes(
      base64(`the value of ${key}`),
    );

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    folder = mkdtempSync(join(tmpdir(), "talos-aws-lab-restore-"));
    secretsBundle = await generateSecretsBundle();
    credentials = await issueClientCredentials(secretsBundle.certs.os, {
      roles: ["os:admin"],
      now: new Date(Date.now() - 60_000),
      lifetimeHours: 1,
    });
    const documents = generateMachineConfig({
      clusterName: "lab",
      endpoint: `https://${address(1)}:6443`,
      machineType: "controlplane",
      secretsBundle,
      versionContract: "v1.12",
      kubernetesVersion: LAB.kubernetes.next.slice(1),
      installDisk: "/dev/sda",
      installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
    });
    const patch = stringify(await lab.patch());
    machineConfiguration = encodeDocuments(applyPatches(documents, [patch]));
    await lab.up(["cp1:2", "cp2:3", "cp3:4"]);
    expect(await lookAtEtcd(machine(1))).toEqual({ kind: "unconfigured" });
    for (const index of [1, 2, 3]) {
      await configure(index);
    }
    await machineBootstrapHandler.create({ ...machine(1), peers: [] }, silent);
    await awaitVoters(1, 3);
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await lab.down();
    rmSync(folder, { recursive: true, force: true });
  });

  it("begins with a snapshot, which names no CA if there was no Kubernetes", async () => {
    await put(1, "before");
    const machines = [1, 2, 3].map((index) => ({
      name: `cp${index}`,
      role: "controlplane" as const,
      zone: "",
      instanceId: "",
      publicAddress: address(index),
      privateAddress: address(index),
    }));
    const endpoints = [1, 2, 3].map(address);
    const path = join(folder, "etcd.snapshot");
    await takeSnapshot(
      { machines, endpoints, credentials, kubeconfig: undefined },
      path,
      () => undefined,
    );
    expect(await readSnapshotFacts({ path }, undefined)).toMatchObject({ cluster: "unknown" });
    await put(1, "after");
    expect(await has(2, "after")).toBe(true);
  });

  it("reads which machines have etcd data, and whether etcd has its majority", async () => {
    const well = await lookAtEtcd(machine(3));
    expect(well).toMatchObject({ kind: "holding", state: "Running" });
    expect(well.kind === "holding" ? well.members : []).toHaveLength(3);
    await lab.stop("cp1");
    await lab.stop("cp2");
    expect(await lookAtEtcd(machine(1))).toMatchObject({ kind: "silent" });
    expect(await lookAtEtcd(machine(3))).toMatchObject({ kind: "holding", members: undefined });
  });

  it("recovers one machine once, and the others join it", async () => {
    // Else Talos asks these, which its discovery knows for half an hour, and joining takes five minutes.
    await lab.down();
    await lab.up(["cp4:5", "cp5:6", "cp6:7"]);
    for (const index of [4, 5, 6]) {
      await configure(index);
    }
    await waitFor<undefined>({
      what: "etcd to wait",
      deadlineMs: 60_000,
      isFatal: () => false,
      probe: async () => {
        const { kind } = await lookAtEtcd(machine(4));
        return kind === "waiting"
          ? { done: true, value: undefined }
          : { done: false, status: kind };
      },
    });
    const asked = (index: number) =>
      onMachine(index, (client) => wasBootstrapped(client, AbortSignal.timeout(30_000)));
    expect(await asked(4)).toBe(false);
    const path = join(folder, "etcd.snapshot");
    const { sha256 } = await readSnapshotFacts({ path }, undefined);
    const at = new Date().toISOString();
    const restoring = { path, sha256, skipHashCheck: false, at, phase: "recovering" } as const;
    const state = { node: address(1), restoring };
    const inputs = { ...machine(4), peers: [] };
    const done = { node: address(4), restored: { sha256, at } };
    expect(await machineBootstrapHandler.update("", state, inputs, silent)).toEqual(done);
    expect(await asked(4)).toBe(true);
    // As after a run that was killed before it recorded that.
    expect(await machineBootstrapHandler.update("", state, inputs, silent)).toEqual(done);
    await awaitVoters(4, 3);
    for (const index of [4, 5, 6]) {
      expect([await has(index, "before"), await has(index, "after")]).toEqual([true, false]);
    }
  });
});
