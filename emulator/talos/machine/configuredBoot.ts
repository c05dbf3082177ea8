import { status } from "@grpc/grpc-js";
import { ApidServer } from "../apid/apidServer";
import { mayCall } from "../apid/methodRoles";
import { routeCall } from "../apid/routedCall";
import { configuredMethods } from "../api/configuredMethods";
import type { LoadedConfig } from "../config/loadConfig";
import type { MachineFacts } from "../config/machineFacts";
import { EtcdService } from "../etcd/etcdService";
import { ControlPlaneAgent } from "../kubernetes/controlPlaneAgent";
import { Kubelet } from "../kubernetes/kubelet";
import type { KubernetesStore, NodeRecord } from "../kubernetes/kubernetesStore";
import type { CallContext } from "../rpc/method";
import type { MethodTable } from "../rpc/methodTable";
import { RpcError } from "../rpc/rpcError";
import { TlsListener } from "../tls/tlsListener";
import type { ForwardTarget } from "../apid/forwarder";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { Boot, type BootHost } from "./boot";
import { configuredStatus, type MachineStatus } from "./machineStatus";
import { apidIdentity, apiServerIdentity, renewalMs, type NodeNames } from "./nodeCertificates";
import type { ActiveConfig, Peer } from "./nodeState";
import { nodeReport } from "./nodeReport";
import { apidPort, apiServerPort, trustdPort } from "./ports";
import { startConfiguredServices } from "./serviceCatalog";

/** A configuration that makes a machine a node of a cluster. */
export type ClusterConfig = LoadedConfig & { readonly facts: MachineFacts };

/** A machine that runs its configuration: a node of its cluster. */
export class ConfiguredBoot extends Boot {
  readonly etcd: EtcdService | undefined;
  readonly #methods: MethodTable;
  readonly #kubelet: Kubelet;
  readonly #controlPlane: ControlPlaneAgent | undefined;
  #active: ClusterConfig;
  #issuingCa: CertificateAndKey | undefined;
  #apid: ApidServer | undefined;
  #trustd: TlsListener | undefined;
  #cancelRenewal: (() => void) | undefined;
  #stopped = false;

  /** Nothing is open yet; `start` opens it. */
  constructor(host: BootHost, config: ClusterConfig) {
    super(host);
    this.#active = config;
    const isControlPlane = config.facts.machineType === "controlplane";
    this.etcd = isControlPlane ? this.#newEtcd() : undefined;
    this.#controlPlane = isControlPlane ? this.#newControlPlane() : undefined;
    this.#kubelet = new Kubelet({
      timers: this.timers,
      joinMs: host.joinMs,
      report: () => nodeReport(this, this.facts),
      findStore: () => this.kubernetes ?? host.world.kubernetesOf(this.facts.clusterId),
    });
    this.#methods = configuredMethods({
      state: this,
      control: host.control,
      resources: this.resources,
    });
  }

  /**
   * Gets its certificate, from its own CA or, as a worker, from a control plane that runs, then opens
   * its ports. Raises what `listen` raises. Resolves early when it is stopped meanwhile.
   */
  async start(): Promise<void> {
    const { address } = this.hardware;
    const [ownCa] = this.facts.acceptedCas;
    while (!this.#stopped && !this.#findIssuingCa(ownCa)) await this.timers.delay(pollMs);
    const identity = await this.#identity();
    if (!identity) return;
    startConfiguredServices(this.services, this.facts.machineType);
    this.etcd?.start();
    this.#apid = await ApidServer.start({
      address,
      port: apidPort,
      identity,
      requireClientCertificate: true,
      handle: (call) => routeCall(call, this.#apidNode()),
    });
    if (this.facts.machineType === "controlplane") {
      this.#trustd = await TlsListener.listen({
        address,
        port: trustdPort,
        identity,
        requestCertificate: false,
        protocols: ["h2"],
        onConnection: (socket) => socket.resume(),
      });
    }
    this.host.log(`${this.facts.machineType} of "${this.facts.clusterName}" is up`);
    this.worldChanged();
    this.#scheduleRenewal();
    this.host.world.changed();
  }

  /** What it does by its configuration. */
  get facts(): MachineFacts {
    return this.#active.facts;
  }

  /** The configuration that runs. */
  get active(): ClusterConfig {
    return this.#active;
  }

  get config(): ActiveConfig {
    const { text } = this.#active;
    return {
      facts: this.facts,
      active: text,
      persistent: this.host.disk.config?.text ?? text,
    };
  }

  get nodename(): string {
    return this.facts.registerWithFqdn ? this.hostname.fqdn : this.hostname.hostname;
  }

  get status(): MachineStatus {
    return configuredStatus({
      machineType: this.facts.machineType,
      nodename: this.nodename,
      services: this.services.list(),
      kubernetesNode: this.kubernetesNode,
      now: new Date(),
    });
  }

  get kubernetesNode(): NodeRecord | undefined {
    return this.#kubelet.node;
  }

  /** The objects of its own Kubernetes API server while that can read them. */
  get kubernetes(): KubernetesStore | undefined {
    const cluster = this.#controlPlane?.serving;
    return cluster?.hasQuorum === true ? cluster.kubernetes : undefined;
  }

  /** What it tells discovery. */
  get peer(): Peer | undefined {
    if (!this.facts.discoveryEnabled) return undefined;
    return {
      nodeId: this.nodeId,
      hostname: this.hostname,
      nodename: this.nodename,
      privateAddress: this.hardware.privateAddress,
      machineType: this.facts.machineType,
      talosVersion: this.talosVersion,
    };
  }

  get peers(): readonly Peer[] {
    return this.facts.discoveryEnabled ? this.host.world.peersOf(this.facts.clusterId) : [];
  }

  /** Whether its port is open. */
  get isListening(): boolean {
    return this.#apid !== undefined && !this.#stopped;
  }

  /** Runs another configuration from now on. */
  run(config: ClusterConfig): void {
    this.#active = config;
    this.#renew();
    this.#controlPlane?.renew();
    this.#kubelet.evaluate();
    this.resources.changed(configTypes);
    this.host.world.changed();
  }

  async *serve(path: string, request: Buffer, context: CallContext): AsyncIterable<Buffer> {
    this.#methods.requireService(path);
    if (!mayCall(context.roles, path)) {
      throw new RpcError(status.PERMISSION_DENIED, "not authorized");
    }
    yield* this.#methods.require(path).invoke(request, context);
  }

  worldChanged(): void {
    if (!this.isListening) return;
    this.etcd?.evaluate();
    this.#controlPlane?.evaluate();
    this.#kubelet.evaluate();
    this.resources.changed();
  }

  override async stop(graceMs: number): Promise<void> {
    this.#stopped = true;
    await super.stop(graceMs);
  }

  protected async close(graceMs: number): Promise<void> {
    this.etcd?.stop();
    this.#kubelet.stop();
    await Promise.all([
      this.#apid?.close(graceMs),
      this.#trustd?.close(),
      this.#controlPlane?.stop(),
    ]);
  }

  #newEtcd(): EtcdService {
    const { world, disk, joinMs } = this.host;
    return new EtcdService({
      services: this.services,
      timers: this.timers,
      joinMs,
      hostname: this.hostname.hostname,
      privateAddress: this.hardware.privateAddress,
      get data() {
        return disk.etcd;
      },
      set data(data) {
        disk.etcd = data;
      },
      findClusters: () => world.etcdClustersOf(this.facts.clusterId, this.facts.etcdCa),
      changed: () => world.changed(),
    });
  }

  #newControlPlane(): ControlPlaneAgent {
    const { address, architecture } = this.hardware;
    return new ControlPlaneAgent({
      address,
      port: apiServerPort,
      architecture,
      etcd: () => {
        const membership = this.etcd?.membership;
        return membership?.member.isLearner === false ? membership.cluster : undefined;
      },
      version: () => this.facts.apiServerVersion,
      identity: async () => {
        const { kubernetesCa } = this.facts;
        return kubernetesCa?.key
          ? apiServerIdentity(kubernetesCa, this.facts, this.#names())
          : undefined;
      },
      changed: () => this.host.world.changed(),
      failed: (error) => this.host.log(`kube-apiserver failed: ${String(error)}`),
    });
  }

  #names(): NodeNames {
    const { privateAddress, address } = this.hardware;
    return { hostname: this.hostname, privateAddress, address };
  }

  #apidNode() {
    const { world } = this.host;
    const issuingCa = this.#issuingCa;
    return {
      canForward: this.facts.machineType === "controlplane",
      caCertificate: issuingCa?.crt ?? "",
      isLocal: (target: string) => this.#isOwn(target),
      find: (target: string): ForwardTarget | undefined => world.find(target),
      serve: (path: string, request: Buffer, context: CallContext) =>
        this.serve(path, request, context),
    };
  }

  #isOwn(target: string): boolean {
    const { address, privateAddress } = this.hardware;
    const { hostname, fqdn } = this.hostname;
    return [address, privateAddress, hostname, fqdn].includes(target);
  }

  #findIssuingCa(certificate: string | undefined): boolean {
    const { osCa } = this.facts;
    this.#issuingCa =
      osCa?.key !== undefined && osCa.key !== ""
        ? osCa
        : this.host.world.issuingCaOf(osCa?.crt ?? certificate ?? "");
    return this.#issuingCa !== undefined;
  }

  async #identity() {
    if (!this.#issuingCa || this.#stopped) return undefined;
    return apidIdentity(this.#issuingCa, this.facts, this.#names());
  }

  #scheduleRenewal(): void {
    this.#cancelRenewal?.();
    this.#cancelRenewal = this.timers.after(renewalMs, () => this.#renew());
  }

  #renew(): void {
    this.#scheduleRenewal();
    this.#findIssuingCa(this.facts.acceptedCas[0]);
    this.#identity().then(
      (identity) => {
        if (identity) this.#apid?.setIdentity(identity);
      },
      (error: unknown) => this.host.log(`apid keeps its certificate: ${String(error)}`),
    );
  }
}

/** How often a worker asks again for its certificate while no control plane answers. */
const pollMs = 20;
const configTypes = ["MachineConfigs.config.talos.dev", "MachineTypes.config.talos.dev"];
