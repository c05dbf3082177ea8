import { WaitTimeoutError, waitFor } from "../../api/waitFor";
import { clock } from "../../base/clock";
import type { ApiResource } from "../../kubernetes/apiResources";
import { describeObject, type KubernetesObject } from "../../kubernetes/kubernetesObject";
import { ManifestRefusedError } from "./applyManifest";
import type { ClusterObjects, ClusterWork } from "./clusterObjects";

/** How long the deletion of an object may take: a namespace ends after all that is in it. */
const DELETION_MS = 120_000;

/**
 * An object of the cluster; undefined without one. It waits for an object that is being deleted: the API
 * server still answers with it, and refuses new objects in such a namespace.
 *
 * Source: Kubernetes v1.35, `plugin/pkg/admission/namespace/lifecycle`.
 *
 * @throws ManifestRefusedError for an object whose deletion doesn't end
 */
export async function findLasting(
  cluster: ClusterObjects,
  resource: ApiResource,
  wanted: KubernetesObject,
  { deadline, progress }: Pick<ClusterWork, "deadline" | "progress">,
): Promise<KubernetesObject | undefined> {
  const found = await cluster.find(resource, wanted.metadata);
  if (found === undefined || !isBeingDeleted(found)) {
    return found;
  }
  try {
    return await waitFor<KubernetesObject | undefined>({
      what: `${describeObject(wanted)} to be deleted`,
      deadlineMs: Math.min(deadline - clock.now(), DELETION_MS),
      report: progress.report,
      probe: async () => {
        const value = await cluster.find(resource, wanted.metadata);
        return value !== undefined && isBeingDeleted(value)
          ? { done: false, status: waitingOf(value) }
          : { done: true, value };
      },
    });
  } catch (error) {
    if (!(error instanceof WaitTimeoutError)) {
      throw error;
    }
    const { lastStatus } = error;
    throw new ManifestRefusedError(`its deletion doesn't end: ${lastStatus}`, { cause: error });
  }
}

/** Whether an object is only there until its deletion ends. */
export function isBeingDeleted({ metadata }: KubernetesObject): boolean {
  return typeof metadata.deletionTimestamp === "string";
}

/** What a deletion waits for. Source: Kubernetes, `core/v1.NamespaceCondition`; `meta/v1.ObjectMeta`. */
function waitingOf({ metadata, status }: KubernetesObject): string {
  const { conditions } = (status ?? {}) as {
    readonly conditions?: readonly { readonly status: string; readonly message?: string }[] | null;
  };
  const reasons = (conditions ?? []).flatMap(({ status: state, message }) =>
    state === "True" && message !== undefined ? [message] : [],
  );
  const finalizers = Array.isArray(metadata.finalizers) ? metadata.finalizers.join(", ") : "";
  return [...reasons, finalizers === "" ? "" : `finalizers: ${finalizers}`]
    .filter((each) => each !== "")
    .join("; ");
}
