/** A deprecated API that was requested since the API server started. */
export interface DeprecatedRequest {
  /** For example `flowschemas.v1beta3.flowcontrol.apiserver.k8s.io`. */
  readonly resource: string;
  /** The first release without it, for example `1.32`. */
  readonly removedIn: string;
}

const METRIC = /^apiserver_requested_deprecated_apis\{([^}]*)\} [1-9]/;

/**
 * Requests for APIs that a Kubernetes release no longer has, as an API server counts them.
 *
 * @param metrics the API server's answer to `/metrics`
 * @param version of Kubernetes, for example `v1.35.0`
 */
export function requestsWithoutApi(metrics: string, version: string): readonly DeprecatedRequest[] {
  const target = minorOf(version);
  return metrics.split("\n").flatMap((line) => {
    const labels = METRIC.exec(line)?.[1];
    if (labels === undefined || target === undefined) {
      return [];
    }
    const label = (name: string) => new RegExp(`(?:^|,)${name}="([^"]*)"`).exec(labels)?.[1] ?? "";
    const removedIn = label("removed_release");
    const removed = minorOf(removedIn);
    if (removed === undefined || removed > target) {
      return [];
    }
    const parts = [label("resource"), label("version"), label("group")];
    return [{ resource: parts.filter((part) => part !== "").join("."), removedIn }];
  });
}

/** The minor of a Kubernetes 1 release; undefined for other versions. */
function minorOf(version: string): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(version) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
