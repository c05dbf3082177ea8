import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import { generationsOf } from "../../pki/rotation/planGenerations";
import type { Rotation } from "../../pki/rotation/rotation";
import { waitForKubernetes } from "../kubernetes/kubernetesAccess";
import type { Machine } from "../machine";

/** Where API servers publish the CAs of clients and of the aggregator. */
const PUBLISHED = "/api/v1/namespaces/kube-system/configmaps/extension-apiserver-authentication";

/**
 * Has API servers publish anew which CAs they accept, without those that were dropped. Aggregated
 * API servers, the controller manager and the scheduler accept the clients of all CAs that are
 * published. API servers take only expired ones out. So what is published is deleted, once no API
 * server has another one, and they write it again. Until then, who has read it keeps it.
 *
 * Sources: Kubernetes v1.35, `pkg/controlplane/controller/clusterauthenticationtrust` (joins what is
 * there with its own, at each change and each minute), `apiserver/pkg/server/dynamiccertificates`
 * (`ConfigMapCAController` keeps what it has without a ConfigMap).
 *
 * @param deadline in milliseconds since 1970
 * @throws KubernetesApiError if the server refuses
 * @throws WaitTimeoutError at the deadline
 */
export async function forgetAuthorities(
  controlPlanes: readonly Machine[],
  deadline: number,
  progress: Progress,
): Promise<void> {
  await waitForKubernetes({
    what: "API servers to forget the dropped CAs",
    controlPlanes,
    deadlineMs: Math.max(0, deadline - clock.now()),
    progress,
    look: async (access, signal) => {
      try {
        await access.send({ method: "DELETE", path: PUBLISHED }, signal);
      } catch (error) {
        if (!(error instanceof KubernetesApiError && error.status === 404)) {
          throw error;
        }
      }
      progress.report("API servers publish only the CAs that they still accept");
      return { done: true, value: undefined };
    },
  });
}

/** Whether API servers have dropped a CA since the stages that were complete before. */
export function dropsPublished(before: Rotation | undefined, after: Rotation | undefined): boolean {
  return (["kubernetesCa", "aggregatorCa"] as const).some((authority) => {
    const kept = generationsOf(authority, after?.[authority]);
    return generationsOf(authority, before?.[authority]).some((each) => !kept.includes(each));
  });
}
