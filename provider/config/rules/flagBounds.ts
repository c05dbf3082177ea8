import {
  gracePeriodProblem,
  isCipherSuite,
  isCpuSet,
  isPortRange,
  isRuntimeSetting,
  pairsIn,
  proxyModes,
  reservedProblem,
  thresholdProblem,
  TLS_VERSIONS,
} from "../flags/componentValues";
import { parseDuration } from "../schema/duration";
import { isCidr } from "../schema/formats";
import type { FlaggedProgram } from "./deniedFlags";

/** Says what a flag's value has to be; undefined if it fits. */
type Bound = (text: string, minor: number) => string | undefined;

type Bounds = Readonly<Record<string, Bound>>;

/** From this minor on, no cloud is built into Kubernetes. */
const NO_CLOUD_MINOR = 31;

const TLS: Bounds = {
  "tls-min-version": words(...TLS_VERSIONS),
  "tls-cipher-suites": items(
    isCipherSuite,
    "a list of cipher suites, like TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
  ),
};

const LOGGING: Bounds = { "logging-format": words("text", "json") };

const NOT_NEGATIVE = numbers(0, Infinity);

/**
 * The values that programs accept of some flags, beyond their types. They end at once with others.
 *
 * Sources: Kubernetes v1.35.0 and v1.37.2: k8s.io/apiserver, `pkg/server/options/{server_run_options,
 * serving,audit,etcd}.go`; `pkg/kubeapiserver/options/{authentication,authorization}.go`,
 * `pkg/controlplane/apiserver/options/options.go`, `pkg/controlplane/reconcilers/reconcilers.go`,
 * `cmd/kube-controller-manager/app/options`, `pkg/kubelet/apis/config/validation/validation.go`,
 * `cmd/kubelet/app/server.go`, `pkg/proxy/apis/config/validation/validation.go`. etcd v3.6.7 and v3.7.1:
 * `Config.Validate` in embed/config.go, `parseCompactionRetention` in embed/etcd.go.
 */
const BOUNDS: Readonly<Record<FlaggedProgram, Bounds>> = {
  apiServer: {
    ...TLS,
    ...LOGGING,
    "goaway-chance": numbers(0, 0.02),
    "max-requests-inflight": NOT_NEGATIVE,
    "max-mutating-requests-inflight": NOT_NEGATIVE,
    "min-request-timeout": NOT_NEGATIVE,
    "request-timeout": durations("0s"),
    "shutdown-delay-duration": durations("0s"),
    "livez-grace-period": durations("0s"),
    "service-account-max-token-expiration": (text) =>
      parseDuration(text) === 0n ? undefined : durations("1h")(text),
    "service-account-jwks-uri": secureUrl,
    "service-node-port-range": (text) =>
      isPortRange(text) ? undefined : "a range of ports, like 30000-32767",
    "kubernetes-service-node-port": numbers(0, 65_535),
    "oidc-issuer-url": secureUrl,
    "storage-backend": words("etcd3"),
    "endpoint-reconciler-type": words("lease", "master-count", "none"),
    "audit-log-mode": words("batch", "blocking", "blocking-strict"),
    "audit-webhook-mode": words("batch", "blocking", "blocking-strict"),
    "audit-log-format": words("legacy", "json"),
    "audit-log-maxage": NOT_NEGATIVE,
    "audit-log-maxbackup": NOT_NEGATIVE,
    "audit-log-maxsize": NOT_NEGATIVE,
    "authorization-mode": items(
      (mode) => ["AlwaysAllow", "AlwaysDeny", "ABAC", "Webhook", "RBAC", "Node"].includes(mode),
      "a list of AlwaysAllow, AlwaysDeny, ABAC, Webhook, RBAC and Node",
    ),
    "runtime-config": items(
      (item) => isRuntimeSetting(item.trim()),
      "a list of versions of the API, like batch/v2alpha1=true,api/beta=false",
    ),
  },
  controllerManager: {
    ...TLS,
    ...LOGGING,
    "cloud-provider": external,
    ...Object.fromEntries(
      [
        "cron-job",
        "daemonset",
        "ephemeralvolume",
        "horizontal-pod-autoscaler",
        "job",
        "statefulset",
      ].map((kind) => [`concurrent-${kind}-syncs`, numbers(1, Infinity)]),
    ),
  },
  scheduler: { ...TLS, ...LOGGING },
  kubelet: {
    ...TLS,
    ...LOGGING,
    "eviction-hard": pairs("<", thresholdProblem),
    "eviction-soft": pairs("<", thresholdProblem),
    "eviction-soft-grace-period": pairs("=", gracePeriodProblem),
    "eviction-minimum-reclaim": pairs("=", (signal, least) =>
      thresholdProblem(signal, least, true),
    ),
    "system-reserved": pairs("=", reservedProblem),
    "kube-reserved": pairs("=", reservedProblem),
    "cpu-manager-policy": words("none", "static"),
    "topology-manager-policy": words("none", "best-effort", "restricted", "single-numa-node"),
    "topology-manager-scope": words("container", "pod"),
    "hairpin-mode": words("promiscuous-bridge", "hairpin-veth", "none"),
    "reserved-cpus": (text) => (isCpuSet(text) ? undefined : "a list of processors, like 0,2-3"),
    "image-gc-high-threshold": numbers(0, 100),
    "image-gc-low-threshold": numbers(0, 100),
    "healthz-port": numbers(0, 65_535),
    "read-only-port": numbers(0, 65_535),
    "max-pods": NOT_NEGATIVE,
    "pods-per-core": NOT_NEGATIVE,
    "oom-score-adj": numbers(-1000, 1000),
    "event-burst": NOT_NEGATIVE,
    "event-qps": NOT_NEGATIVE,
    "kube-api-burst": NOT_NEGATIVE,
    "kube-api-qps": NOT_NEGATIVE,
    "registry-burst": NOT_NEGATIVE,
    "registry-qps": NOT_NEGATIVE,
    "container-log-max-files": numbers(2, Infinity),
  },
  proxy: {
    ...LOGGING,
    "proxy-mode": (text, minor) => words(...proxyModes(minor))(text),
    "detect-local-mode": words("ClusterCIDR", "NodeCIDR", "BridgeInterface", "InterfaceNamePrefix"),
    "cluster-cidr": items(isCidr, "a network in CIDR notation, like 10.244.0.0/16"),
  },
  etcd: {
    "auto-compaction-mode": words("periodic", "revision"),
    "auto-compaction-retention": (text) =>
      /^\+?\d+$/.test(text) || parseDuration(text) !== undefined
        ? undefined
        : "a number, or a duration like 1h30m",
    "log-level": words("debug", "info", "warn", "error", "dpanic", "panic", "fatal"),
    "log-format": words("json", "console"),
    "heartbeat-interval": numbers(1, Infinity),
    "election-timeout": numbers(1, 50_000),
    "initial-cluster-state": words("new", "existing"),
  },
};

/**
 * What the value of a flag has to be, for a message; undefined if it fits, or nothing is known of it.
 *
 * @param name as the program reads it
 * @param minor of the program
 */
export function boundOfFlag(
  program: FlaggedProgram,
  name: string,
  text: string,
  minor: number,
): string | undefined {
  const bounds = BOUNDS[program];
  return text === "" || !Object.hasOwn(bounds, name) ? undefined : bounds[name]?.(text, minor);
}

function external(text: string, minor: number): string | undefined {
  return minor < NO_CLOUD_MINOR ? undefined : words("external")(text);
}

function secureUrl(text: string): string | undefined {
  return /^https:/i.test(text) ? undefined : "an address that begins with https://";
}

function words(...accepted: readonly string[]): (text: string) => string | undefined {
  return (text) =>
    accepted.includes(text)
      ? undefined
      : `${accepted.length === 1 ? "" : "one of "}${accepted.map((word) => JSON.stringify(word)).join(", ")}`;
}

function numbers(least: number, most: number): Bound {
  return (text) => {
    const value = Number(text);
    return Number.isNaN(value) || (value >= least && value <= most)
      ? undefined
      : most === Infinity
        ? `at least ${least}`
        : `${least} to ${most}`;
  };
}

function durations(least: string): (text: string) => string | undefined {
  const bound = parseDuration(least) ?? 0n;
  return (text) => {
    const value = parseDuration(text);
    return value === undefined || value >= bound ? undefined : `at least ${least}`;
  };
}

/** A list. Programs keep the spaces around its items: kube-apiserver v1.35.0 refuses the mode " Node". */
function items(accepts: (item: string) => boolean, description: string): Bound {
  return (text) => (text.split(",").every(accepts) ? undefined : description);
}

function pairs(
  separator: string,
  problemOf: (key: string, value: string) => string | undefined,
): Bound {
  return (text) => {
    const found = pairsIn(text, separator);
    if (found === undefined) {
      return `a list like a${separator}b`;
    }
    const problems = found.flatMap((pair) => problemOf(...pair) ?? []);
    return problems.length === 0 ? undefined : `what kubelet reads (${problems.join("; ")})`;
  };
}

/** Flags of the API server that need others, by the beginning of their names. */
const TOGETHER: readonly (readonly [start: string, value: RegExp, needed: readonly string[]])[] = [
  ["oidc-", /^/, ["oidc-issuer-url", "oidc-client-id"]],
  ["authorization-mode", /\bABAC\b/, ["authorization-policy-file"]],
  ["authorization-mode", /\bWebhook\b/, ["authorization-webhook-config-file"]],
];

/**
 * The flags that another one of a program needs, and that aren't there.
 *
 * @param given the values of all flags of the program by the names that it reads
 */
export function missingFlags(
  program: FlaggedProgram,
  name: string,
  given: ReadonlyMap<string, string>,
): readonly string[] {
  const needed =
    program === "apiServer"
      ? TOGETHER.filter(
          ([start, value]) => name.startsWith(start) && value.test(given.get(name) ?? ""),
        ).flatMap(([, , flags]) => flags)
      : [];
  return needed.filter((flag) => (given.get(flag) ?? "") === "");
}
