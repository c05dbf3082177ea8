import { stringify } from "yaml";
import { TalosClient } from "../../provider/api/talosClient";
import { waitFor } from "../../provider/api/waitFor";
import { generateMachineConfig } from "../../provider/config/generateMachineConfig";
import type { Patch } from "../../provider/config/patches/patch";
import { encodeDocuments } from "../../provider/config/yaml/encode";
import { readStatus } from "../../provider/lifecycle/delivery/deliverConfiguration";
import {
  type ClientCredentials,
  issueClientCredentials,
} from "../../provider/pki/clientCredentials";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";
import { clusterHealthHandler } from "../../provider/resources/clusterHealth";
import { recordedProgress } from "../provider/progress";
import { bootstrapWhenReady } from "./support/bootstrapWhenReady";
import { LAB } from "./support/labRelease";
import { ServedResource } from "./support/servedResource";
import { describeWithTalosLab } from "./support/talosLab";

const node = "10.5.0.2";
const etcd = (settings: object): Patch => ({ cluster: { etcd: { ...settings } } });

// One cluster's life: each test goes on where the one before it ended.
describeWithTalosLab("etcd's settings, on a real Talos node", (lab) => {
  const machine = new ServedResource("ConfigurationApply");
  let inputs: (patches: readonly Patch[]) => object;
  let client: TalosClient;
  let given: ClientCredentials;

  /** The machine's boot, and etcd's state with its last message. */
  const look = async () => {
    const [{ boot }, services] = await Promise.all([readStatus(client, {}), client.services()]);
    const service = services.find(({ id }) => id === "etcd");
    return { boot, service, text: `${service?.state}: ${service?.events.at(-1)?.message}` };
  };
  const until = (what: string, isThere: (seen: Awaited<ReturnType<typeof look>>) => boolean) =>
    waitFor<string>({
      what,
      deadlineMs: 120_000,
      probe: async () => {
        const seen = await look();
        return isThere(seen)
          ? { done: true, value: seen.boot }
          : { done: false, status: seen.text };
      },
    });
  const isHealthy = ({ service }: Awaited<ReturnType<typeof look>>) =>
    service?.state === "Running" && service.healthy;

  beforeAll(async () => {
    vi.spyOn(process.stdout, "write").mockReturnValue(true);
    vi.spyOn(process.stderr, "write").mockReturnValue(true);
    const secretsBundle = await generateSecretsBundle();
    given = await issueClientCredentials(secretsBundle.certs.os, {
      roles: ["os:admin"],
      now: new Date(Date.now() - 60_000),
      lifetimeHours: 1,
    });
    const machineConfiguration = encodeDocuments(
      generateMachineConfig({
        clusterName: "lab",
        endpoint: `https://${node}:6443`,
        machineType: "controlplane",
        secretsBundle,
        versionContract: "v1.12",
        kubernetesVersion: LAB.kubernetes.next.slice(1),
        installDisk: "/dev/sda",
        installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
      }),
    );
    const own = stringify(await lab.patch());
    inputs = (patches) => ({
      machineId: "i-1",
      node,
      endpoint: node,
      privateAddress: node,
      credentials: given,
      timeoutSeconds: 120,
      mode: "auto",
      machineConfiguration,
      patches: [own, ...patches],
      redactedConfiguration: "",
    });
    client = TalosClient.connect({ endpoint: node, credentials: given });
    await lab.up(["cp1:2", "cp2:3"]);
    await machine.up(inputs([]));
    await until("the machine to be bootstrapped", ({ service }) => service?.state === "Preparing");
    await bootstrapWhenReady(client);
    await until("etcd", isHealthy);
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    client.close();
    await lab.down();
  });

  it("stay as they are if its image can't be pulled", async () => {
    const { boot } = await look();
    await expect(
      machine.up(inputs([etcd({ image: "registry.k8s.io/etcd:v9.9.9" })])),
    ).rejects.toThrow(
      /can't pull etcd's image "registry\.k8s\.io\/etcd:v9\.9\.9": .*not found.* It was not changed/,
    );
    expect(isHealthy(await look())).toBe(true);
    expect((await look()).boot).toBe(boot);
  });

  it("take effect with a reboot, also those with which it doesn't start", async () => {
    const { boot } = await look();
    await machine.up(inputs([etcd({ extraArgs: { "election-timeout": "100" } })]));
    await until("etcd to fail", ({ text }) =>
      text.includes("Error running Containerd(etcd), going to restart forever"),
    );
    expect((await look()).boot).not.toBe(boot);
  });

  it("are taken back with another reboot", async () => {
    const { boot } = await look();
    await machine.up(inputs([]));
    expect(await until("etcd", isHealthy)).not.toBe(boot);
  });

  it("don't keep a machine out that has left: its return is found", async () => {
    const other = "10.5.0.3";
    const credentials = given;
    const reach = { node: other, endpoint: other, privateAddress: other };
    await new ServedResource("ConfigurationApply").up({
      ...inputs([]),
      ...reach,
      machineId: "i-2",
    });
    const removed = TalosClient.connect({ endpoint: other, credentials });
    const members = async () => (await client.etcdMembers()).filter(({ isLearner }) => !isLearner);
    const untilMembers = (count: number) =>
      waitFor<undefined>({
        what: `${count} members`,
        deadlineMs: 120_000,
        probe: async () => {
          const { length } = await members();
          return length === count
            ? { done: true, value: undefined }
            : { done: false, status: `${length}` };
        },
      });
    try {
      await untilMembers(2);
      await removed.etcdLeave({ timeoutMs: 60_000 });
      await untilMembers(1);
      const known = { controlPlaneNodes: [node], gates: ["etcd" as const], credentials };
      const state = { ...known, workerNodes: [], triggers: [] };
      const progress = recordedProgress();
      await clusterHealthHandler.read?.("health", state, progress);
      expect(progress.warnings).toEqual([]);
      await removed.reboot({});
      await untilMembers(2);
      await clusterHealthHandler.read?.("health", state, progress);
      expect(progress.warnings).toEqual([
        expect.stringContaining(`(${other}), and its machine is none`),
      ]);
    } finally {
      removed.close();
    }
  });
});
