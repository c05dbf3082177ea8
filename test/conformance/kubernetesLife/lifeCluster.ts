import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { TalosClient } from "../../../provider/api/talosClient";
import { waitFor } from "../../../provider/api/waitFor";
import { KubernetesApi, type KubernetesRequest } from "../../../provider/kubernetes/kubernetesApi";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import type { KubernetesLab, KubernetesLabSettings } from "../support/kubernetesLab";
import { ApiProbes, type HeardOfAll } from "./apiProbes";
import { LifeBalancer } from "./lifeBalancer";
import { lifeProgram } from "./lifeProgram";
import { type LifeRun, LifeStack } from "./lifeStack";
import { addressOf, type LifeWish, machinesOf, OCTETS } from "./lifeWish";
import { type MachineTruth, readTruth } from "./machineTruth";

const root = join(__dirname, "../../..");

/** Whether the cluster and its stack stay for the next run of a test. */
const KEEP = process.env.KUBERNETES_LIFE === "keep";

/** A busy computer brings up five machines in that time. */
const WELL_MS = 600_000;
const CALL_MS = 10_000;

/** A run of the engine, and what API servers answered meanwhile. */
export interface WatchedRun extends LifeRun {
  readonly heard: HeardOfAll;
  readonly seconds: number;
}

/** A cluster of real Kubernetes that a program of the product's resources makes and changes, by the real engine. */
export class LifeCluster {
  /** How often a machine's disk was wiped: each time it is another machine. */
  private readonly lives = new Map<string, number>();
  private kubeconfigText = "";
  private known: ClientCredentials | undefined;

  private constructor(
    readonly lab: KubernetesLab,
    readonly settings: KubernetesLabSettings,
    readonly balancer: LifeBalancer,
    readonly folder: string,
    private wanted: LifeWish,
  ) {}

  private runner: LifeStack | undefined;

  /**
   * Starts the machines and makes a cluster of them; takes up the one that an earlier run has kept.
   *
   * @param wish its first. A cluster that was kept is brought to it
   * @param options `isNew`: whether it must be another cluster than the one that was kept. Default:
   *   false
   */
  static async start(
    lab: KubernetesLab,
    wish: LifeWish,
    { isNew = false }: { readonly isNew?: boolean } = {},
  ): Promise<LifeCluster> {
    const settings = await lab.settings();
    const folder = join(root, ".cache/test/kubernetes-life");
    const nodes = await lab.nodes();
    const isKept = KEEP && !isNew && existsSync(folder) && nodes.length > 0;
    if (!isKept) {
      await lab.down();
      await rm(folder, { recursive: true, force: true });
    }
    const cluster = new LifeCluster(lab, settings, new LifeBalancer(settings.host), folder, wish);
    await lab.up(machinesOf(wish).map((name) => `${name}:${OCTETS[name] ?? ""}`));
    await cluster.balancer.start();
    await cluster.open();
    await cluster.settle();
    return cluster;
  }

  /** The program's wish. */
  get wish(): LifeWish {
    return this.wanted;
  }

  get stack(): LifeStack {
    if (this.runner === undefined) {
      throw new Error("the stack is not open");
    }
    return this.runner;
  }

  /** What a machine is called in its cluster's program. */
  machineId(name: string): string {
    return `i-${name}-${this.lives.get(name) ?? 1}`;
  }

  /** Writes a change into the program. */
  want(change: Partial<LifeWish>): void {
    this.wanted = { ...this.wanted, ...change };
    this.balancer.serve(this.wanted.controlPlanes);
  }

  /** An ordinary `up` while API servers are asked. */
  async up(): Promise<WatchedRun> {
    const began = Date.now();
    const names = this.wanted.controlPlanes;
    const api = this.kubeconfigText === "" ? undefined : new KubernetesApi(this.kubeconfigText);
    const probes =
      api &&
      new ApiProbes(
        Object.fromEntries(names.map((name) => [name, addressOf(name)])),
        this.balancer.host,
        () => api,
      );
    const run = await this.stack.up();
    const heard = (await probes?.stop()) ?? { of: {}, mostAway: 0 };
    const watched = { ...run, heard, seconds: Math.round((Date.now() - began) / 1_000) };
    note(watched);
    if (run.succeeded) {
      await this.learn();
    }
    return watched;
  }

  /** An `up` that has to succeed; the cluster is well afterwards, and nothing is left to change. */
  async settle(): Promise<WatchedRun> {
    this.balancer.serve(this.wanted.controlPlanes);
    const run = await this.up();
    if (!run.succeeded) {
      throw new Error(run.said);
    }
    await this.awaitWell();
    return run;
  }

  /** Asks Kubernetes as its administrator, at the balancer. */
  async ask<Value>(path: string): Promise<Value> {
    return JSON.parse(await this.send({ method: "GET", path })) as Value;
  }

  /** Sends a request as the administrator, at the balancer. */
  send(request: KubernetesRequest): Promise<string> {
    return new KubernetesApi(this.kubeconfigText).send(request, { timeoutMs: CALL_MS });
  }

  /** The administrator's kubeconfig, as the last run has it. */
  get kubeconfig(): string {
    return this.kubeconfigText;
  }

  get credentials(): ClientCredentials {
    if (this.known === undefined) {
      throw new Error("no run has succeeded yet");
    }
    return this.known;
  }

  /** Asks a machine's Talos. */
  async onMachine<Value>(
    name: string,
    ask: (client: TalosClient) => Promise<Value>,
  ): Promise<Value> {
    const client = TalosClient.connect({
      endpoint: addressOf(name),
      credentials: this.credentials,
    });
    try {
      return await ask(client);
    } finally {
      client.close();
    }
  }

  /** What each machine was told and made of it. */
  async truths(): Promise<Record<string, MachineTruth>> {
    const names = machinesOf(this.wanted);
    const truths = await Promise.all(names.map((name) => this.onMachine(name, readTruth)));
    return Object.fromEntries(names.map((name, index) => [name, truths[index]] as const)) as Record<
      string,
      MachineTruth
    >;
  }

  /** Makes another machine of the same name and address, without a configuration. */
  async replaceMachine(name: string): Promise<void> {
    this.lives.set(name, (this.lives.get(name) ?? 1) + 1);
    await this.lab.wipe(name);
    await this.lab.up([`${name}:${OCTETS[name] ?? ""}`]);
  }

  /** Waits until each machine runs what it was told, and Kubernetes says that all is ready. */
  async awaitWell(): Promise<void> {
    await waitFor<undefined>({
      what: "the cluster to be well",
      deadlineMs: WELL_MS,
      isFatal: () => false,
      probe: async () => {
        const problems = await this.problems();
        return problems.length === 0
          ? { done: true, value: undefined }
          : { done: false, status: problems.join(", ") };
      },
    });
  }

  /** Everything that isn't as it should be; empty in a cluster that is well. */
  async problems(): Promise<string[]> {
    const truths = Object.entries(await this.truths());
    const pods = await this.ask<PodList>("/api/v1/namespaces/kube-system/pods");
    const { items: nodes } = await this.ask<NodeList>("/api/v1/nodes");
    const versions = new Map(
      pods.items.map(({ metadata, spec }) => [
        `${metadata.labels?.["k8s-app"] ?? ""} ${spec.nodeName ?? ""}`,
        metadata.annotations?.["talos.dev/config-version"],
      ]),
    );
    const nodeNames = new Map(
      nodes.map(({ metadata, status }) => [
        status.addresses.find(({ type }) => type === "InternalIP")?.address,
        metadata.name,
      ]),
    );
    return [
      ...truths.flatMap(([name, truth]) => [
        ...truth.unwell.map((service) => `${name}: ${service}`),
        ...Object.entries(truth.derived).flatMap(([component, version]) => {
          const rendered = truth.rendered[component];
          const running = versions.get(`${component} ${nodeNames.get(addressOf(name)) ?? ""}`);
          return rendered === version && running === version
            ? []
            : [
                `${name}: ${component} has version ${version}, rendered ${rendered}, runs ${running}`,
              ];
        }),
      ]),
      ...pods.items.filter((pod) => !isReady(pod)).map(({ metadata }) => `pod ${metadata.name}`),
      ...nodes
        .filter((node) => !isReady(node) || node.spec.unschedulable === true)
        .map(({ metadata }) => `node ${metadata.name}`),
      ...(nodes.length === truths.length ? [] : [`${nodes.length} nodes`]),
    ];
  }

  async close(): Promise<void> {
    await this.balancer.close();
    if (!KEEP) {
      await this.lab.down();
      await rm(this.folder, { recursive: true, force: true });
    }
  }

  private async open(): Promise<void> {
    this.balancer.serve(this.wanted.controlPlanes);
    const { patches } = this.settings;
    const program = lifeProgram(() => this.wanted, {
      balancer: this.balancer.host,
      labPatches: patches,
      machineId: (name) => this.machineId(name),
    });
    this.runner = await LifeStack.open(this.folder, program);
    await this.learn();
  }

  /** Reads the access to the cluster from the stack. */
  private async learn(): Promise<void> {
    const { kubeconfig = "", credentials } = await this.stack.outputs<{
      readonly kubeconfig?: string;
      readonly credentials?: ClientCredentials;
    }>();
    this.kubeconfigText = kubeconfig;
    this.known = credentials;
  }
}

interface Condition {
  readonly type: string;
  readonly status: string;
}

/** Parts of a list of pods. */
export interface PodList {
  readonly items: readonly {
    readonly metadata: {
      readonly name: string;
      readonly namespace: string;
      readonly labels?: Readonly<Record<string, string>>;
      readonly ownerReferences?: readonly { readonly kind: string }[];
      readonly annotations?: Readonly<Record<string, string>>;
    };
    readonly spec: { readonly nodeName?: string };
    readonly status: {
      readonly conditions?: readonly Condition[];
      readonly containerStatuses?: readonly {
        readonly image: string;
        readonly imageID: string;
        readonly ready: boolean;
      }[];
    };
  }[];
}

/** Parts of a list of nodes. */
export interface NodeList {
  readonly items: readonly {
    readonly metadata: { readonly name: string };
    readonly spec: { readonly unschedulable?: boolean };
    readonly status: {
      readonly conditions?: readonly Condition[];
      readonly addresses: readonly { readonly type: string; readonly address: string }[];
      readonly nodeInfo: { readonly kubeletVersion: string };
    };
  }[];
}

function isReady({
  status,
}: {
  readonly status: { readonly conditions?: readonly Condition[] };
}): boolean {
  return (status.conditions ?? []).some(
    ({ type, status: is }) => type === "Ready" && is === "True",
  );
}

/** Prints a run: the life's report. */
function note({ seconds, succeeded, said, steps, heard }: WatchedRun): void {
  const probes = Object.entries(heard.of).map(
    ([name, { asked, failed, longestGapMs }]) => `${name} ${failed}/${asked} (${longestGapMs} ms)`,
  );
  console.info(
    [
      `up: ${succeeded ? "done" : "failed"} after ${seconds} s`,
      `  steps: ${steps.join(", ")}`,
      `  probes: ${probes.join(", ")}; most API servers away at once: ${heard.mostAway}`,
      ...(said === "" ? [] : [`  said: ${said}`]),
    ].join("\n"),
  );
}
