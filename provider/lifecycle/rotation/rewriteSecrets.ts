import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { KubernetesApiError } from "../../kubernetes/kubernetesApi";
import { type KubernetesAccess, waitForKubernetes } from "../kubernetes/kubernetesAccess";
import { readPages } from "../kubernetes/readPages";
import type { Machine } from "../machine";

/** A rewrite of all Secrets. */
export interface SecretsRewrite {
  /** Asked one after another. */
  readonly controlPlanes: readonly Machine[];
  /** In milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/** A Secret without its data. */
interface SecretName {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

/** How many Secrets are written at the same time: each write has a connection of its own. */
const WRITES_AT_ONCE = 10;

/** A list of objects without their data. Source: kubernetes.io, "Kubernetes API Concepts". */
const NAMES_ONLY = "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

/**
 * Writes every Secret again, unchanged. The API server then encrypts it with the key that is the
 * first in its configuration, and writes nothing if that key did so already. The data stays in the
 * API server: this lists names, and sends patches without content.
 *
 * Source: kubernetes.io, "Encrypting Confidential Data at Rest", "Ensure all relevant data are
 * encrypted"; Kubernetes v1.35, `apiserver/pkg/storage/etcd3/store.go` (`GuaranteedUpdate` writes
 * unchanged data if it is `stale`). Tried on kube-apiserver v1.35.0.
 *
 * @throws KubernetesApiError that names the Secret if the server refuses
 * @throws WaitTimeoutError at the deadline
 */
export async function rewriteSecrets(rewrite: SecretsRewrite): Promise<void> {
  const { controlPlanes, deadline, progress } = rewrite;
  await waitForKubernetes({
    what: "all Secrets to be written again",
    controlPlanes,
    deadlineMs: Math.max(0, deadline - clock.now()),
    progress,
    // A connection that breaks begins again: what is written already takes no other write.
    look: async (access, signal) => {
      // All names first: the server forgets the place in a list after five minutes.
      const secrets = await namesOfSecrets(access, signal);
      for (let from = 0; from < secrets.length; from += WRITES_AT_ONCE) {
        const some = secrets.slice(from, from + WRITES_AT_ONCE);
        await Promise.all(some.map((secret) => write(access, secret, signal)));
      }
      progress.report(`${secrets.length} Secrets are encrypted with the current key`);
      return { done: true, value: undefined };
    },
  });
}

function namesOfSecrets(
  access: KubernetesAccess,
  signal: AbortSignal,
): Promise<readonly SecretName[]> {
  const ask = (path: string) => access.send({ method: "GET", path, accept: NAMES_ONLY }, signal);
  return readPages("Secrets", "/api/v1/secrets", ask, ({ metadata }: SecretName) => {
    const { namespace, name } = metadata;
    return { metadata: { namespace, name } };
  });
}

async function write(
  access: KubernetesAccess,
  { metadata: { namespace, name } }: SecretName,
  signal: AbortSignal,
): Promise<void> {
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  const contentType = "application/merge-patch+json";
  try {
    await access.send({ method: "PATCH", path, body: {}, contentType }, signal);
  } catch (error) {
    if (!(error instanceof KubernetesApiError)) {
      throw error;
    }
    // Somebody else deleted it, or changed it again and again: those writes used the same key.
    if (error.status !== 404 && error.status !== 409) {
      const reason = `Secret "${namespace}/${name}" can't be written again: ${error.message}`;
      throw new KubernetesApiError(reason, error.status);
    }
  }
}
