import { objectPath } from "../../kubernetes/apiResources";
import type { KubernetesObject } from "../../kubernetes/kubernetesObject";
import type { KubernetesAccess } from "./kubernetesAccess";

const secrets = { groupVersion: "v1", plural: "secrets", isNamespaced: true };

/** A release of Helm in a cluster. */
export interface NamedRelease {
  readonly name: string;
  readonly namespace: string;
}

/**
 * Has Helm forget a step of a release that hasn't come to its end, such as `pending-upgrade`. Helm refuses each further
 * step until then. What the step did stays: the next one finds these objects by the release's name in them, and goes on.
 * Source: helm v3.20.2, `pkg/storage/driver/secrets.go`, `pkg/release/status.go`, `pkg/action/validate.go`.
 *
 * Nobody may be at work with the release meanwhile.
 *
 * @returns the status of each forgotten step
 */
export async function forgetPendingRelease(
  access: KubernetesAccess,
  { name, namespace }: NamedRelease,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const selector = encodeURIComponent(`owner=helm,name=${name}`);
  const path = `/api/v1/namespaces/${namespace}/secrets?labelSelector=${selector}`;
  const { items } = await access.read<{ readonly items: readonly KubernetesObject[] }>(
    path,
    signal,
  );
  const forgotten: string[] = [];
  for (const { metadata } of items) {
    const { status = "" } = metadata.labels ?? {};
    if (status.startsWith("pending-")) {
      await access.send({ method: "DELETE", path: objectPath(secrets, metadata) }, signal);
      forgotten.push(status);
    }
  }
  return forgotten;
}
