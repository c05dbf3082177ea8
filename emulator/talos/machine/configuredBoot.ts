import { status } from "@grpc/grpc-js";
import { talosMinor } from "../../../provider/config";
import { configuredMethods } from "../api/configuredMethods";
import { servesMaintenanceByMachined } from "../api/maintenanceMethods";
import type { ForwardTarget } from "../apid/forwarder";
import { mayCall } from "../apid/methodRoles";
import { routeCall } from "../apid/routedCall";
import type { ComponentFacts } from "../config/componentFacts";
import { factsOn, factsSinceBoot } from "../config/filesOfBoot";
import type { ClusterConfig, LoadedConfig } from "../config/loadConfig";
import type { MachineFacts } from "../config/machineFacts";
import { renderErrors } from "../config/renderErrors";
import { isolatesWorkloads } from "../config/workloadIsolation";
import { EtcdService } from "../etcd/etcdService";
import { etcdTrustOf } from "../etcd/etcdTrust";
import type { ContainerStatus } from "../kubernetes/containerStatus";
import type { NodeRecord } from "../kubernetes/nodeRecord";
import { restartPace } from "../kubernetes/restartPace";
import type { StaticPodDefinition, StaticPodSources } from "../kubernetes/staticPodDefinitions";
import type { SystemPod } from "../kubernetes/systemPods";
import type { CallContext } from "../rpc/method";
import type { MethodTable } from "../rpc/methodTable";
import { RpcError } from "../rpc/rpcError";
import { logStamp } from "../runtime/logBook";
import type { Uptime } from "../runtime/uptime";
import type { ServedKubernetes } from "../talosWorld";
import { ApiPorts } from "./apiPorts";
import { Boot, type BootHost } from "./boot";
import { runBootSequence } from "./bootSequence";
import { kubeSpanIdentity } from "./kubeSpanIdentity";
import { KubernetesNode } from "./kubernetesNode";
import { configuredStatus, type MachineStatus } from "./machineStatus";
import { apiServerIdentity, needsCertificates, type NodeNames } from "./nodeCertificates";
import { nodeReport } from "./nodeReport";
import type { ActiveConfig, Peer } from "./nodeState";
import {
  beginStart,
  finishStart,
  type ServiceRecipe,
  serviceRecipes,
  startService,
  stopService,
  stopWithDependents,
} from "./serviceCatalog";
import { trustdEndpoints } from "./trustdEndpoints";

const readers: CallContext["roles"] = new Set(["os:reader"]);

/** A boot with a configuration: the machine is a node of its cluster. */
export class ConfiguredBoot extends Boot {
  readonly etcd: EtcdService | undefined;
  private readonly methods: MethodTable;
  private readonly currentKubernetes: KubernetesNode;
  private readonly ports: ApiPorts;
  /**
   * Whether the next caller counts as a reader, whoever it is. From Talos v1.13 on, apid shows the
   * cluster's certificate a moment before it stops to serve maintenance mode. Sources: v1.14.1,
   * `apid/pkg/provider` and `runtime/api_service_config.go`; seen on real machines. A moment is one
   * call here.
   */
  private takesAllForReaders: boolean;
  private currentActive: ClusterConfig;
  private currentFacts: MachineFacts;

  /**
   * Opens no port. `start` does.
   *
   * @param startedFrom the configuration on the disk when the machine was switched on
   * @param hasLeftMaintenance whether it got its configuration in maintenance mode, in this boot
   */
  constructor(
    host: BootHost,
    uptime: Uptime,
    private readonly booted: ClusterConfig,
    private readonly startedFrom: LoadedConfig | undefined,
    hasLeftMaintenance: boolean,
  ) {
    super(host, uptime);
    this.takesAllForReaders = hasLeftMaintenance && servesMaintenanceByMachined(this.talosVersion);
    this.currentActive = booted;
    this.currentFacts = factsOn(booted, this.talosVersion);
    this.etcd = this.isControlPlane ? this.newEtcd() : undefined;
    this.currentKubernetes = this.newKubernetes();
    this.ports = this.newPorts();
    this.methods = configuredMethods({
      state: this,
      control: host.control,
      resources: this.resources,
      neighbours: {
        nodeAt: (address) => host.world.find(address, this.hardware.networkId)?.state,
        kubernetes: () => host.world.kubernetesOf(this.facts.endpoint),
      },
    });
  }

  /**
   * Begins the boot sequence, which ends when every service is up. Opens apid after its services have started
   * and it has a certificate. Resolves when apid is open, or early when the machine shuts down. Throws the errors of `listen`.
   */
  async start(): Promise<void> {
    this.begin();
    // The version shows later whether another configuration was applied.
    this.resources.changed(configTypes);
    beginStart(this.services, serviceRecipes.apid);
    await new Promise<void>((resolve) => {
      void runBootSequence({
        uptime: this.uptime,
        isControlPlane: this.isControlPlane,
        isolatesWorkloads: isolatesWorkloads(this.booted.documents, this.talosVersion),
        startEtcd: () => this.etcd?.start(),
        startTrustd: () => this.startTrustd(),
        startKubelet: () => {
          this.currentKubernetes.startKubelet();
          resolve();
        },
      }).then(() => resolve());
    });
    const identity = await this.ports.certificate();
    if (!identity) {
      return;
    }
    await this.ports.openApid(identity);
    if (!this.ports.isOpen) {
      return;
    }
    finishStart(this.services, serviceRecipes.apid);
    this.host.log(`${this.facts.machineType} of "${this.facts.clusterName}" is up`);
    this.worldChanged();
    this.host.world.changed();
  }

  /** The facts of its configuration. */
  get facts(): MachineFacts {
    return this.currentFacts;
  }

  /** The active configuration. */
  get active(): ClusterConfig {
    return this.currentActive;
  }

  get config(): ActiveConfig {
    const { text } = this.currentActive;
    return {
      facts: this.facts,
      active: text,
      persistent: this.host.disk.config?.text ?? text,
      isWrittenSinceStart: this.host.disk.config !== this.startedFrom,
    };
  }

  get nodename(): string {
    return this.facts.registerWithFqdn ? this.hostname.fqdn : this.hostname.hostname;
  }

  get status(): MachineStatus {
    return configuredStatus({
      stage: this.uptime.stage,
      machineType: this.facts.machineType,
      nodename: this.nodename,
      services: this.services.list(),
      staticPods: this.staticPodStatuses,
      kubernetesNode: this.kubernetesNode,
      now: new Date(),
    });
  }

  get kubernetesNode(): NodeRecord | undefined {
    return this.currentKubernetes.node;
  }

  get pods(): readonly SystemPod[] {
    return this.currentKubernetes.pods;
  }

  get staticPods(): readonly StaticPodDefinition[] {
    return this.currentKubernetes.staticPods;
  }

  deadContainerLog(id: string): readonly string[] | undefined {
    return this.currentKubernetes.deadContainerLog(id);
  }

  get staticPodSources(): StaticPodSources | undefined {
    return this.currentKubernetes.staticPodSources;
  }

  get renderedKubelet(): ComponentFacts | undefined {
    return this.currentKubernetes.renderedKubelet;
  }

  get staticPodStatuses(): Readonly<Record<string, ContainerStatus>> {
    return this.currentKubernetes.staticPodStatuses;
  }

  /** Its own Kubernetes API server, while that can read from etcd. */
  get kubernetes(): ServedKubernetes | undefined {
    const { store, trust } = this.currentKubernetes;
    return store && { store, trust };
  }

  /** Its entry in the discovery service. */
  get peer(): Peer | undefined {
    if (!this.facts.discoveryEnabled) {
      return undefined;
    }
    return {
      nodeId: this.nodeId,
      hostname: this.hostname,
      nodename: this.nodename,
      privateAddress: this.hardware.privateAddress,
      machineType: this.facts.machineType,
      talosVersion: this.talosVersion,
      kubeSpan: this.facts.kubeSpanEnabled
        ? kubeSpanIdentity(this.facts.clusterId, this.nodeId)
        : undefined,
      isReachable: !this.host.faults.wire.isSilent,
    };
  }

  get peers(): readonly Peer[] {
    const { clusterId: id, clusterSecret: secret, discoveryEnabled } = this.facts;
    return discoveryEnabled ? this.host.world.peersOf({ id, secret }) : [];
  }

  /** Whether apid's port is open. */
  get isListening(): boolean {
    return this.ports.isOpen;
  }

  /** Applies another configuration. */
  run(config: ClusterConfig): void {
    const before = this.facts;
    this.currentActive = config;
    this.currentFacts = factsSinceBoot(config, this.booted, this.talosVersion);
    if (needsCertificates(before, this.facts)) {
      void this.ports.renew();
      this.currentKubernetes.renewCertificates();
    }
    this.currentKubernetes.configured();
    this.resources.changed(configTypes);
    this.host.world.changed();
  }

  protected async *answer(
    path: string,
    request: Buffer,
    context: CallContext,
  ): AsyncIterable<Buffer> {
    this.methods.requireService(path);
    const roles = this.takesAllForReaders ? readers : context.roles;
    this.takesAllForReaders = false;
    if (!mayCall(roles, path)) {
      throw new RpcError(status.PERMISSION_DENIED, "not authorized");
    }
    yield* this.methods.require(path).invoke(request, { ...context, roles });
  }

  worldChanged(): void {
    this.etcd?.evaluate();
    this.currentKubernetes.evaluate();
    this.changed();
  }

  /** Applies changed faults. */
  async faultsChanged(): Promise<void> {
    this.currentKubernetes.faultsChanged();
    await this.ports.renew();
    this.worldChanged();
  }

  /** Cordons and drains the node, as before a shutdown. */
  async drain(): Promise<void> {
    await this.currentKubernetes.drain();
  }

  /** Starts a service, for a call of the API. */
  startService(recipe: ServiceRecipe): void {
    if (recipe.id === serviceRecipes.kubelet.id) {
      this.currentKubernetes.service.start();
    } else {
      startService(this.services, recipe);
    }
  }

  /** Ends a service. Containers of a stopped kubelet keep running but aren't reported. */
  stopService(recipe: ServiceRecipe): void {
    if (recipe.id === serviceRecipes.kubelet.id) {
      this.currentKubernetes.service.stop();
    } else {
      stopService(this.services, recipe);
    }
  }

  /** Stops the kubelet and its pods, with the Kubernetes API server. */
  async stopPods(): Promise<void> {
    await this.currentKubernetes.stop();
  }

  /** Stops what uses the disk: etcd, the container runtime and trustd. */
  async stopDiskServices(): Promise<void> {
    this.etcd?.stop();
    stopWithDependents(this.services, ["cri", "trustd"]);
    await this.ports.closeTrustd();
  }

  protected async close(graceMs: number): Promise<void> {
    this.etcd?.stop();
    await Promise.all([this.ports.close(graceMs), this.currentKubernetes.close()]);
  }

  private get isControlPlane(): boolean {
    return this.facts.machineType === "controlplane";
  }

  private async startTrustd(): Promise<void> {
    const identity = await this.ports.certificate();
    if (identity) {
      await this.ports.openTrustd(identity);
    }
  }

  private newPorts(): ApiPorts {
    const { logs } = this.uptime;
    return new ApiPorts({
      address: this.hardware.address,
      timers: this.timers,
      facts: () => this.facts,
      names: () => this.names(),
      trustdEndpoints: () =>
        trustdEndpoints({
          facts: this.facts,
          peers: this.peers,
          nodes: this.host.world.kubernetesOf(this.facts.endpoint)?.nodes ?? [],
          addressesOf: (name) => this.host.world.addressesOf(name, this.hardware.networkId),
        }),
      handle: (call) => routeCall(call, this.apidNode()),
      log: this.host.log,
      faults: this.host.faults,
      trustdLog: (line) => logs.write("trustd", `${logStamp(new Date())} reg.go:70: ${line}`),
    });
  }

  private newEtcd(): EtcdService {
    const { world, disk, joinMs, restartMs, faults } = this.host;
    return new EtcdService({
      services: this.services,
      timers: faults.etcd.timers(this.timers),
      logs: this.uptime.logs,
      joinMs,
      rerunMs: restartPace(restartMs).rerunMs,
      facts: () => this.facts.etcd,
      failure: () => faults.etcd.failure,
      hostname: this.hostname.hostname,
      privateAddress: this.hardware.privateAddress,
      get data() {
        return disk.etcd;
      },
      set data(data) {
        disk.etcd = data;
      },
      trust: () => etcdTrustOf(this.facts.etcdCa),
      findClusters: () => world.etcdClustersOf(this.facts.endpoint, etcdTrustOf(this.facts.etcdCa)),
      changed: () => world.changed(),
    });
  }

  private newKubernetes(): KubernetesNode {
    const { address, architecture } = this.hardware;
    const { joinMs, restartMs, drainMs, faults, log, world } = this.host;
    return new KubernetesNode({
      services: this.services,
      timers: this.timers,
      joinMs,
      restartMs,
      drainMs,
      stage: () => this.uptime.stage,
      address,
      architecture,
      isControlPlane: this.isControlPlane,
      facts: () => this.facts,
      nodename: () => this.nodename,
      report: () => nodeReport(this, this.facts),
      etcd: () => {
        const membership = this.etcd?.membership;
        return membership?.member.isLearner === false &&
          membership.cluster.isInTouch(membership.member.id)
          ? membership.cluster
          : undefined;
      },
      findStore: () => world.kubernetesOf(this.facts.endpoint),
      findTrust: () => world.apiServerOf(this.facts.endpoint)?.trust,
      identity: async () => {
        const ca = faults.foreignCa ?? this.facts.kubernetesCa;
        const identity =
          ca?.key && (await apiServerIdentity(ca, this.facts, this.names(), faults.issueTime()));
        // Since v1.14, `tls-min-version` (k8s/control_plane_final.go, v1.14.1).
        const isNewer = (talosMinor(this.talosVersion) ?? 0) >= 14;
        return identity ? { ...identity, ...(isNewer && { minVersion: "TLSv1.3" }) } : undefined;
      },
      faults,
      readDocument: (url) => world.readDocument(url),
      log,
      changed: () => world.changed(),
      renderErrors: () => renderErrors(this.currentActive.documents, this.talosVersion),
      logs: this.uptime.logs,
      // The times show later whether the kubelet already runs what was rendered.
      rendered: () => this.resources.changed(renderedTypes),
    });
  }

  private names(): NodeNames {
    const { privateAddress, address } = this.hardware;
    return { hostname: this.hostname, privateAddress, address };
  }

  private apidNode() {
    const { world } = this.host;
    const { osCa, acceptedCas } = this.facts;
    return {
      canForward: this.isControlPlane,
      caCertificate: osCa?.crt ?? acceptedCas[0] ?? "",
      isLocal: (target: string) => this.isOwn(target),
      find: (target: string): ForwardTarget | undefined =>
        world.find(target, this.hardware.networkId),
      serve: (path: string, request: Buffer, context: CallContext) =>
        this.serve(path, request, context),
    };
  }

  private isOwn(target: string): boolean {
    const { address, privateAddress } = this.hardware;
    const { hostname, fqdn } = this.hostname;
    return [address, privateAddress, hostname, fqdn].includes(target);
  }
}

const renderedTypes = ["StaticPods.kubernetes.talos.dev", "KubeletSpecs.kubernetes.talos.dev"];

const configTypes = ["MachineConfigs.config.talos.dev", "MachineTypes.config.talos.dev"];
