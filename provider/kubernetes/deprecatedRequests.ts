/** An API that is deprecated and was asked for since the API server started. */
export interface DeprecatedRequest {
  /** `flowschemas.v1beta3.flowcontrol.apiserver.k8s.io`. */
  readonly resource: string;
  /** The first release without it, for example `1.32`. */
  readonly removedIn: string;
}

const METRIC = /^apiserver_requested_deprecated_apis\{([^}]*)\} [1-9]/;

/**
 * The requests for APIs that a Kubernetes release has no more, as an API server counts them.
 *
 * @param metrics what the API server answers at `/metrics`
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

/** The minor of a release of Kubernetes 1; undefined where it is none. */
function minorOf(version: string): number | undefined {
  const [, minor] = /^v?1\.(\d+)/.exec(version) ?? [];
  return minor === undefined ? undefined : Number(minor);
}
