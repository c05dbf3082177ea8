import type { SecureContextOptions } from "node:tls";
import { isDeepStrictEqual } from "node:util";
import type { ComponentFacts } from "../config/componentFacts";
import { tagOf } from "../config/imageFacts";
import type { MachineFacts } from "../config/machineFacts";
import type { RenderErrors } from "../config/renderErrors";
import type { EtcdCluster } from "../etcd/etcdCluster";
import type { MachineFaults } from "../faults/machineFaults";
import { acceptsBootstrapToken } from "../kubernetes/bootstrapTokens";
import { clientTrust } from "../kubernetes/clientTrust";
import type { ContainerStatus } from "../kubernetes/containerStatus";
import { ControlPlaneAgent } from "../kubernetes/controlPlaneAgent";
import { ControllerManager } from "../kubernetes/controllerManager";
import type { ReadDocument } from "../kubernetes/issuerKeys";
import { Kubelet, KubeletCertificate, type KubernetesTrust } from "../kubernetes/kubelet";
import type { KubernetesStore } from "../kubernetes/kubernetesStore";
import { ManifestApplier } from "../kubernetes/manifestApplier";
import { applyNode } from "../kubernetes/nodeApply";
import { drainNode } from "../kubernetes/nodeDrain";
import type { NodeRecord, NodeReport } from "../kubernetes/nodeRecord";
import { restartPace, type RestartPace } from "../kubernetes/restartPace";
import {
  type StaticPodDefinition,
  StaticPodDefinitions,
  type StaticPodSources,
} from "../kubernetes/staticPodDefinitions";
import { StaticPodRunner } from "../kubernetes/staticPodRunner";
import type { SystemPod } from "../kubernetes/systemPods";
import { Controller } from "../runtime/controller";
import type { LogBook } from "../runtime/logBook";
import { KubeletService } from "./kubeletService";
import type { MachineStage } from "./machineStatus";
import { nodeMetadata } from "./nodeReport";
import { apiServerPort } from "./ports";
import type { ServiceBoard } from "./serviceBoard";
import type { Timers } from "./timers";

/** The machine of a Kubernetes node. */
export interface KubernetesNodeHost {
  readonly services: ServiceBoard;
  readonly timers: Timers;
  readonly joinMs: number;
  readonly restartMs: number;
  /** Limit of a drain. The machine shuts down after it anyway. */
  readonly drainMs: number;
  /** The machine's stage. */
  readonly stage: () => MachineStage;
  readonly address: string;
  readonly architecture: string;
  readonly isControlPlane: boolean;
  readonly facts: () => MachineFacts;
  readonly nodename: () => string;
  /** The kubelet's report of the node, without its pods. */
  readonly report: () => Omit<NodeReport, "staticPods">;
  /** The etcd cluster the node is a voting member of, while its etcd runs. */
  readonly etcd: () => EtcdCluster | undefined;
  /** The cluster's API, from any node that serves it. */
  readonly findStore: () => KubernetesStore | undefined;
  /** The CAs of that node's API server. */
  readonly findTrust: () => KubernetesTrust | undefined;
  /** The certificate of its API server, and the CAs of its clients. */
  readonly identity: () => Promise<SecureContextOptions | undefined>;
  readonly faults: MachineFaults;
  /** How its API server reads documents on the internet. */
  readonly readDocument: ReadDocument;
  readonly log: (line: string) => void;
  /** Called on each change that other nodes may see. */
  readonly changed: () => void;
  /** Why Talos can't render the configuration. */
  readonly renderErrors: () => RenderErrors;
  readonly logs: LogBook;
  /** Called when Talos has rendered static pods or the kubelet anew, before the kubelet notices. */
  readonly rendered: () => void;
}

/** Kubernetes on one machine: its kubelet and, on a control plane, the static pods. */
export class KubernetesNode {
  private readonly host: KubernetesNodeHost;
  private readonly pace: RestartPace;
  private readonly definitions = new StaticPodDefinitions();
  private readonly runner: StaticPodRunner;
  private readonly kubelet: Kubelet;
  private readonly certificate = new KubeletCertificate();
  private readonly agent: ControlPlaneAgent | undefined;
  private readonly controllerManager: ControllerManager;
  private readonly podController: Controller;
  private readonly kubeletController: Controller;
  private defined: readonly StaticPodDefinition[] = [];
  private kubeletFacts: ComponentFacts | undefined;
  private wantsKubelet = false;
  private seen: Readonly<Record<string, ContainerStatus>> = {};
  private refreshPending = false;
  private readonly manifests = new ManifestApplier();
  /** Why setting the node's labels, annotations and taints failed. */
  private refusal: string | undefined;
  /** The kubelet as a service. */
  readonly service: KubeletService;

  constructor(host: KubernetesNodeHost) {
    this.host = host;
    const { timers, joinMs, nodename, services } = host;
    this.pace = restartPace(host.restartMs);
    this.runner = new StaticPodRunner({
      timers,
      pace: this.pace,
      nodename,
      hasSpace: () => !host.faults.isDiskFull,
      changed: () => this.podsChanged(),
    });
    this.kubelet = new Kubelet({
      timers,
      joinMs,
      restartMs: host.restartMs,
      report: () => ({ ...host.report(), staticPods: this.runner.statuses }),
      findStore: () => this.store ?? host.findStore(),
      isRefused: () => this.isRefused(),
    });
    this.agent = host.isControlPlane ? this.newAgent() : undefined;
    this.controllerManager = new ControllerManager({
      timers,
      leaseMs: this.pace.leaseMs,
      pod: () => this.runner.answering("kube-controller-manager"),
      store: () => this.store,
      fail: (words) => this.runner.fail("kube-controller-manager", words),
    });
    this.service = new KubeletService({
      services,
      timers,
      logs: host.logs,
      pace: this.pace,
      facts: () => this.kubeletFacts ?? host.facts().kubelet,
      isHeld: () => host.faults.isKubeletHeld,
      began: () => this.began(),
      ended: () => this.ended(),
    });
    const common = { timers, logs: host.logs, backOffMs: this.pace.retryMs };
    this.podController = new Controller({
      ...common,
      name: "k8s.ControlPlaneStaticPodController",
      run: () => this.renderPods(),
    });
    this.kubeletController = new Controller({
      ...common,
      name: "k8s.KubeletSpecController",
      run: () => this.renderKubelet(),
    });
  }

  /** The node as the API has it. */
  get node(): NodeRecord | undefined {
    return this.kubelet.node;
  }

  /** The kubelet's pods. */
  get pods(): readonly SystemPod[] {
    return this.kubelet.pods;
  }

  /** The objects of its own API server, while that can read them. */
  get store(): KubernetesStore | undefined {
    const cluster = this.agent?.serving;
    return cluster?.hasQuorum === true ? cluster.kubernetes : undefined;
  }

  /** The CAs of its kubelet and API server. */
  get trust(): KubernetesTrust {
    const { kubernetesCa, kubernetesAcceptedCas } = this.host.facts();
    return { issuing: kubernetesCa?.crt, accepted: kubernetesAcceptedCas };
  }

  /** The static pods that Talos has defined. None until etcd was healthy. */
  get staticPods(): readonly StaticPodDefinition[] {
    return this.defined;
  }

  /**
   * The log of a static pod's container that has ended.
   *
   * @param id in talosctl's form, also without the container's own id at the end
   */
  deadContainerLog(id: string): readonly string[] | undefined {
    const [pod = "", app = "", containerId = ""] = id.split(":");
    return pod === `kube-system/${app}-${this.host.nodename()}`
      ? this.runner.deadLog(app, containerId)
      : undefined;
  }

  /** What Talos renders its static pods from; undefined on a worker. */
  get staticPodSources(): StaticPodSources | undefined {
    const { isControlPlane, facts } = this.host;
    return isControlPlane ? this.definitions.sources(facts()) : undefined;
  }

  /** The kubelet's start parameters; undefined while Talos could not render any in this boot. */
  get renderedKubelet(): ComponentFacts | undefined {
    return this.kubeletFacts;
  }

  /**
   * The static pods as Talos last saw them, by app. Talos asks the kubelet every 15 s, and forgets
   * all when the kubelet's service doesn't run (v1.12.1, `k8s/kubelet_static_pod.go`).
   */
  get staticPodStatuses(): Readonly<Record<string, ContainerStatus>> {
    return this.host.services.find("kubelet")?.state === "Running" ? this.seen : {};
  }

  /** Reconciles with etcd, the API and the configuration. */
  evaluate(): void {
    const { etcd, isControlPlane } = this.host;
    if (isControlPlane && (this.defined.length > 0 || etcd())) {
      this.podController.trigger();
    }
    this.agent?.evaluate();
    // The kubelet needs the bootstrap token among them.
    if (this.store) {
      const { talosVersion } = this.host.report();
      this.manifests.apply(this.host.facts(), talosVersion, this.store, this.encryptionKeys);
    }
    this.controllerManager.evaluate();
    if (this.service.isWorking) {
      this.kubelet.evaluate();
    }
    this.applyNode();
  }

  /** Applies a changed configuration. */
  configured(): void {
    this.evaluate();
    this.kubeletController.trigger();
  }

  /** Starts the kubelet at the end of a boot, as soon as Talos has rendered it. */
  startKubelet(): void {
    this.wantsKubelet = true;
    this.kubeletController.trigger();
    if (this.kubeletFacts === undefined) {
      this.host.services.transition("kubelet", "Initialized", "Service initialized");
    }
  }

  /** Applies new certificates. */
  renewCertificates(): void {
    this.agent?.renew();
  }

  /** Applies changed faults. */
  faultsChanged(): void {
    this.agent?.renew();
    this.service.followHold();
  }

  /** Cordons the node and drains it. */
  async drain(): Promise<void> {
    this.applyNode();
    const { timers, drainMs, nodename } = this.host;
    await drainNode({ store: () => this.reachable, name: nodename(), timers, drainMs });
  }

  /** Stops the kubelet and its pods. Resolves when its API server is closed. */
  async stop(): Promise<void> {
    this.service.stop();
    await this.close();
  }

  /** Stops everything at once, as on a loss of power. */
  async close(): Promise<void> {
    this.runner.end();
    this.controllerManager.stop();
    this.kubelet.stop();
    await this.agent?.stop();
  }

  private renderPods(): string | undefined {
    const { facts, renderErrors, rendered } = this.host;
    const { staticPods } = renderErrors();
    const { pods, error } = this.definitions.render(facts(), this.defined, staticPods);
    if (!isDeepStrictEqual(pods, this.defined)) {
      this.defined = pods;
      rendered();
    }
    this.runner.want(this.defined);
    return error;
  }

  private renderKubelet(): string | undefined {
    const { facts, renderErrors, rendered, services } = this.host;
    const { kubelet: error } = renderErrors();
    const { kubelet } = facts();
    const former = this.kubeletFacts;
    if (error !== undefined || former?.settings === kubelet.settings) {
      return error;
    }
    this.kubeletFacts = kubelet;
    rendered();
    if (former === undefined && this.wantsKubelet) {
      this.service.start();
    } else if (former !== undefined && services.find("kubelet")) {
      this.service.restart();
    }
    return undefined;
  }

  private get reachable(): KubernetesStore | undefined {
    const { isControlPlane, findStore } = this.host;
    return isControlPlane ? this.store : findStore();
  }

  private get encryptionKeys() {
    return this.runner.answering("kube-apiserver")?.encryptionKeys ?? [];
  }

  /** A control plane's kubelet uses its own API server, a worker's any. */
  private isRefused(): boolean {
    const apiServer = this.store ? this.trust : this.host.findTrust();
    const acceptsToken = () => {
      const store = this.store ?? this.host.findStore();
      return (
        store !== undefined &&
        acceptsBootstrapToken(store, this.host.facts().manifests.bootstrapToken)
      );
    };
    return (
      apiServer !== undefined && !this.certificate.isTaken(this.trust, apiServer, acceptsToken)
    );
  }

  /** A control plane updates its node through its own API server, a worker through any. */
  private applyNode(): void {
    const { isControlPlane, facts, nodename, log } = this.host;
    const store = this.reachable;
    if (!store) {
      return;
    }
    const isCordoned = cordonAt(this.host.stage());
    const wanted = {
      ...nodeMetadata(facts()),
      ...(isCordoned === undefined ? {} : { isCordoned }),
    };
    const refusal = applyNode(store, nodename(), wanted, !isControlPlane);
    if (refusal !== undefined && refusal !== this.refusal) {
      log(refusal);
    }
    this.refusal = refusal;
  }

  private began(): void {
    this.evaluate();
    this.runner.start();
    this.kubelet.evaluate();
    this.refreshLater();
  }

  private ended(): void {
    this.runner.stop();
    this.kubelet.stop();
    this.seen = {};
    this.host.changed();
  }

  private podsChanged(): void {
    this.agent?.evaluate();
    this.controllerManager.evaluate();
    if (this.service.isWorking) {
      this.kubelet.evaluate();
    }
    this.refreshLater();
    this.host.changed();
  }

  private refreshLater(): void {
    if (this.refreshPending) {
      return;
    }
    this.refreshPending = true;
    this.host.timers.after(this.pace.refreshMs, () => {
      this.refreshPending = false;
      if (this.service.isWorking) {
        this.seen = this.runner.statuses;
      }
      this.host.changed();
    });
  }

  private newAgent(): ControlPlaneAgent {
    const { address, architecture, etcd, facts, identity, faults, log, changed, readDocument } =
      this.host;
    return new ControlPlaneAgent({
      address,
      port: apiServerPort,
      architecture,
      etcd: () => (this.runner.answering("kube-apiserver") ? etcd() : undefined),
      version: () =>
        tagOf(this.runner.answering("kube-apiserver")?.image ?? facts().images.apiServer),
      trust: () => clientTrust(this.runner.answering("kube-apiserver"), readDocument),
      encryptionKeys: () => this.encryptionKeys,
      identity,
      changed,
      faults,
      failed: (error) => log(`kube-apiserver failed: ${String(error)}`),
    });
  }
}

/**
 * Whether Talos wants its node cordoned. Undefined if Talos leaves that unchanged. Source: talos
 * v1.12.1, `k8s/node_cordoned_spec.go`.
 */
function cordonAt(stage: MachineStage): boolean | undefined {
  if (["shutting down", "upgrading", "resetting"].includes(stage)) {
    return true;
  }
  return stage === "booting" || stage === "running" ? false : undefined;
}
