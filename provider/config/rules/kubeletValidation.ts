import { TLS_VERSIONS } from "../flags/componentValues";
import type { Path } from "../path";
import { parseDuration } from "../schema/duration";
import type { DocumentView } from "./documentView";
import { checkKubeletAmounts } from "./kubeletAmounts";

/** The numbers that a setting of kubelet accepts. */
interface Range {
  readonly least: number;
  readonly most?: number;
}

const NOT_NEGATIVE: Range = { least: 0 };
const PERCENT: Range = { least: 0, most: 100 };
const PORT: Range = { least: 0, most: 65_535 };

/** Numbers. Where kubelet refuses 0, and reads it as its default, 0 is allowed. */
const NUMBERS: Readonly<Record<string, Range>> = {
  eventBurst: NOT_NEGATIVE,
  eventRecordQPS: NOT_NEGATIVE,
  kubeAPIBurst: NOT_NEGATIVE,
  kubeAPIQPS: NOT_NEGATIVE,
  maxOpenFiles: NOT_NEGATIVE,
  maxPods: NOT_NEGATIVE,
  podsPerCore: NOT_NEGATIVE,
  registryBurst: NOT_NEGATIVE,
  registryPullQPS: NOT_NEGATIVE,
  nodeLeaseDurationSeconds: NOT_NEGATIVE,
  healthzPort: PORT,
  readOnlyPort: PORT,
  imageGCHighThresholdPercent: PERCENT,
  imageGCLowThresholdPercent: PERCENT,
  iptablesDropBit: { least: 0, most: 31 },
  iptablesMasqueradeBit: { least: 0, most: 31 },
  nodeStatusMaxImages: { least: -1 },
  oomScoreAdj: { least: -1000, most: 1000 },
  maxParallelImagePulls: { least: 1 },
  containerLogMaxWorkers: { least: 1 },
  containerLogMaxFiles: { least: 2 },
};

/** Durations that kubelet refuses, with what it asks for; in nanoseconds. */
const DURATIONS: readonly (readonly [
  setting: string,
  accepts: (value: bigint) => boolean,
  description: string,
])[] = [
  ["cpuCFSQuotaPeriod", (value) => value === 0n || isBetween(value, 1n, 1000n), "1ms to 1s"],
  ["imageMaximumGCAge", (value) => value >= 0n, "0s or longer"],
  ["shutdownGracePeriod", isZeroOrSecond, "0s, or at least 1s"],
  ["shutdownGracePeriodCriticalPods", isZeroOrSecond, "0s, or at least 1s"],
  ["containerLogMonitorInterval", (value) => value >= seconds(3n), "at least 3s"],
];

/** The words that settings accept, by the place of the setting. */
const WORDS: readonly (readonly [path: Path, words: readonly string[]])[] = [
  [["topologyManagerPolicy"], ["none", "best-effort", "restricted", "single-numa-node"]],
  [["topologyManagerScope"], ["container", "pod"]],
  [["cpuManagerPolicy"], ["none", "static"]],
  [["memoryManagerPolicy"], ["None", "Static"]],
  [["tlsMinVersion"], TLS_VERSIONS],
  [["hairpinMode"], ["promiscuous-bridge", "hairpin-veth", "none"]],
  [
    ["logging", "format"],
    ["text", "json"],
  ],
];

/** The minor that no longer allows `UnlimitedSwap`. */
const LIMITED_SWAP_MINOR = 30;

/**
 * Checks what kubelet asks of its settings beyond their types: it ends at once with others, whenever it
 * starts. Not all of it: the rules here need no feature gates, and no knowledge of the machine.
 *
 * Source: Kubernetes v1.28.15 and v1.35.0, `pkg/kubelet/apis/config/validation/validation.go`.
 *
 * @param place of the settings
 * @param minor of kubelet: 35 is v1.35
 */
export function checkKubeletValues(view: DocumentView, place: Path, minor: number): void {
  const refuse = (setting: Path, wish: string) => {
    const path = [...place, ...setting];
    view.report(path, `${view.quote(...path)} is refused by kubelet, which then fails: ${wish}`);
  };
  for (const [setting, { least, most = Infinity }] of Object.entries(NUMBERS)) {
    const value = view.get(...place, setting);
    if (typeof value === "number" && (value < least || value > most)) {
      refuse(
        [setting],
        `it has to be ${most === Infinity ? `at least ${least}` : `${least} to ${most}`}`,
      );
    }
  }
  for (const [setting, accepts, description] of DURATIONS) {
    const value = durationAt(view, [...place, setting]);
    if (value !== undefined && !accepts(value)) {
      refuse([setting], `it has to be ${description}`);
    }
  }
  for (const [path, words] of WORDS) {
    view.requireWord([...place, ...path], words, { optional: true });
  }
  view.requireWord(
    [...place, "memorySwap", "swapBehavior"],
    ["NoSwap", "LimitedSwap", ...(minor < LIMITED_SWAP_MINOR ? ["UnlimitedSwap"] : [])],
    { optional: true },
  );
  checkPairs(view, place, refuse);
  checkKubeletAmounts(view, place, refuse);
  checkRestartLimit(view, place, minor, refuse);
}

/** The feature gate of a limit between restarts, and the minor that has it by default. */
const RESTART_GATE = { name: "KubeletCrashLoopBackOffMax", since: 35 } as const;

function checkRestartLimit(
  view: DocumentView,
  place: Path,
  minor: number,
  refuse: (setting: Path, wish: string) => void,
): void {
  const setting = ["crashLoopBackOff", "maxContainerRestartPeriod"];
  const limit = durationAt(view, [...place, ...setting]);
  const { name, since } = RESTART_GATE;
  const gates = [...place, "featureGates"];
  const isOn =
    view.get(...gates, name) ?? (minor >= since || view.get(...gates, "AllAlpha") === true);
  if (limit !== undefined && isOn !== true) {
    refuse(setting, `it needs the feature gate ${name}, which is off`);
  } else if (limit !== undefined && !isBetween(limit, 1_000n, 300_000n)) {
    refuse(setting, "it has to be 1s to 5m");
  }
}

/** What kubelet has without a setting. Source: `pkg/kubelet/apis/config/v1beta1/defaults.go`. */
const DEFAULT_PERCENT = { high: 85, low: 80 };

/** What Talos sets without a setting. Source: `KubeletShutdownGracePeriod…` of pkg/machinery/constants. */
const DEFAULT_GRACE = { all: "30s", critical: "10s" };

/** Two settings that have to fit each other, also if one of them has its default. */
function checkPairs(
  view: DocumentView,
  place: Path,
  refuse: (setting: Path, wish: string) => void,
): void {
  const percent = (setting: string, standard: number) => {
    const value = view.get(...place, setting) ?? standard;
    return typeof value === "number" ? value : undefined;
  };
  const { high: standardHigh, low: standardLow } = DEFAULT_PERCENT;
  const high = percent("imageGCHighThresholdPercent", standardHigh);
  const low = percent("imageGCLowThresholdPercent", standardLow);
  if (high !== undefined && low !== undefined && low >= high) {
    const isHighGiven = view.get(...place, "imageGCHighThresholdPercent") !== undefined;
    refuse(
      [isHighGiven ? "imageGCHighThresholdPercent" : "imageGCLowThresholdPercent"],
      isHighGiven
        ? `it has to be more than imageGCLowThresholdPercent, ${low}: set that too`
        : `it has to be less than imageGCHighThresholdPercent, ${high}: set that too`,
    );
  }
  const all = graceAt(view, [...place, "shutdownGracePeriod"], DEFAULT_GRACE.all);
  const critical = graceAt(
    view,
    [...place, "shutdownGracePeriodCriticalPods"],
    DEFAULT_GRACE.critical,
  );
  if (all !== undefined && critical !== undefined && critical > all) {
    const isAllGiven = view.get(...place, "shutdownGracePeriod") !== undefined;
    refuse(
      [isAllGiven ? "shutdownGracePeriod" : "shutdownGracePeriodCriticalPods"],
      `shutdownGracePeriodCriticalPods, without a setting ${DEFAULT_GRACE.critical}, has to be at most shutdownGracePeriod, without a setting ${DEFAULT_GRACE.all}`,
    );
  }
}

function graceAt(view: DocumentView, path: Path, standard: string): bigint | undefined {
  return view.get(...path) === undefined ? parseDuration(standard) : durationAt(view, path);
}

function durationAt(view: DocumentView, path: Path): bigint | undefined {
  const text = view.text(...path);
  return text === undefined ? undefined : parseDuration(text);
}

function seconds(count: bigint): bigint {
  return count * 1_000_000_000n;
}

/** Whether nanoseconds are in a range of milliseconds. */
function isBetween(value: bigint, least: bigint, most: bigint): boolean {
  return value >= least * 1_000_000n && value <= most * 1_000_000n;
}

function isZeroOrSecond(value: bigint): boolean {
  return value === 0n || value >= seconds(1n);
}
