import { setTimeout as sleep } from "node:timers/promises";
import type { LifeCluster, NodeList, PodList } from "./lifeCluster";

/** A component of a machine that runs a release now, and ran another before. */
export interface ReleaseStep {
  readonly component: string;
  readonly node: string;
  readonly release: string;
}

/** Pods of the system whose images follow Kubernetes. */
const COMPONENTS = ["kube-apiserver", "kube-controller-manager", "kube-scheduler", "kube-proxy"];
const EVERY_MS = 500;

/** Looks at what all components run, and keeps the order in which that changes. */
export class ReleaseWatcher {
  /** In the order of their first sight. */
  readonly steps: ReleaseStep[] = [];
  private readonly known = new Map<string, string>();
  private isEnded = false;
  private readonly watching: Promise<void>;

  private constructor(private readonly cluster: LifeCluster) {
    this.watching = this.watch();
  }

  /** Watches from a first look on. */
  static async start(cluster: LifeCluster): Promise<ReleaseWatcher> {
    const watcher = new ReleaseWatcher(cluster);
    await watcher.look();
    return watcher;
  }

  async stop(): Promise<readonly ReleaseStep[]> {
    this.isEnded = true;
    await this.watching;
    await this.look();
    return this.steps;
  }

  private async watch(): Promise<void> {
    while (!this.isEnded) {
      await sleep(EVERY_MS);
      // An API server is away at times, and the balancer may not know that yet.
      await this.look().catch(() => undefined);
    }
  }

  private async look(): Promise<void> {
    const pods = await this.cluster.ask<PodList>("/api/v1/namespaces/kube-system/pods");
    const { items: nodes } = await this.cluster.ask<NodeList>("/api/v1/nodes");
    for (const { metadata, spec, status } of pods.items) {
      const component = metadata.labels?.["k8s-app"] ?? "";
      const [container] = status.containerStatuses ?? [];
      if (COMPONENTS.includes(component) && container?.ready === true) {
        this.see(component, spec.nodeName ?? "", container.image.split(":").at(-1) ?? "");
      }
    }
    for (const { metadata, status } of nodes) {
      this.see("kubelet", metadata.name, status.nodeInfo.kubeletVersion);
    }
  }

  private see(component: string, node: string, release: string): void {
    const key = `${component} ${node}`;
    const before = this.known.get(key);
    this.known.set(key, release);
    if (before !== undefined && before !== release) {
      this.steps.push({ component, node, release });
    }
  }
}
