import { parse } from "yaml";
import { type ClusterNode, TalosCluster, type TalosClusterArgs } from "../../../components";
import type { EmulatedNode } from "../../../emulator";
import { TalosClient } from "../../../provider/api/talosClient";
import { KubernetesApi } from "../../../provider/kubernetes/kubernetesApi";
import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import { eventually } from "../../emulator/support/eventually";
import { controlPlaneAlone, FOLLOW_MS } from "../../engine/support/controlPlaneLife";
import {
  type EngineWorld,
  type EngineWorldOptions,
  startEngineWorld,
} from "../../engine/support/engineWorld";
import { outputsIn, storedResources } from "../../engine/support/storedResources";
import { terminateMachine } from "../../engine/support/terminateMachine";

const ENDPOINT = "k8s.local.talos.example";
const ASK_TIMEOUT_MS = 60_000;
/** So long a machine's etcd may take to answer before the next one is asked. */
const ETCD_TIMEOUT_MS = 2_000;

/** What people have fetched of a cluster. */
interface Access {
  readonly kubeconfig: string;
  readonly talosconfig: string;
}

/** A cluster named `c` as people grow it: its arguments change, and the engine follows. */
export class GrownCluster {
  /** Roles by instance, as the last update has them: real machines don't show their configuration. */
  private readonly roles = new Map<string, ClusterNode["role"]>();

  private constructor(
    readonly world: EngineWorld,
    private readonly current: { args: TalosClusterArgs },
  ) {}

  /** Starts a world and brings the cluster up in it. */
  static async start(
    args: Partial<TalosClusterArgs> & Pick<TalosClusterArgs, "network">,
    options: Pick<EngineWorldOptions, "machines"> = {},
  ): Promise<GrownCluster> {
    const current: { args: TalosClusterArgs } = { args: { ...controlPlaneAlone, ...args } };
    const world = await startEngineWorld({
      ...options,
      ordinaryEngine: true,
      program: () => {
        const { nodes, kubeconfig, talosconfig } = new TalosCluster("c", current.args);
        return Promise.resolve({ nodes, kubeconfig, talosconfig });
      },
    });
    try {
      const cluster = new GrownCluster(world, current);
      await cluster.up();
      return cluster;
    } catch (error) {
      await world.close();
      throw error;
    }
  }

  /** Changes what is wanted; `undefined` takes an argument out. */
  want(change: { [Key in keyof TalosClusterArgs]?: TalosClusterArgs[Key] | undefined }): void {
    const wanted = Object.entries({ ...this.current.args, ...change });
    const given = Object.fromEntries(wanted.filter(([, value]) => value !== undefined));
    this.current.args = given as unknown as TalosClusterArgs;
  }

  /** Wants these arguments, and no others. */
  replaceArgs(args: TalosClusterArgs): void {
    this.current.args = args;
  }

  get args(): TalosClusterArgs {
    return this.current.args;
  }

  async up(options: object = {}): Promise<void> {
    const { stack, record } = this.world;
    await stack.up({ ...record, ...options });
    await this.learnRoles();
  }

  /** Real machines keep their configuration to themselves, so the program tells their roles. */
  private async learnRoles(): Promise<void> {
    for (const { instanceId, role } of await this.nodes()) {
      this.roles.set(instanceId, role);
    }
  }

  /** What a preview with a refresh would do, by operation. */
  async left(): Promise<string[]> {
    const { stack, record } = this.world;
    const { changeSummary } = await stack.preview({ ...record, refresh: true });
    return Object.keys(changeSummary);
  }

  async nodes(): Promise<readonly ClusterNode[]> {
    return outputsIn(await storedResources(this.world.stack)).nodes as ClusterNode[];
  }

  /** The machines that are on, of one role. */
  machines(role: "controlplane" | "worker"): EmulatedNode[] {
    const all = this.world.emulator.nodes();
    return all.filter((node) => (this.roles.get(node.instanceId) ?? roleOf(node)) === role);
  }

  async access(): Promise<Access> {
    const outputs = outputsIn(await storedResources(this.world.stack));
    const [kubeconfig = "", talosconfig = ""] = ["kubeconfig", "talosconfig"].map((name) => {
      const { plaintext } = outputs[name] as { readonly plaintext: string };
      return JSON.parse(plaintext) as string;
    });
    return { kubeconfig, talosconfig };
  }

  /** Asks the API server that the load balancer chooses, over a connection of its own. */
  async ask(
    { kubeconfig }: Pick<Access, "kubeconfig">,
    path: string,
    body?: object,
  ): Promise<string> {
    // Another load balancer, for example in fewer zones, has another address.
    const [address = ""] = await this.world.emulator.resolve(ENDPOINT);
    const call = { address, port: 6443, timeoutMs: ASK_TIMEOUT_MS };
    const api = new KubernetesApi(kubeconfig);
    return api.send({ method: body === undefined ? "GET" : "POST", path, body }, call);
  }

  /** Names of the ConfigMaps that were stored in the namespace `default`. */
  async stored(): Promise<string[]> {
    const text = await this.ask(await this.access(), "/api/v1/namespaces/default/configmaps");
    const { items } = JSON.parse(text) as { items: { metadata: { name: string } }[] };
    const names = items.map(({ metadata }) => metadata.name);
    return names.filter((name) => name !== "kube-root-ca.crt").sort();
  }

  async store(name: string): Promise<void> {
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata: { name }, data: { word: name } };
    await this.create("/api/v1/namespaces/default/configmaps", body);
  }

  /** Creates an object of Kubernetes. */
  async create(path: string, body: object): Promise<void> {
    await this.ask(await this.access(), path, body);
  }

  /** How many pods of a deployment are available. */
  async availablePods(deployment: string): Promise<number> {
    const path = `/apis/apps/v1/namespaces/default/deployments/${deployment}`;
    const { status = {} } = JSON.parse(await this.ask(await this.access(), path)) as {
      readonly status?: { readonly availableReplicas?: number };
    };
    return status.availableReplicas ?? 0;
  }

  /** How many nodes have a label with this value. */
  async labelled(label: string, value: string): Promise<number> {
    const path = `/api/v1/nodes?labelSelector=${encodeURIComponent(`${label}=${value}`)}`;
    const { items } = JSON.parse(await this.ask(await this.access(), path)) as {
      readonly items: readonly unknown[];
    };
    return items.length;
  }

  /** Nodes of Kubernetes by name: whether each is Ready, takes pods, and has which kubelet. */
  async kubernetesNodes(): Promise<readonly KubernetesNodeFacts[]> {
    const { items } = JSON.parse(await this.ask(await this.access(), "/api/v1/nodes")) as {
      items: {
        metadata: { name: string };
        spec?: { unschedulable?: boolean };
        status: {
          nodeInfo: { kubeletVersion: string };
          conditions: { type: string; status: string }[];
        };
      }[];
    };
    return items.map(({ metadata, spec, status }) => ({
      name: metadata.name,
      isReady: status.conditions.some((each) => each.type === "Ready" && each.status === "True"),
      takesPods: spec?.unschedulable !== true,
      kubelet: status.nodeInfo.kubeletVersion,
    }));
  }

  /**
   * Ends machines as somebody in the AWS console does.
   *
   * @returns their ids, once the emulated cloud has followed
   */
  async terminate(...names: string[]): Promise<string[]> {
    const ids = (await this.nodes())
      .filter(({ name }) => names.includes(name))
      .map(({ instanceId }) => instanceId);
    expect(ids).toHaveLength(names.length);
    await Promise.all(ids.map((id) => terminateMachine(this.world, id)));
    await eventually(() => {
      const on = this.world.emulator.nodes().map(({ instanceId }) => instanceId);
      expect(on.filter((id) => ids.includes(id))).toEqual([]);
    }, FOLLOW_MS);
    return ids;
  }

  /** Who asks etcd; `close` it. */
  async etcdClient(): Promise<EtcdClient> {
    const { talosconfig } = await this.access();
    const { contexts } = parse(talosconfig) as { contexts: Record<string, ClientCredentials> };
    const [credentials = { ca: "", crt: "", key: "" }] = Object.values(contexts);
    return new EtcdClient(() => this.machines("controlplane"), credentials);
  }

  /** How many members of etcd vote. */
  async voters(): Promise<number> {
    // Updates that this class didn't begin, as a restore's, make machines too.
    await this.learnRoles();
    const etcd = await this.etcdClient();
    try {
      return await etcd.voters();
    } finally {
      etcd.close();
    }
  }
}

/** What Kubernetes says of a node. */
export interface KubernetesNodeFacts {
  readonly name: string;
  readonly isReady: boolean;
  readonly takesPods: boolean;
  readonly kubelet: string;
}

/** Asks whichever control plane machine answers for the members of etcd, which only a majority knows. */
export class EtcdClient {
  private readonly clients = new Map<string, TalosClient>();

  constructor(
    private readonly machines: () => readonly EmulatedNode[],
    private readonly credentials: ClientCredentials,
  ) {}

  /** @throws Error with what each machine said, when none has an etcd with a majority */
  async voters(): Promise<number> {
    const problems: string[] = [];
    const running = this.machines().filter(({ stage }) => stage === "running");
    for (const { address } of running) {
      const client =
        this.clients.get(address) ??
        TalosClient.connect({ endpoint: address, credentials: this.credentials });
      this.clients.set(address, client);
      try {
        const members = await client.etcdMembers({ timeoutMs: ETCD_TIMEOUT_MS });
        return members.filter(({ isLearner }) => !isLearner).length;
      } catch (error) {
        problems.push(`${address}: ${String(error)}`);
      }
    }
    throw new Error(`no etcd answers: ${problems.join("; ")}`);
  }

  close(): void {
    this.clients.forEach((client) => client.close());
  }
}

function roleOf({ machineConfiguration = "" }: EmulatedNode): "controlplane" | "worker" {
  return machineConfiguration.includes("type: controlplane") ? "controlplane" : "worker";
}
