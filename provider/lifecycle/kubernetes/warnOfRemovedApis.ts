import type { Progress } from "../../base/progress";
import { requestsWithoutApi } from "../../kubernetes/deprecatedRequests";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import { countObjects, removedApis } from "../../kubernetes/removedApis";
import type { Machine } from "../machine";
import { seenOfKubernetes } from "./askKubernetes";
import { KubernetesAccess } from "./kubernetesAccess";

/** How long the API server may take to answer. */
const LOOK_MS = 15_000;

const NOT_FOUND = 404;

/**
 * Warns about clients that use APIs which another Kubernetes release removes, and about objects of
 * such an API. An API server counts requests until it restarts, also of a client that was fixed
 * since. So this is only a warning. It knows only its own clients. If it can't be asked, a warning
 * says so. `talosctl upgrade-k8s` asks for the same objects, and stops.
 *
 * Sources: Kubernetes' documentation, "Kubernetes Metrics Reference",
 * `apiserver_requested_deprecated_apis`; go-kubernetes v0.2.41, `PopulateRemovedAPIResources`.
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
    const left = await objectsWithoutApi(access, version, signal);
    if (left.length > 0) {
      warn(
        `there are objects that Kubernetes ${version} can't read or delete any more: ${left.join(", ")}. They would stay in etcd: delete them before the upgrade, with what creates them`,
      );
    }
  } catch (error) {
    warn(`whether clients use removed APIs is unknown: ${seenOfKubernetes(error)}`);
  }
}

/** The kinds without an API after the upgrade that have objects, with their number. */
async function objectsWithoutApi(
  access: KubernetesAccess,
  version: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const left: string[] = [];
  for (const { resource, removedIn, path } of removedApis(version)) {
    const page = await listed(access, path, signal);
    const count = page === undefined ? 0 : countObjects(page);
    if (count > 0) {
      left.push(`${count} of ${resource} (gone since ${removedIn})`);
    }
  }
  return left;
}

/** A list; undefined if the server doesn't have the kind. */
async function listed(
  access: KubernetesAccess,
  path: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  try {
    return await access.send({ method: "GET", path }, signal);
  } catch (error) {
    if (error instanceof KubernetesApiError && error.status === NOT_FOUND) {
      return undefined;
    }
    throw error;
  }
}
