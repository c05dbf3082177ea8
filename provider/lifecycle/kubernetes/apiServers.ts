import { kubeletResources } from "../../api/kubeletResources";
import { clock } from "../../base/clock";
import { type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";

/** A machine that is off must not delay the others for long. */
const LOOK_TIMEOUT_MS = 5_000;

/** How the ids of API servers' pods begin; the name of the machine's node follows. */
const API_SERVER = "kube-system/kube-apiserver-";

/**
 * How long no API server may run before that counts as the cause of a silence. Longer than a restart
 * of the only one: Talos asks the kubelet every 15 s, and the kubelet looks for other static pods
 * every 20 s.
 */
export const DOWN_MS = 60_000;

/**
 * Notices that a cluster's Kubernetes API is down, as the machines themselves report it. An API that
 * only can't be reached from here doesn't count: then a firewall may be in the way, and Kubernetes
 * still works.
 */
export class ApiServers {
  private downSince: number | undefined;

  /** @param lastingMs how long no API server may run before that counts */
  constructor(
    private readonly controlPlanes: readonly Machine[],
    private readonly lastingMs: number,
  ) {}

  /** Begins anew, after an answer of one of them. */
  answered(): void {
    this.downSince = undefined;
  }

  /** Whether none of them has run for long enough. Ask again while none answers. */
  async areDown(signal: AbortSignal): Promise<boolean> {
    if (!(await runNowhere(this.controlPlanes, signal))) {
      this.downSince = undefined;
      return false;
    }
    this.downSince ??= clock.now();
    return clock.now() - this.downSince >= this.lastingMs;
  }
}

/** Whether every machine answers, and none of them has an API server that is ready. */
async function runNowhere(machines: readonly Machine[], signal: AbortSignal): Promise<boolean> {
  const call = { signal, timeoutMs: LOOK_TIMEOUT_MS };
  const answers = await Promise.all(
    machines.map((machine) =>
      unlessSilent(
        withMachine(machine, (client) => client.listTyped(kubeletResources.staticPodStatus, call)),
      ),
    ),
  );
  return answers.every(
    (statuses) =>
      statuses !== undefined &&
      !statuses.some(({ id, spec }) => id.startsWith(API_SERVER) && spec.ready),
  );
}
