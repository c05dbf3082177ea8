/** A pod, as far as its tokens and its age are read. */
export interface TokenPod {
  readonly metadata: {
    readonly namespace: string;
    readonly name: string;
    /** RFC 3339. */
    readonly creationTimestamp: string;
    readonly labels?: Readonly<Record<string, string>>;
  };
  readonly spec: {
    readonly volumes?:
      | readonly {
          readonly projected?: {
            readonly sources?: readonly {
              readonly serviceAccountToken?: { readonly expirationSeconds?: number };
            }[];
          };
        }[]
      | null;
  };
  readonly status: {
    readonly phase?: string;
    readonly containerStatuses?: readonly {
      readonly state?: { readonly running?: { readonly startedAt?: string } };
    }[];
  };
}

/** A pod whose token may be of the old key, and until when. */
export interface OldToken {
  /** `namespace/name`. */
  readonly pod: string;
  /** In milliseconds since 1970. */
  readonly untilMs: number;
}

/** A volume's token lives an hour unless the pod says otherwise (Kubernetes, `core/v1/defaults.go`). */
const DEFAULT_EXPIRATION_SECONDS = 3_600;

/**
 * A kubelet renews a token when 80 % of its life are over, and after a day at the latest. Source:
 * Kubernetes v1.35, `pkg/kubelet/token/token_manager.go`, `requiresRefresh`.
 */
const RENEWED_AFTER = 0.8;
const LONGEST_SECONDS = 86_400;

/** What a kubelet takes to notice, and clocks may differ: it looks at each pod every minute or two. */
const SLACK_MS = 300_000;

/** Pods that run no more use no token. */
const ENDED: readonly string[] = ["Succeeded", "Failed"];

/**
 * When the last API server started. Since then, all of them sign tokens with the key of their
 * configuration.
 *
 * @returns milliseconds since 1970; undefined if one of them doesn't run, or none is there
 */
export function signedSince(pods: readonly TokenPod[]): number | undefined {
  const starts = pods
    .filter(({ metadata: { namespace, labels } }) => {
      return namespace === "kube-system" && labels?.["k8s-app"] === "kube-apiserver";
    })
    .map(({ status: { containerStatuses: [container] = [] } }) =>
      Date.parse(container?.state?.running?.startedAt ?? ""),
    );
  return starts.length === 0 || starts.some(Number.isNaN) ? undefined : Math.max(...starts);
}

/**
 * The pods that may still hold a token that another key signed. A pod that was created since then
 * has none. Others have a new one when their kubelet has renewed it.
 *
 * @param signedSinceMs since when all API servers sign with the current key
 */
export function oldTokens(
  pods: readonly TokenPod[],
  signedSinceMs: number,
  nowMs: number,
): readonly OldToken[] {
  return pods.flatMap(({ metadata, spec, status }): readonly OldToken[] => {
    const lifetimes = (spec.volumes ?? []).flatMap(({ projected }) =>
      (projected?.sources ?? []).flatMap(({ serviceAccountToken: token }) =>
        token === undefined ? [] : [token.expirationSeconds ?? DEFAULT_EXPIRATION_SECONDS],
      ),
    );
    const isNew = Date.parse(metadata.creationTimestamp) >= signedSinceMs;
    if (lifetimes.length === 0 || isNew || ENDED.includes(status.phase ?? "")) {
      return [];
    }
    const seconds = Math.min(Math.max(...lifetimes) * RENEWED_AFTER, LONGEST_SECONDS);
    const untilMs = signedSinceMs + seconds * 1_000 + SLACK_MS;
    return nowMs < untilMs ? [{ pod: `${metadata.namespace}/${metadata.name}`, untilMs }] : [];
  });
}
