import { requestsWithoutApi } from "../kubernetes/deprecatedRequests";
import type { Progress } from "../progress";
import { seenOfKubernetes } from "./askKubernetes";
import { KubernetesAccess } from "./kubernetesAccess";
import type { Machine } from "./machine";

/** How long the API server may take to tell. */
const LOOK_MS = 15_000;

/**
 * Warns of clients that ask for APIs which another Kubernetes release has no more. What an API server counted
 * stays counted until it restarts, also for a client that is mended since: so it is a warning. It tells of its own
 * clients alone, and where it can't be asked, that is said.
 *
 * Source: Kubernetes' documentation, "Kubernetes Metrics Reference", `apiserver_requested_deprecated_apis`.
 */
export async function warnOfRemovedApis(
  machine: Machine,
  version: string,
  { report, warn }: Progress,
): Promise<void> {
  const signal = AbortSignal.timeout(LOOK_MS);
  try {
    const access = await KubernetesAccess.open([machine], signal);
    const metrics = await access.send({ method: "GET", path: "/metrics" }, signal);
    const found = requestsWithoutApi(metrics, version);
    if (found.length > 0) {
      const names = found.map(({ resource, removedIn }) => `${resource} (gone since ${removedIn})`);
      warn(
        `clients asked for APIs that Kubernetes ${version} doesn't have: ${names.join(", ")}. They fail after the upgrade: give them newer versions`,
      );
    }
  } catch (error) {
    report(`whether clients use APIs that are removed isn't known: ${seenOfKubernetes(error)}`);
  }
}
