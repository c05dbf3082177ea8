import { clock } from "../../base/clock";
import type { Progress } from "../../base/progress";
import { oldTokens, signedSince, type TokenPod } from "../../kubernetes/podTokens";
import { type KubernetesAccess, waitForKubernetes } from "../kubernetes/kubernetesAccess";
import { readPages } from "../kubernetes/readPages";
import type { Machine } from "../machine";

/** What happens if pods may still hold tokens that the API servers are about to refuse. */
export type WhenTokensAreOld = (typeof WHEN_TOKENS_ARE_OLD)[number];

/** All values of `WhenTokensAreOld`. */
export const WHEN_TOKENS_ARE_OLD = ["fail", "proceed"] as const;

/** A check of the tokens of all pods. */
export interface TokenCheck {
  /** Asked one after another. */
  readonly controlPlanes: readonly Machine[];
  readonly whenOld: WhenTokensAreOld;
  /** In milliseconds since 1970. */
  readonly deadline: number;
  readonly progress: Progress;
}

/** The maximum number of pods in a message. */
const LONGEST_LIST = 5;

/**
 * Checks that no pod may hold a token of the service account key that is about to be refused. No
 * token is read: a pod's age, its kubelet's habits and the start of the API servers tell.
 *
 * @throws Error that names some of the pods, and the time from which on it succeeds
 * @throws WaitTimeoutError at the deadline, if Kubernetes doesn't answer
 */
export async function tokensRenewed(check: TokenCheck): Promise<void> {
  const { controlPlanes, whenOld, deadline, progress } = check;
  let pods: readonly TokenPod[] = [];
  await waitForKubernetes({
    what: "the pods whose tokens were renewed",
    controlPlanes,
    deadlineMs: Math.max(0, deadline - clock.now()),
    progress,
    look: async (access, signal) => {
      pods = await readPods(access, signal);
      return signedSince(pods) === undefined
        ? { done: false, status: "an API server doesn't run" }
        : { done: true, value: undefined };
    },
  });
  const old = oldTokens(pods, signedSince(pods) ?? 0, clock.now());
  if (old.length === 0) {
    return;
  }
  const until = new Date(Math.max(...old.map(({ untilMs }) => untilMs))).toISOString();
  const names = old.slice(0, LONGEST_LIST).map(({ pod }) => pod);
  const more = old.length > LONGEST_LIST ? ` and ${old.length - LONGEST_LIST} more` : "";
  const what = `${names.join(", ")}${more} may hold tokens of the old service account key, which the API servers would refuse`;
  if (whenOld === "proceed") {
    progress.warn(what);
    return;
  }
  throw new Error(
    `no machine was changed: ${what}. Their kubelets have renewed them by ${until}: run the command again then, or restart these pods`,
  );
}

function readPods(access: KubernetesAccess, signal: AbortSignal): Promise<readonly TokenPod[]> {
  const ask = (path: string) => access.send({ method: "GET", path }, signal);
  return readPages("pods", "/api/v1/pods", ask, tokenPart);
}

/** What is read of a pod, which can be a hundred times as long. */
function tokenPart({ metadata, spec, status }: TokenPod): TokenPod {
  const { namespace, name, creationTimestamp, labels } = metadata;
  const { phase, containerStatuses = [] } = status;
  const volumes = (spec.volumes ?? []).flatMap(({ projected }) =>
    projected === undefined ? [] : [{ projected }],
  );
  return {
    metadata: { namespace, name, creationTimestamp, ...(labels && { labels }) },
    spec: { volumes },
    status: {
      ...(phase !== undefined && { phase }),
      containerStatuses: containerStatuses.map(({ state }) => ({ ...(state && { state }) })),
    },
  };
}
