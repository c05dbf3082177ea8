import { Faults } from "../../../emulator/talos/faults/faults";
import type { KubernetesStore } from "../../../emulator/talos/kubernetes/kubernetesStore";
import {
  startTalosNode,
  type NodeTimings,
  type TalosNode,
} from "../../../emulator/talos/talosNode";
import { TalosWorld } from "../../../emulator/talos/talosWorld";
import { protocol } from "../../../provider/api/protocol";
import { generateMachineConfig } from "../../../provider/config/generateMachineConfig";
import { applyPatches, type Patch } from "../../../provider/config/patches/patch";
import { encodeDocuments } from "../../../provider/config/yaml/encode";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { sharedSecrets } from "../../provider/pki/sharedSecrets";
import { RpcClient } from "./rpcClient";

const machine = protocol.machine.MachineService.service;

const taken = new Set<number>();

/** A number from 1 to 254 that no other cluster of this process has. */
function freeNumber(): number {
  const free = Array.from({ length: 254 }, (_, index) => index + 1).filter((n) => !taken.has(n));
  const number = free[Math.floor(Math.random() * free.length)];
  if (number === undefined) {
    throw new Error("254 clusters are up");
  }
  taken.add(number);
  return number;
}

/** A node and where it is. */
export interface SimulatedNode {
  readonly node: TalosNode;
  readonly address: string;
  readonly privateAddress: string;
  readonly instanceId: string;
}

/** A world of simulated nodes for one test file, on loopback addresses of its own. */
export class SimulatedCluster {
  readonly world = new TalosWorld();
  readonly lines: string[] = [];
  /** What machines run that are added next. */
  talosVersion = "v1.12.1";
  /** How `config` writes configurations. An older Talos can't read those of a newer contract. */
  versionContract = "v1.12";
  /** Puts faults into its nodes. */
  readonly faults = new Faults(() => this.nodes.map(({ node }) => node.faultTarget));
  private readonly prefix: string;
  private readonly nodes: SimulatedNode[] = [];
  private count = 0;
  private readonly clients: RpcClient[] = [];

  private constructor(
    readonly secrets: SecretsBundle,
    readonly timings: NodeTimings,
  ) {
    // From 127.64 on the addresses are those of whole emulators.
    this.prefix = `127.${2 + (process.pid % 60)}.${freeNumber()}`;
  }

  static async create(timings: Partial<NodeTimings> = {}): Promise<SimulatedCluster> {
    return new SimulatedCluster(await sharedSecrets(), {
      bootMs: 0,
      rebootMs: 0,
      joinMs: 0,
      ...timings,
    });
  }

  /** Switches on a node, on the next address unless another is given. */
  async add(
    userData?: string,
    givenAddress?: string,
    zone = "us-east-1a",
    networkId = "vpc-1",
  ): Promise<SimulatedNode> {
    this.count += 1;
    const number = this.count;
    const address = givenAddress ?? `${this.prefix}.${number}`;
    const privateAddress = `10.0.1.${number}`;
    const instanceId = `i-0123456789abcde${number}`;
    const node = await startTalosNode({
      address,
      privateAddress,
      networkId,
      hostname: `ip-10-0-1-${number}.ec2.internal`,
      instanceId,
      instanceType: "m6i.large",
      region: "us-east-1",
      zone,
      architecture: "amd64",
      talosVersion: this.talosVersion,
      ...(userData === undefined ? {} : { userData }),
      timings: this.timings,
      world: this.world,
      onLog: (line) => this.lines.push(line),
    });
    const added = { node, address, privateAddress, instanceId };
    this.nodes.push(added);
    return added;
  }

  /** URL of its Kubernetes API. */
  get endpoint(): string {
    return `https://${this.prefix}.1:6443`;
  }

  /** A machine configuration of this cluster. */
  config(machineType: "controlplane" | "worker", patches: readonly Patch[] = []): string {
    const documents = generateMachineConfig({
      clusterName: "sim",
      endpoint: this.endpoint,
      machineType,
      secretsBundle: this.secrets,
      versionContract: this.versionContract,
      kubernetesVersion: "1.35.0",
      installDisk: "/dev/xvda",
      installerImage: "factory.talos.dev/aws-installer/0:v1.12.1",
    });
    return encodeDocuments(applyPatches(documents, patches));
  }

  /** Three control planes and a worker, as far as asked for, configured by user data. */
  async addConfigured(controlPlanes: number, workers = 0): Promise<SimulatedNode[]> {
    const nodes: SimulatedNode[] = [];
    for (let index = 0; index < controlPlanes; index += 1) {
      nodes.push(await this.add(this.config("controlplane")));
    }
    for (let index = 0; index < workers; index += 1) {
      nodes.push(await this.add(this.config("worker")));
    }
    return nodes;
  }

  /** A client with the roles, the administrator's by default. */
  async client(
    { address }: Pick<SimulatedNode, "address">,
    roles: readonly string[] = ["os:admin"],
  ): Promise<RpcClient> {
    const { os } = this.secrets.certs;
    const certificate = await issueCertificate(os, {
      organizations: roles,
      usages: ["clientAuth"],
      notBefore: new Date(Date.now() - 60_000),
      notAfter: new Date(Date.now() + 3_600_000),
      keyType: "ed25519",
    });
    return this.track(RpcClient.secure(address, os.crt, certificate));
  }

  /** A client that nobody knows. */
  insecureClient({ address }: Pick<SimulatedNode, "address">): RpcClient {
    return this.track(RpcClient.insecure(address));
  }

  /** Has a client closed with the cluster. */
  track(client: RpcClient): RpcClient {
    this.clients.push(client);
    return client;
  }

  /** Bootstraps on a node and waits until so many members vote, and Kubernetes is served. */
  async bootstrap(node: SimulatedNode, voters: number): Promise<void> {
    const client = await this.client(node);
    await client.unary(machine.Bootstrap, {});
    await this.waitForVoters(node, voters);
    await this.kubernetes();
  }

  /** Waits until so many members vote in a node's etcd, and nobody learns. */
  async waitForVoters(node: SimulatedNode, voters: number): Promise<void> {
    const client = await this.client(node);
    await eventually(async () => {
      const { messages } = await client.unary(machine.EtcdMemberList, {}, { timeoutMs: 5_000 });
      const members = messages[0]?.members ?? [];
      return members.filter(({ isLearner }) => !isLearner).length === voters;
    });
  }

  /** The objects of its Kubernetes API, once a machine serves them: a moment after etcd is healthy. */
  async kubernetes(): Promise<KubernetesStore> {
    const find = () =>
      this.nodes
        .map(({ node }) => this.world.kubernetesOf(node.disk.config?.facts?.endpoint ?? ""))
        .find((store) => store !== undefined);
    await eventually(() => find() !== undefined);
    const store = find();
    if (store === undefined) {
      throw new Error("no machine serves Kubernetes any longer");
    }
    return store;
  }

  /** Switches everything off. */
  async stop(): Promise<void> {
    await this.faults.liftAll();
    for (const client of this.clients) {
      client.close();
    }
    await Promise.all(this.nodes.map(({ node }) => node.stop()));
    taken.delete(Number(this.prefix.split(".")[2]));
  }
}

/** Waits until a probe holds; what it throws counts as not yet. */
export async function eventually(
  probe: () => boolean | Promise<boolean>,
  timeoutMs = 100_000,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  let last: unknown = "it does not hold";
  while (Date.now() < deadline) {
    try {
      if (await probe()) {
        return;
      }
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
  throw new Error(`not within ${timeoutMs} ms`, { cause: last });
}
