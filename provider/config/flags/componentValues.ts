import { parseDuration } from "../schema/duration";

/**
 * Names of TLS versions. Source: k8s.io/component-base v0.35.0, `cli/flag/ciphersuites_flag.go`; the same in
 * v0.37.2.
 */
export const TLS_VERSIONS: readonly string[] = [
  "VersionTLS10",
  "VersionTLS11",
  "VersionTLS12",
  "VersionTLS13",
];

/** Cipher suites of Go 1.24 to 1.26, crypto/tls, and two names that Kubernetes adds (source as above). */
const CIPHER_SUITES =
  /^TLS_(?:AES_(?:128_GCM_SHA256|256_GCM_SHA384)|CHACHA20_POLY1305_SHA256|ECDHE_(?:ECDSA|RSA)_WITH_(?:AES_128_(?:CBC_SHA|CBC_SHA256|GCM_SHA256)|AES_256_(?:CBC_SHA|GCM_SHA384)|CHACHA20_POLY1305(?:_SHA256)?|RC4_128_SHA)|ECDHE_RSA_WITH_3DES_EDE_CBC_SHA|RSA_WITH_(?:3DES_EDE_CBC_SHA|AES_128_(?:CBC_SHA|CBC_SHA256|GCM_SHA256)|AES_256_(?:CBC_SHA|GCM_SHA384)|RC4_128_SHA))$/;

/** A quantity of Kubernetes. Source: apimachinery, pkg/api/resource/quantity.go. */
const QUANTITY = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[KMGTPE]i|[numkMGTPE]|[eE][+-]?\d+)?$/;

/** What kubelet evicts pods by. Source: Kubernetes v1.35.0, `pkg/kubelet/eviction/api/types.go`. */
const EVICTION_SIGNALS: readonly string[] = [
  "memory.available",
  "nodefs.available",
  "nodefs.inodesFree",
  "imagefs.available",
  "imagefs.inodesFree",
  "containerfs.available",
  "containerfs.inodesFree",
  "allocatableMemory.available",
  "pid.available",
];

/** What kubelet keeps back. Source: Kubernetes v1.35.0, `parseResourceList` in `cmd/kubelet/app/server.go`. */
const RESERVED_RESOURCES: readonly string[] = ["cpu", "memory", "ephemeral-storage", "pid"];

/** Whether Go knows a cipher suite. */
export function isCipherSuite(name: string): boolean {
  return CIPHER_SUITES.test(name);
}

/** Whether Kubernetes reads a text as a quantity. */
export function isQuantity(text: string): boolean {
  return QUANTITY.test(text);
}

/** What is wrong with an amount that kubelet is to keep back; undefined without a problem. */
export function reservedProblem(resource: string, amount: string): string | undefined {
  if (!RESERVED_RESOURCES.includes(resource)) {
    return `kubelet can't reserve ${JSON.stringify(resource)}: it can reserve ${RESERVED_RESOURCES.join(", ")}`;
  }
  return isQuantity(amount) && !amount.startsWith("-")
    ? undefined
    : 'it has to be a quantity that isn\'t negative, like "100m" for cpu or "512Mi" for memory';
}

/**
 * What is wrong with a threshold of evictions; undefined without a problem. Source: Kubernetes v1.35.0,
 * `parseThresholdStatement` in `pkg/kubelet/eviction/helpers.go`.
 *
 * @param isLeast whether 0 is a threshold too, as of what an eviction frees at least
 */
export function thresholdProblem(
  signal: string,
  threshold: string,
  isLeast = false,
): string | undefined {
  const problem = signalProblem(signal);
  if (problem !== undefined) {
    return problem;
  }
  const [, percent] = /^(\d+(?:\.\d*)?|\.\d+)%$/.exec(threshold) ?? [];
  if (percent !== undefined) {
    const share = Number(percent);
    return isLeast
      ? share > 0
        ? undefined
        : "it has to be more than 0%"
      : share <= 100
        ? undefined
        : "it has to be at most 100%";
  }
  const isPositive = isQuantity(threshold) && !threshold.startsWith("-");
  return isPositive && (isLeast || /[1-9]/.test(threshold.replace(/[eE][+-]?\d+$/, "")))
    ? undefined
    : 'it has to be a quantity above 0 or a share, like "200Mi" or "10%"';
}

/** What is wrong with a signal of evictions; undefined if kubelet knows it. */
function signalProblem(signal: string): string | undefined {
  return EVICTION_SIGNALS.includes(signal)
    ? undefined
    : `kubelet has no eviction signal ${JSON.stringify(signal)}: there are ${EVICTION_SIGNALS.join(", ")}`;
}

/** What is wrong with the time for which a threshold is passed before an eviction; undefined without a problem. */
export function gracePeriodProblem(signal: string, period: string): string | undefined {
  const isLength = (parseDuration(period) ?? -1n) >= 0n;
  return signalProblem(signal) ?? (isLength ? undefined : "it has to be a duration, like 1m30s");
}

/**
 * Whether a text is a list of processors, like `0,2-5`. Source: k8s.io/utils v0.0.0-20260210185600,
 * `cpuset.Parse`.
 */
export function isCpuSet(text: string): boolean {
  return text.split(",").every((part) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(part) ?? [];
    return first !== undefined && Number(first) <= Number(last);
  });
}

/**
 * Whether a text is a port or a range of them: `30000-32767`, `30000+500`, `30000`. Source:
 * k8s.io/apimachinery v0.35.0, `pkg/util/net/port_range.go`.
 */
export function isPortRange(text: string): boolean {
  const [, first = "", sign, second = first] = /^(\d+)(?:([-+])(\d+))?$/.exec(text.trim()) ?? [];
  const last = sign === "+" ? Number(first) + Number(second) : Number(second);
  return first !== "" && Number(first) <= last && last <= 65_535;
}

/** The parts of a value like `a=1,b=2`; undefined for one that isn't such a list. */
export function pairsIn(text: string, separator = "="): (readonly [string, string])[] | undefined {
  const parts = text.split(",").filter((part) => part.trim() !== "");
  const pairs = parts.map((part): readonly [string, string] => {
    const at = part.indexOf(separator);
    return at === -1 ? [part, ""] : [part.slice(0, at).trim(), part.slice(at + 1).trim()];
  });
  return parts.every((part) => part.includes(separator)) ? pairs : undefined;
}

/**
 * Whether a part of `runtime-config` names versions of the API: `batch/v2alpha1=true`, `api/beta=true`.
 * Source: k8s.io/apiserver v0.35.0, `ParseGroups` in `pkg/server/resourceconfig/helpers.go`.
 */
export function isRuntimeSetting(text: string): boolean {
  const tokens = text.replace(/=.*$/s, "").split("/");
  return tokens.length === 2 || tokens.length === 3;
}

/** The first minor whose kube-proxy takes the mode nftables without a feature gate. */
const NFTABLES_MINOR = 31;

/**
 * Modes of kube-proxy on Linux. Source: Kubernetes v1.30 to v1.37, `pkg/proxy/apis/config/validation`.
 *
 * @param minor NaN if it isn't known
 */
export function proxyModes(minor: number): readonly string[] {
  return ["iptables", "ipvs", ...(minor < NFTABLES_MINOR ? [] : ["nftables"])];
}
