import type { Path } from "../path";
import type { FileView } from "./fieldErrors";
import { checkLabelKey } from "./kubernetesNames";

type Check = (view: FileView, path: Path) => void;

/**
 * The rules about the arguments of each plugin, by its name. A plugin's argument is absent where it
 * isn't set: then it has its default, which passes. Rules that depend on feature gates aren't here.
 *
 * Source: Kubernetes v1.28.15 to v1.37.2, pkg/scheduler/apis/config/validation/validation_pluginargs.go.
 */
const CHECKS: ReadonlyMap<string, Check> = new Map(
  Object.entries<Check>({
    DefaultPreemption: checkPreemption,
    InterPodAffinity: (view, path) => checkRange(view, [...path, "hardPodAffinityWeight"]),
    NodeAffinity: checkNodeAffinity,
    NodeResourcesBalancedAllocation: checkBalance,
    PodTopologySpread: checkSpread,
    VolumeBinding: (view, path) => {
      if ((view.number(...path, "bindTimeoutSeconds") ?? 0) < 0) {
        view.invalid(
          [...path, "bindTimeoutSeconds"],
          "invalid BindTimeoutSeconds, should not be a negative value",
        );
      }
    },
  }),
);

/** Checks the arguments of a plugin that upstream checks with the configuration. */
export function checkPluginArgs(view: FileView, plugin: string, path: Path): void {
  CHECKS.get(plugin)?.(view, path);
}

function checkRange(view: FileView, path: Path): void {
  const value = view.number(...path) ?? 0;
  if (value < 0 || value > 100) {
    view.invalid(path, "not in valid range [0, 100]");
  }
}

function checkPreemption(view: FileView, path: Path): void {
  const percentage = [...path, "minCandidateNodesPercentage"];
  const absolute = [...path, "minCandidateNodesAbsolute"];
  checkRange(view, percentage);
  if ((view.number(...absolute) ?? 0) < 0) {
    view.invalid(absolute, "not in valid range [0, inf)");
  }
  if (view.number(...percentage) === 0 && view.number(...absolute) === 0) {
    view.invalid(percentage, "cannot be zero at the same time as minCandidateNodesAbsolute");
    view.invalid(absolute, "cannot be zero at the same time as minCandidateNodesPercentage");
  }
}

/** Only what its terms have to have: their expressions are read when the scheduler starts. */
function checkNodeAffinity(view: FileView, path: Path): void {
  const required = [...path, "addedAffinity", "requiredDuringSchedulingIgnoredDuringExecution"];
  const terms = [...required, "nodeSelectorTerms"];
  for (const term of view.items(...terms)) {
    for (const expression of view.items(...term, "matchExpressions")) {
      if (!OPERATORS.includes(view.text(...expression, "operator"))) {
        view.unsupported([...expression, "operator"], OPERATORS);
      }
    }
  }
}

const OPERATORS = ["In", "NotIn", "Exists", "DoesNotExist", "Gt", "Lt"];

function checkBalance(view: FileView, path: Path): void {
  const seen = new Set<string>();
  for (const resource of view.items(...path, "resources")) {
    const name = view.text(...resource, "name");
    view.once([...resource, "name"], seen, name, name);
    if (weightOf(view, resource) !== 1) {
      view.invalid([...resource, "weight"], "must be 1");
    }
  }
}

/** The weight of a resource: 0 counts as not set. */
function weightOf(view: FileView, resource: Path): number {
  const weight = view.number(...resource, "weight") ?? 0;
  return weight === 0 ? 1 : weight;
}

function checkSpread(view: FileView, path: Path): void {
  const constraints = view.items(...path, "defaultConstraints");
  checkDefaulting(view, [...path, "defaultingType"], constraints.length);
  const seen = new Set<string>();
  constraints.forEach((constraint) => {
    const skew = view.number(...constraint, "maxSkew") ?? 0;
    if (skew <= 0) {
      view.invalid([...constraint, "maxSkew"], "not in valid range (0, inf)", skew);
    }
    const key = view.text(...constraint, "topologyKey");
    if (key === "") {
      view.required([...constraint, "topologyKey"], "can not be empty");
    }
    for (const detail of key === "" ? [] : checkLabelKey(key)) {
      view.invalid([...constraint, "topologyKey"], detail);
    }
    const action = view.text(...constraint, "whenUnsatisfiable");
    const actions = ["DoNotSchedule", "ScheduleAnyway"];
    view.word([...constraint, "whenUnsatisfiable"], actions, "can not be empty");
    if (view.get(...constraint, "labelSelector") !== undefined) {
      view.forbidden(
        [...constraint, "labelSelector"],
        "constraint must not define a selector, as they deduced for each pod",
      );
    }
    const both = `{${key}, ${action}}`;
    view.once(constraint, seen, both, both);
  });
}

function checkDefaulting(view: FileView, path: Path, constraints: number): void {
  const type = view.text(...path);
  const types = ["System", "List"];
  if (type !== "" && !types.includes(type)) {
    view.unsupported(path, types);
  } else if (type !== "List" && constraints > 0) {
    view.invalid(path, "when .defaultConstraints are not empty", "System");
  }
}

/**
 * Checks the arguments of NodeResourcesFit, which upstream checks when the plugin starts. Source:
 * `ValidateNodeResourcesFitArgs` and `NewFit`.
 */
export function checkFitArgs(view: FileView, path: Path): void {
  for (const resource of view.items(...path, "ignoredResources")) {
    for (const detail of checkLabelKey(view.text(...resource))) {
      view.invalid(resource, detail);
    }
  }
  for (const group of view.items(...path, "ignoredResourceGroups")) {
    if (view.text(...group).includes("/")) {
      view.invalid(group, "resource group name can't contain '/'");
    }
    for (const detail of checkLabelKey(view.text(...group))) {
      view.invalid(group, detail);
    }
  }
  const strategy = [...path, "scoringStrategy"];
  if (view.isMapping(...strategy)) {
    checkStrategy(view, strategy);
  }
}

function checkStrategy(view: FileView, strategy: Path): void {
  const types = ["LeastAllocated", "MostAllocated", "RequestedToCapacityRatio"];
  const type = view.text(...strategy, "type");
  if (!types.includes(type)) {
    view.unsupported([...strategy, "type"], types);
  }
  for (const resource of view.items(...strategy, "resources")) {
    const weight = weightOf(view, resource);
    if (weight <= 0 || weight > 100) {
      const name = view.text(...resource, "name");
      view.invalid(
        [...resource, "weight"],
        `resource weight of ${name} not in valid range (0, 100]`,
      );
    }
  }
  const ratio = [...strategy, "requestedToCapacityRatio"];
  const isRatio = type === "RequestedToCapacityRatio";
  if (view.isMapping(...ratio)) {
    if (view.minor >= STRICT_RATIO_MINOR && !isRatio) {
      view.forbidden(ratio, "must be nil when type is not RequestedToCapacityRatio");
    } else {
      checkShape(view, [...ratio, "shape"]);
    }
  } else if (isRatio && view.minor >= STRICT_RATIO_MINOR) {
    view.required(ratio, "must be specified when type is RequestedToCapacityRatio");
  }
}

/** Since when the ratio of a strategy belongs to the type of that name. */
export const STRICT_RATIO_MINOR = 36;

function checkShape(view: FileView, path: Path): void {
  const points = view.items(...path);
  if (points.length === 0) {
    view.required(path, "at least one point must be specified");
  }
  const at = (point: Path, key: string) => view.number(...point, key) ?? 0;
  const unsorted = points.find((point, index) => {
    const before = points[index - 1];
    return before !== undefined && at(before, "utilization") >= at(point, "utilization");
  });
  if (unsorted !== undefined) {
    const value = at(unsorted, "utilization");
    view.invalid([...unsorted, "utilization"], "values must be sorted in increasing order", value);
  }
  for (const point of points) {
    for (const [key, most] of [
      ["utilization", 100],
      ["score", 10],
    ] as const) {
      const value = at(point, key);
      if (value < 0 || value > most) {
        view.invalid([...point, key], `not in valid range [0, ${most}]`, value);
      }
    }
  }
}
