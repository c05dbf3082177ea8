import {
  planSecretboxKeys,
  planSecretsEncryption,
} from "../../../components/cluster/plan/planSecretsKeys";
import { TalosClient } from "../../../provider/api/talosClient";
import { kmsProviderName } from "../../../provider/config/generate/kmsPlugin";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { applyPatches } from "../../../provider/config/patches/patch";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { readStatus } from "../../../provider/lifecycle/delivery/deliverConfiguration";
import { KubernetesAccess } from "../../../provider/lifecycle/kubernetes/kubernetesAccess";
import { generateKeyOrToken } from "../../../provider/pki/rotation/generateKeyOrToken";
import { withKeyOrToken } from "../../../provider/pki/rotation/rotatedBundle";
import type { Rotation, RotationStep } from "../../../provider/pki/rotation/rotation";
import { outlineMachineConfiguration } from "../../../provider/render/renderMachineConfiguration";
import { eventually } from "../../emulator/support/eventually";
import { storedUnder } from "./etcdAccess";
import type { KubernetesLab, KubernetesLabSettings } from "./kubernetesLab";
import { type LabCluster, makeLabCluster } from "./labCluster";
import type { LabKms } from "./labKms";
import { LAB } from "./labRelease";
import { RestartWatch } from "./restartWatch";
import { ServedResource } from "./servedResource";

/** The registry of the plugin's image in configurations, which has a mirror here. */
const IMAGES = "images.example.com";
const PLUGIN_IMAGE = `${IMAGES}/aws-encryption-provider:v0.0.0`;

const PLAIN = "nobody may read this in etcd";
const SECRETBOX_PREFIX = "k8s:enc:secretbox:v1:key2:";
const IN_ETCD = "/registry/secrets/";
const SECRETS = "/api/v1/namespaces/default/secrets";
const PODS = "/api/v1/namespaces/kube-system/pods";
const STATIC_PODS = "StaticPods.kubernetes.talos.dev";
const CALL_MS = 10_000;

interface Named {
  readonly metadata: { readonly name: string };
}

/** What all lives share. */
export interface SecretsLab {
  readonly lab: KubernetesLab;
  readonly settings: KubernetesLabSettings;
  readonly kms: LabKms;
  /** Where the plugin's image is. */
  readonly imagesUrl: string;
}

/** The life of a cluster with one machine, whose Secrets go from one key to another. */
export class SecretsLife {
  private readonly machine = new ServedResource("ConfigurationApply");
  private readonly gate = new ServedResource("RotationGate");
  private readonly written: string[] = [];
  private access: KubernetesAccess | undefined;
  private boot = "";

  private constructor(
    private readonly node: string,
    private readonly kmsKeyArns: Readonly<Record<string, string>>,
    private readonly shared: SecretsLab,
    private readonly cluster: LabCluster,
    private readonly nextSecretboxKey: string,
  ) {}

  /** @param keys who encrypts, from generation 1 on */
  static async prepare(
    node: string,
    keys: readonly ("kms" | "secretbox")[],
    shared: SecretsLab,
  ): Promise<SecretsLife> {
    const arns = await Promise.all(
      keys.map(async (key, index) =>
        key === "kms" ? [[index + 1, await shared.kms.makeKey()] as const] : [],
      ),
    );
    return new SecretsLife(
      node,
      Object.fromEntries(arns.flat()),
      shared,
      await makeLabCluster(shared.lab, node),
      await generateKeyOrToken("secretboxKey"),
    );
  }

  /** Boots with its first configuration, and writes a Secret. */
  async begin(): Promise<void> {
    await this.machine.up({
      ...this.reach,
      privateAddress: this.node,
      timeoutSeconds: 600,
      patches: [],
      mode: "auto",
      machineConfiguration: encodeDocuments(this.documents()),
      redactedConfiguration: "",
      settledSeconds: 5,
    });
    const bootstrap = new ServedResource("MachineBootstrap");
    await bootstrap.up({ ...this.reach, timeoutSeconds: 600, peers: [] });
    await eventually(() => this.write("born"), 300_000);
    await this.passGate(undefined);
    this.boot = await this.currentBoot();
  }

  /**
   * Goes to a stage as an update does, while its API server is asked for all Secrets, and writes a Secret. Only the
   * server's own restart may interrupt the answers.
   */
  async reachStage(step: RotationStep): Promise<void> {
    await this.passGate(step);
    if (step.stage === "drop") {
      expect(await this.prefixes()).toEqual([this.prefixOf(step.to)]);
    }
    const watch = new RestartWatch(() => this.list());
    try {
      await this.apply(this.documents(step));
      await watch.awaitRestart();
      const name = `${step.to}-${step.stage}`;
      await this.write(name);
      await this.areReadable();
      const issuing = step.stage === "accept" ? step.to - 1 : step.to;
      expect(await this.prefixOfStored(name)).toBe(this.prefixOf(issuing));
    } finally {
      const outages = await watch.stop();
      expect(outages).toHaveLength(1);
      expect(JSON.stringify(outages)).not.toMatch(/transform|decrypt/);
    }
    expect(await this.currentBoot()).toBe(this.boot);
    expect(await this.changedPlugins()).toEqual([]);
  }

  /** Runs something while no plugin is there, and waits until it is back. */
  async withoutPlugin(run: () => Promise<void>): Promise<void> {
    const documents = this.documents();
    const isThere = async (expected: boolean) => {
      const { items } = await this.read<{ items: readonly Named[] }>(PODS);
      const names = items.map(({ metadata }) => metadata.name);
      expect(names.some((name) => name.startsWith("kms-plugin-"))).toBe(expected);
    };
    await eventually(() => isThere(true));
    await this.apply(documents.filter(({ kind }) => kind !== "KubeStaticPodConfig"));
    await eventually(() => isThere(false));
    await run();
    await this.apply(documents);
    await eventually(() => isThere(true));
  }

  /** Gives the machine the configuration of a stage, without what comes before it in an update. */
  async force(step: RotationStep): Promise<void> {
    await this.apply(this.documents(step));
  }

  /** Every Secret can be listed, and each that was written can be read by itself. */
  async areReadable(): Promise<void> {
    const { items } = await this.list();
    expect(items.map(({ metadata }) => metadata.name)).toEqual(
      expect.arrayContaining(this.written),
    );
    for (const name of this.written) {
      const { data } = await this.read<{ data: object }>(`${SECRETS}/${name}`);
      expect(data, name).toEqual({ text: Buffer.from(PLAIN).toString("base64") });
    }
  }

  async write(name: string): Promise<void> {
    const metadata = { name };
    const body = { apiVersion: "v1", kind: "Secret", metadata, stringData: { text: PLAIN } };
    const access = await this.open();
    await access.send({ method: "POST", path: SECRETS, body }, AbortSignal.timeout(CALL_MS));
    this.written.push(name);
  }

  list(): Promise<{ readonly items: readonly Named[] }> {
    return this.read("/api/v1/secrets");
  }

  /** How the values of all Secrets begin in etcd, each once. None has the text itself. */
  async prefixes(): Promise<readonly string[]> {
    return [...new Set((await this.stored()).values())];
  }

  /** How what a generation encrypts begins. */
  prefixOf(generation: number): string {
    const arn = this.kmsKeyArns[generation];
    return arn === undefined ? SECRETBOX_PREFIX : `k8s:enc:kms:v2:${kmsProviderName(arn)}:`;
  }

  private async prefixOfStored(name: string): Promise<string | undefined> {
    return (await this.stored()).get(`default/${name}`);
  }

  private async stored(): Promise<ReadonlyMap<string, string>> {
    const authority = this.cluster.secretsBundle.certs.etcd;
    const found = await storedUnder(this.node, authority, IN_ETCD);
    return new Map(
      [...found].map(([key, value]) => {
        expect(value).not.toContain(PLAIN);
        const [prefix = ""] = /^k8s:enc:[a-z]+:v\d:[^:]+:/.exec(value) ?? [];
        return [key.slice(IN_ETCD.length), prefix];
      }),
    );
  }

  private currentBoot(): Promise<string> {
    return this.withClient(async (client) => (await readStatus(client, {})).boot);
  }

  /** Plugins that aren't as they first came: one that changes is away while the API server starts. */
  private changedPlugins(): Promise<readonly string[]> {
    return this.withClient(async (client) => {
      const pods = await client.listResources({ namespace: "k8s", type: STATIC_PODS });
      const plugins = pods.filter(({ id }) => id.startsWith("kms-plugin-"));
      return plugins.filter(({ version }) => version !== "1").map(({ id }) => id);
    });
  }

  private get reach() {
    const { node, cluster } = this;
    return { machineId: `i-${node}`, node, endpoint: node, credentials: cluster.credentials };
  }

  /** What `TalosCluster` has its control planes run in a stage. */
  private documents(step?: RotationStep): ConfigDocument[] {
    const { settings, kms, imagesUrl } = this.shared;
    const args = {
      secretsEncryption: { pluginImage: PLUGIN_IMAGE, kmsKeyArns: this.kmsKeyArns },
      rotation: rotationOf(step),
    };
    const planned = planSecretsEncryption(args);
    const { bundled } = planSecretboxKeys(args);
    const { secretsBundle: first } = this.cluster;
    const made = generateMachineConfig({
      clusterName: "lab",
      endpoint: `https://${this.node}:6443`,
      machineType: "controlplane",
      secretsBundle:
        bundled === 1 ? first : withKeyOrToken(first, "secretboxKey", this.nextSecretboxKey),
      secretsEncryption: planned && { ...planned, providers: planned.providers.map(String) },
      registryMirrors: { [IMAGES]: [imagesUrl] },
      talosVersion: LAB.talos,
      versionContract: "v1.14",
      kubernetesVersion: LAB.kubernetes.next.slice(1),
      installDisk: "/dev/sda",
      installerImage: `factory.talos.dev/installer/0:${LAB.talos}`,
    });
    return kms.leadHere(applyPatches(made, [...settings.documents.controlplane]));
  }

  /** What `RotationGate` does before a stage. */
  private async passGate(step: RotationStep | undefined): Promise<void> {
    await this.gate.up({
      ...this.reach,
      redactedConfiguration: outlineMachineConfiguration(this.documents(step)),
      rotation: rotationOf(step),
      timeoutSeconds: 300,
      rewriteTimeoutSeconds: 300,
    });
  }

  /** Doesn't wait for the pods' reports, which come minutes after the only API server's restart. */
  private async apply(documents: readonly ConfigDocument[]): Promise<void> {
    const data = encodeDocuments(documents);
    await this.withClient((client) => client.applyConfiguration({ data, mode: "AUTO" }));
  }

  private async withClient<Answer>(ask: (client: TalosClient) => Promise<Answer>): Promise<Answer> {
    const client = TalosClient.connect(this.reach);
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  }

  private async read<Found>(path: string): Promise<Found> {
    return (await this.open()).read<Found>(path, AbortSignal.timeout(CALL_MS));
  }

  private async open(): Promise<KubernetesAccess> {
    this.access ??= await KubernetesAccess.open([this.reach], AbortSignal.timeout(CALL_MS));
    return this.access;
  }
}

function rotationOf(step: RotationStep | undefined): Rotation {
  return step === undefined ? {} : { secretboxKey: step };
}
