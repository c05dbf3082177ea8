import { isInMinors } from "../flags/componentTable";
import type { YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { aggregate, FileView, wordsOfField, type FieldError } from "./fieldErrors";
import { schedulerPlugins } from "./fileTypes";
import { checkFitArgs, STRICT_RATIO_MINOR } from "./schedulerArgs";

/** Why kube-scheduler ends after it has read its configuration. */
export type StartError = { readonly path: Path; readonly words: string } & (
  | {
      /** A plugin that the release doesn't have; something that is there twice, or that has to be there. */
      readonly kind: "noPlugin" | "twice" | "none";
      readonly name: string;
    }
  | {
      /** A plugin at a point that it doesn't extend: `points` are those that it does. */
      readonly kind: "noPoint";
      readonly name: string;
      readonly points: readonly string[];
    }
  | { readonly kind: "args"; readonly error: FieldError }
);

/** The extension points in the order in which the scheduler looks at them; not all minors have the last. */
const POINTS = [
  "preFilter",
  "filter",
  "postFilter",
  "reserve",
  "preScore",
  "score",
  "preBind",
  "bind",
  "postBind",
  "permit",
  "preEnqueue",
  "queueSort",
  "placementGenerate",
  "placementScore",
  "podGroupPostFilter",
];

/** Plugins that are on by default, as far as it depends on no feature gate. */
const DEFAULTS = [
  "SchedulingGates",
  "PrioritySort",
  "NodeName",
  "NodeUnschedulable",
  "TaintToleration",
  "NodeAffinity",
  "NodePorts",
  "NodeResourcesFit",
  "VolumeRestrictions",
  "NodeVolumeLimits",
  "VolumeBinding",
  "VolumeZone",
  "PodTopologySpread",
  "InterPodAffinity",
  "DefaultPreemption",
  "NodeResourcesBalancedAllocation",
  "ImageLocality",
  "DefaultBinder",
];

/**
 * What ends kube-scheduler when it starts the plugins of its profiles, each with upstream's words.
 *
 * Source: Kubernetes v1.28.15 to v1.37.2, `NewFramework` in pkg/scheduler/framework/runtime/framework.go,
 * and `mergePlugins` in pkg/scheduler/apis/config/v1/default_plugins.go.
 */
export function schedulerStartErrors(content: YamlValue, minor: number): StartError[] {
  const view = new FileView(content, minor);
  return view.items("profiles").flatMap((profile) => {
    const name = view.text(...profile, "schedulerName") || "default-scheduler";
    const start = `initializing profiles: creating profile for scheduler name ${name}: `;
    return profileErrors(view, profile, name).map((error) => ({
      ...error,
      words: start + error.words,
    }));
  });
}

function profileErrors(view: FileView, profile: Path, scheduler: string): StartError[] {
  const plugins = [...profile, "plugins"];
  const points = [...POINTS, "multiPoint"];
  const entries = points.flatMap((point) =>
    view
      .items(...plugins, point, "enabled")
      .map((path) => ({ point, path: [...path, "name"], name: view.text(...path, "name") })),
  );
  return [
    ...argsErrors(view, profile, entries),
    ...entries.flatMap((entry, index) =>
      entryErrors(
        entry,
        entries
          .slice(0, index)
          .some((other) => other.point === entry.point && other.name === entry.name),
        view.minor,
      ),
    ),
    ...missing(view, plugins, scheduler),
  ];
}

/** An enabled plugin at its place. */
interface PluginEntry {
  readonly point: string;
  readonly path: Path;
  readonly name: string;
}

function entryErrors(
  { point, path, name }: PluginEntry,
  isTwice: boolean,
  minor: number,
): StartError[] {
  const plugin = schedulerPlugins.get(name);
  const title = point === "multiPoint" ? "PreFilterPlugin" : titleOf(point);
  if (plugin === undefined || !isInMinors(plugin, minor)) {
    return [
      { kind: "noPlugin", path, name, words: `${title} ${JSON.stringify(name)} does not exist` },
    ];
  }
  const own = [...plugin.points]
    .filter(([each, minors]) => POINTS.includes(each) && isInMinors(minors, minor))
    .map(([each]) => each);
  if (point !== "multiPoint" && !own.includes(point)) {
    const words = `plugin ${JSON.stringify(name)} does not extend ${title} plugin`;
    return [{ kind: "noPoint", path, name, points: own, words }];
  }
  const first = POINTS.find((each) => own.includes(each)) ?? "";
  const registered = point === "multiPoint" ? titleOf(first) : title;
  return isTwice
    ? [
        {
          kind: "twice",
          path,
          name,
          words: `plugin ${JSON.stringify(name)} already registered as ${JSON.stringify(registered)}`,
        },
      ]
    : [];
}

/** NodeResourcesFit looks at its arguments itself. */
function argsErrors(view: FileView, profile: Path, entries: readonly PluginEntry[]): StartError[] {
  const fit = "NodeResourcesFit";
  const runs =
    enabledByDefault(view, [...profile, "plugins"]).includes(fit) ||
    entries.some(({ name }) => name === fit);
  return view
    .items(...profile, "pluginConfig")
    .filter((entry) => runs && view.text(...entry, "name") === fit)
    .flatMap((entry) => {
      const args = new FileView(view.content, view.minor);
      checkFitArgs(args, [...entry, "args"]);
      // Upstream's paths begin at the arguments, and once had no name of the ratio.
      const told = args.errors.map((error) => {
        const path = error.path.slice(entry.length + 1);
        const isOld = view.minor < STRICT_RATIO_MINOR;
        const named = path.filter((step) => !isOld || step !== "requestedToCapacityRatio");
        return wordsOfField({ ...error, named });
      });
      const words = `initializing plugin ${JSON.stringify(fit)}: ${aggregate(told)}`;
      return args.errors.map((error) => ({
        ...({ kind: "args", path: error.path, error } as const),
        words,
      }));
    });
}

/** Exactly one plugin sorts the queue, and at least one binds. */
function missing(view: FileView, plugins: Path, scheduler: string): StartError[] {
  const kinds = [
    {
      point: "queueSort",
      plugin: "PrioritySort",
      words: `only one queue sort plugin required for profile with scheduler name ${JSON.stringify(scheduler)}, but got 0`,
    },
    {
      point: "bind",
      plugin: "DefaultBinder",
      words: `at least one bind plugin is needed for profile with scheduler name ${JSON.stringify(scheduler)}`,
    },
  ];
  return kinds.flatMap(({ point, plugin, words }) => {
    const names = (...path: Path) =>
      view.items(...plugins, ...path).map((each) => view.text(...each, "name"));
    const disabled = names(point, "disabled");
    const all = [...enabledByDefault(view, plugins), ...names("multiPoint", "enabled")];
    const isExpanded =
      all.includes(plugin) && !disabled.includes("*") && !disabled.includes(plugin);
    const isThere = isExpanded || names(point, "enabled").length > 0;
    const off = names("multiPoint", "disabled").length > 0 ? "multiPoint" : point;
    return isThere
      ? []
      : [
          {
            ...({ kind: "none" } as const),
            path: [...plugins, off],
            name: plugin,
            words,
          },
        ];
  });
}

function enabledByDefault(view: FileView, plugins: Path): string[] {
  const off = view
    .items(...plugins, "multiPoint", "disabled")
    .map((each) => view.text(...each, "name"));
  return off.includes("*") ? [] : DEFAULTS.filter((name) => !off.includes(name));
}

/** The interface of an extension point: `PreFilterPlugin`. */
function titleOf(point: string): string {
  return `${point.charAt(0).toUpperCase()}${point.slice(1)}Plugin`;
}
