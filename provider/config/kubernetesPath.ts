import type { ConfigDocument } from "./machineConfig";
import { type Release, releaseIn } from "./releases/kubernetesSkew";
import { textIn } from "./settings/settingIn";

/** The verdict on a change of the Kubernetes release. */
export interface KubernetesPath {
  /** Why it is refused, with the supported steps; undefined if it is supported. */
  readonly problem?: string;
  /** What to know about it. */
  readonly warning?: string;
}

/**
 * Judges the change of a control plane machine's Kubernetes release: one minor at a time. A
 * downgrade is possible, for a release that didn't start. Kubernetes doesn't promise that an older
 * API server can read a newer one's data.
 *
 * Source: Kubernetes, "Version Skew Policy", kube-apiserver; Talos v1.12.1,
 * `pkg/cluster/kubernetes/upgrade.go`.
 *
 * @param before the outline of the configuration that the machine runs
 * @param after the outline of its new configuration
 */
export function judgeKubernetesPath(before: ConfigDocument, after: ConfigDocument): KubernetesPath {
  const [from, to] = [releaseOf(before), releaseOf(after)];
  if (from === undefined || to === undefined) {
    return {};
  }
  const steps = to.minor - from.minor;
  if (steps > 1) {
    const between = Array.from({ length: steps - 1 }, (_, index) => `v1.${from.minor + 1 + index}`);
    return {
      problem: `the API server runs Kubernetes ${from.version}, and ${to.version} is ${steps} minors above it: go one minor at a time, with an "up" for the newest release of ${between.join(", of ")}, then ${to.version}`,
    };
  }
  if (steps < -1) {
    return {
      problem: `the API server runs Kubernetes ${from.version}, which can't go back to ${to.version}: one minor at most, to v1.${from.minor - 1}`,
    };
  }
  return steps === -1
    ? {
        warning: `Kubernetes goes back from ${from.version} to ${to.version}: if API servers of ${from.version} have run, older ones may not be able to read their data. Take a snapshot of etcd first`,
      }
    : {};
}

/** The Kubernetes release of a control plane machine's outline; undefined if it names none. */
export function releaseOf(outline: ConfigDocument): Release | undefined {
  return releaseIn(textIn(outline, "cluster.apiServer.image"));
}
