import { messageOfError } from "../../../provider/base";
import type { Timers } from "../machine/timers";
import type { KubernetesStore } from "./kubernetesStore";
import { NodeRanges } from "./nodeRanges";
import type { StaticPodDefinition } from "./staticPodDefinitions";

/** The node's interface for its controller manager. */
export interface ControllerManagerHost {
  readonly timers: Pick<Timers, "after">;
  /** How long the lease of one that has ended keeps the others waiting. Real: 15 s. */
  readonly leaseMs: number;
  /** The static pod whose container runs and works. */
  readonly pod: () => StaticPodDefinition | undefined;
  /** The objects of its API server, while that can read them. */
  readonly store: () => KubernetesStore | undefined;
  /** Ends the container with these words in its log. */
  readonly fail: (words: readonly string[]) => void;
}

/** A container that has the lease. */
interface Leading {
  readonly pod: StaticPodDefinition;
  readonly store: KubernetesStore;
  readonly end: () => void;
}

/**
 * The controller that gives nodes their ranges of pods, in the controller manager of one machine. It
 * runs while that has the lease. A node keeps its ranges for ever. If one is none of the cluster's, the
 * controller manager ends each time that it gets the lease.
 */
export class ControllerManager {
  private readonly host: ControllerManagerHost;
  private leading: Leading | undefined;
  private cancelRetry: () => void = () => undefined;

  constructor(host: ControllerManagerHost) {
    this.host = host;
  }

  /** Follows its container and the lease. */
  evaluate(): void {
    const pod = this.host.pod();
    const store = this.host.store();
    if (this.leading && (this.leading.pod !== pod || (store && this.leading.store !== store))) {
      this.stop();
    }
    if (this.leading || !pod || !store) {
      return;
    }
    this.cancelRetry();
    const waitMs = store.controllerLease.take(this, Date.now());
    if (waitMs === 0) {
      this.lead(pod, store);
    } else if (waitMs !== Infinity) {
      this.cancelRetry = this.host.timers.after(waitMs, () => this.evaluate());
    }
  }

  /** The container has ended. */
  stop(): void {
    this.cancelRetry();
    const { leading } = this;
    this.leading = undefined;
    leading?.end();
    leading?.store.controllerLease.leave(this, Date.now() + this.host.leaseMs);
  }

  private lead(pod: StaticPodDefinition, store: KubernetesStore): void {
    try {
      this.leading = { pod, store, end: this.giveRanges(pod, store) };
    } catch (error) {
      store.controllerLease.leave(this, Date.now() + this.host.leaseMs);
      const text = JSON.stringify(messageOfError(error));
      // Kubernetes v1.35.0, `BuildControllers` and `run`.
      this.host.fail([
        logLine(
          575,
          `"Error initializing a controller" err=${text} controller="node-ipam-controller"`,
        ),
        logLine(257, `"Error building controllers" err=${text}`),
      ]);
    }
  }

  /** Gives ranges until the returned function is called. */
  private giveRanges({ nodeIpam }: StaticPodDefinition, store: KubernetesStore): () => void {
    if (nodeIpam?.allocates !== true) {
      return () => undefined;
    }
    const ranges = new NodeRanges(nodeIpam, store.nodes);
    const give = () => {
      for (const { name } of store.nodes.filter(({ podCidrs }) => podCidrs.length === 0)) {
        const podCidrs = ranges.allocate();
        if (podCidrs !== undefined) {
          store.setPodCidrs(name, podCidrs);
        }
      }
    };
    let cancel: () => void = () => undefined;
    const giveLater = () => {
      cancel();
      // After the event, so that other watches see the changes of a node in their order.
      cancel = this.host.timers.after(0, give);
    };
    giveLater();
    const unsubscribe = store.subscribe(({ type, node }) => {
      if (type === "DELETED") {
        ranges.release(node);
      }
      if (type !== "MODIFIED") {
        giveLater();
      }
    });
    return () => {
      cancel();
      unsubscribe();
    };
  }
}

/** An error in klog's form. */
function logLine(line: number, words: string): string {
  const [, month = "", day = "", time = ""] =
    /^\d+-(\d+)-(\d+)T([\d:.]+)Z$/.exec(new Date().toISOString()) ?? [];
  return `E${month}${day} ${time}000       1 controllermanager.go:${line}] ${words}`;
}
