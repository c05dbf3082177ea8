import { clock } from "../clock";
import { KubernetesApiError } from "../kubernetes/kubernetesApi";
import type { Progress } from "../progress";
import { type KubernetesAccess, waitForKubernetes } from "./kubernetesAccess";
import type { Machine } from "./machine";

/** A rewrite of all Secrets. */
export interface SecretsRewrite {
  /** Asked one after another. */
  readonly controlPlanes: readonly Machine[];
  /** In milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/** A Secret, as far as this needs it. */
interface Secret {
  readonly metadata: { readonly namespace: string; readonly name: string };
}

interface SecretPage {
  readonly metadata: { readonly continue?: string };
  readonly items: readonly Secret[];
}

const PAGE_SIZE = 200;

/**
 * Writes every Secret again, unchanged. The API server then encrypts it with the key that is the
 * first in its configuration, and writes nothing if that key did so already. A Secret that somebody
 * else has changed or deleted meanwhile is left alone: that write used the same key.
 *
 * Source: kubernetes.io, "Encrypting Confidential Data at Rest", "Ensure all relevant data are
 * encrypted"; Kubernetes v1.35, `apiserver/pkg/storage/etcd3/store.go` (`GuaranteedUpdate` writes
 * unchanged data if it is `stale`).
 *
 * @throws KubernetesApiError if the server refuses
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
      let count = 0;
      for await (const secret of secretsOf(access, signal)) {
        await write(access, secret, signal);
        count += 1;
      }
      progress.report(`${count} Secrets are encrypted with the current key`);
      return { done: true, value: undefined };
    },
  });
}

async function* secretsOf(access: KubernetesAccess, signal: AbortSignal): AsyncIterable<Secret> {
  let from = "";
  do {
    const query = `limit=${PAGE_SIZE}${from === "" ? "" : `&continue=${encodeURIComponent(from)}`}`;
    const page = await access.read<SecretPage>(`/api/v1/secrets?${query}`, signal);
    yield* page.items;
    from = page.metadata.continue ?? "";
  } while (from !== "");
}

async function write(access: KubernetesAccess, secret: Secret, signal: AbortSignal): Promise<void> {
  const { namespace, name } = secret.metadata;
  const path = `/api/v1/namespaces/${namespace}/secrets/${name}`;
  try {
    const body = { ...secret, apiVersion: "v1", kind: "Secret" };
    await access.send({ method: "PUT", path, body }, signal);
  } catch (error) {
    const isElsewhere =
      error instanceof KubernetesApiError && (error.status === 404 || error.status === 409);
    if (!isElsewhere) {
      throw error;
    }
  }
}
