import { isDeepStrictEqual } from "node:util";
import { isInMinors, type Minors } from "../flags/componentTable";
import type { YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { formatDuration, parseDuration } from "../schema/duration";
import { FileView, type FieldError } from "./fieldErrors";
import { checkExtendedResource } from "./kubernetesNames";
import { checkPluginArgs } from "./schedulerArgs";

/** Plugins that the types of v1 don't take, while the release may still have them. */
const INVALID_PLUGINS: readonly (Minors & { readonly names: readonly string[] })[] = [
  { until: 28, names: ["SelectorSpread"] },
  { since: 31, names: ["AzureDiskLimits", "CinderLimits", "EBSLimits", "GCEPDLimits"] },
];

/** The extension points that the rule about invalid plugins looks at. */
const POINTS = [
  "preEnqueue",
  "queueSort",
  "preFilter",
  "filter",
  "postFilter",
  "preScore",
  "score",
  "reserve",
  "permit",
  "preBind",
  "bind",
  "postBind",
];

/**
 * What kube-scheduler refuses in a configuration that it could decode, before it looks at plugins.
 *
 * Source: Kubernetes v1.28.15 to v1.37.2, `ValidateKubeSchedulerConfiguration` in
 * pkg/scheduler/apis/config/validation, with the defaults of apis/config/v1/defaults.go.
 */
export function schedulerErrors(content: YamlValue, minor: number): FieldError[] {
  const view = new FileView(content, minor);
  if ((view.number("clientConnection", "burst") ?? 0) < 0) {
    view.invalid(["clientConnection", "burst"], "must be non-negative");
  }
  checkLeaderElection(view);
  if ((view.number("parallelism") ?? 1) <= 0) {
    view.invalid(["parallelism"], "should be an integer value greater than zero");
  }
  checkProfiles(view);
  checkPercentage(view, ["percentageOfNodesToScore"]);
  const initial = view.number("podInitialBackoffSeconds") ?? 1;
  const longest = view.number("podMaxBackoffSeconds") ?? 10;
  if (initial <= 0) {
    view.invalid(["podInitialBackoffSeconds"], "must be greater than 0");
  }
  if (longest < initial) {
    view.invalid(
      ["podMaxBackoffSeconds"],
      "must be greater than or equal to PodInitialBackoffSeconds",
      longest,
    );
  }
  checkExtenders(view);
  return view.errors;
}

/** Talos always sets `--leader-elect=true`, which counts before the file. */
function checkLeaderElection(view: FileView): void {
  const path = (key: string) => ["leaderElection", key];
  const duration = (key: string, standard: string) => {
    const value = parseDuration(view.text(...path(key))) ?? 0n;
    // Without a value, and with 0, it has the default.
    return value === 0n ? (parseDuration(standard) ?? 0n) : value;
  };
  const lease = duration("leaseDuration", "15s");
  const renew = duration("renewDeadline", "10s");
  for (const [key, value] of [
    ["leaseDuration", lease],
    ["renewDeadline", renew],
    ["retryPeriod", duration("retryPeriod", "2s")],
  ] as const) {
    if (value <= 0n) {
      view.invalid(path(key), "must be greater than zero", formatDuration(value));
    }
  }
  if (lease <= renew) {
    view.invalid(
      path("leaseDuration"),
      "must be greater than `RenewDeadline`",
      formatDuration(renew),
    );
  }
  if (!["", "leases"].includes(view.text(...path("resourceLock")))) {
    view.invalid(path("resourceLock"), 'resourceLock value must be "leases"');
  }
}

function checkProfiles(view: FileView): void {
  const profiles = view.items("profiles");
  const seen = new Set<string>();
  for (const profile of profiles) {
    const name = view.text(...profile, "schedulerName");
    const isAlone = profiles.length === 1 && view.get(...profile, "schedulerName") === undefined;
    if (name === "" && !isAlone) {
      view.required([...profile, "schedulerName"]);
    }
    checkPercentage(view, [...profile, "percentageOfNodesToScore"]);
    checkPlugins(view, profile);
    // Kubernetes prints the place of the first one, which is an empty mapping as JSON.
    view.once([...profile, "schedulerName"], seen, name, {});
  }
  checkQueueSort(view, profiles);
}

function checkPercentage(view: FileView, path: Path): void {
  const percentage = view.number(...path) ?? 0;
  if (percentage < 0 || percentage > 100) {
    view.invalid(path, "not in valid range [0-100]");
  }
}

function checkPlugins(view: FileView, profile: Path): void {
  const invalid = INVALID_PLUGINS.filter((each) => isInMinors(each, view.minor)).flatMap(
    ({ names }) => names,
  );
  const told =
    'was invalid in version "v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")';
  for (const point of POINTS) {
    for (const plugin of view.items(...profile, "plugins", point, "enabled")) {
      const name = view.text(...plugin, "name");
      if (invalid.includes(name)) {
        view.invalid(plugin, told, name);
      }
    }
  }
  const seen = new Set<string>();
  for (const entry of view.items(...profile, "pluginConfig")) {
    const name = view.text(...entry, "name");
    view.once(entry, seen, name, name);
    if (invalid.includes(name)) {
      view.invalid(entry, told, name);
    } else {
      checkPluginArgs(view, name, [...entry, "args"]);
    }
  }
}

function checkQueueSort(view: FileView, profiles: readonly Path[]): void {
  const [first, ...others] = profiles;
  if (first === undefined) {
    return;
  }
  const sets = (profile: Path) =>
    ["enabled", "disabled"].map((key) => view.items(...profile, "plugins", "queueSort", key));
  const content = (profile: Path) =>
    sets(profile).map((plugins) =>
      plugins.map((plugin) => [
        view.text(...plugin, "name"),
        view.number(...plugin, "weight") ?? 0,
      ]),
    );
  const enabled = sets(first)[0]?.length ?? 0;
  if (enabled > 1) {
    const path = [...first, "plugins", "queueSort", "Enabled"];
    view.invalid(path, "only one queue sort plugin can be enabled", enabled);
  }
  for (const profile of others.filter(
    (each) => !isDeepStrictEqual(content(each), content(first)),
  )) {
    const told =
      view.minor < 33 ? "has to match for all profiles" : "must be the same for all profiles";
    view.invalid([...profile, "plugins", "queueSort"], told, setOf(view, profile));
  }
}

/** Plugins that sort the queue, in Go's names, as upstream prints them. */
function setOf(view: FileView, profile: Path): YamlValue {
  const set = (key: string) => {
    const plugins = view.items(...profile, "plugins", "queueSort", key).map((plugin) => ({
      Name: view.text(...plugin, "name"),
      Weight: view.number(...plugin, "weight") ?? 0,
    }));
    return plugins.length === 0 ? null : plugins;
  };
  return { Enabled: set("enabled"), Disabled: set("disabled") };
}

function checkExtenders(view: FileView): void {
  const resources = new Set<string>();
  const extenders = view.items("extenders");
  for (const extender of extenders) {
    const weight = view.number(...extender, "weight") ?? 0;
    if (view.text(...extender, "prioritizeVerb") !== "" && weight <= 0) {
      view.invalid([...extender, "weight"], "must have a positive weight applied to it", weight);
    }
    for (const resource of view.items(...extender, "managedResources")) {
      const path = [...resource, "name"];
      const name = view.text(...path);
      for (const detail of checkExtendedResource(name)) {
        view.invalid(path, detail, name);
      }
      if (resources.has(name)) {
        view.invalid(path, "duplicate extender managed resource name", name);
      }
      resources.add(name);
    }
  }
  const binders = extenders.filter((extender) => view.text(...extender, "bindVerb") !== "").length;
  if (binders > 1) {
    const told = `found ${binders} extenders implementing bind`;
    view.invalid(["extenders"], "only one extender can implement bind", told);
  }
}
