/** A deprecated API that was requested since the API server started. */
export interface DeprecatedRequest {
  readonly group: string;
  readonly version: string;
  readonly resource: string;
  /** The first release without it, for example `1.36`; empty if none is announced. */
  readonly removedRelease: string;
}

const NAME = "apiserver_requested_deprecated_apis";

/** The API server's metrics: requests for deprecated APIs. */
export function metricsText(deprecatedRequests: readonly DeprecatedRequest[]): string {
  const lines = deprecatedRequests.map(
    ({ group, version, resource, removedRelease }) =>
      `${NAME}{group="${group}",removed_release="${removedRelease}",resource="${resource}",subresource="",version="${version}"} 1`,
  );
  return [
    `# HELP ${NAME} [STABLE] Gauge of deprecated APIs that have been requested, broken out by API group, version, resource, subresource, and removed_release.`,
    `# TYPE ${NAME} gauge`,
    ...lines,
    "",
  ].join("\n");
}
