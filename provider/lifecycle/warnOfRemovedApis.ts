import { requestsWithoutApi } from "../kubernetes/deprecatedRequests";
import type { Progress } from "../progress";
import { seenOfKubernetes } from "./askKubernetes";
import { KubernetesAccess } from "./kubernetesAccess";
import type { Machine } from "./machine";

/** How long the API server may take to answer. */
const LOOK_MS = 15_000;

/**
 * Warns about clients that use APIs which another Kubernetes release removes. An API server counts
 * requests until it restarts, also of a client that was fixed since. So this is only a warning. It
 * knows only its own clients. If it can't be asked, a warning says so. Source: Kubernetes'
 * documentation, "Kubernetes Metrics Reference", `apiserver_requested_deprecated_apis`.
 */
export async function warnOfRemovedApis(
  machine: Machine,
  version: string,
  { warn }: Progress,
): Promise<void> {
  const signal = AbortSignal.timeout(LOOK_MS);
  try {
    const access = await KubernetesAccess.open([machine], signal);
    const metrics = await access.send({ method: "GET", path: "/metrics" }, signal);
    const found = requestsWithoutApi(metrics, version);
    if (found.length > 0) {
      const names = found.map(({ resource, removedIn }) => `${resource} (gone since ${removedIn})`);
      warn(
        `clients use APIs that Kubernetes ${version} doesn't have: ${names.join(", ")}. They will fail after the upgrade: update these clients`,
      );
    }
  } catch (error) {
    warn(`whether clients use removed APIs is unknown: ${seenOfKubernetes(error)}`);
  }
}
