import { isDeepStrictEqual } from "node:util";
import { talosKind } from "../provider/engine";
import type { ChangedLine } from "./lineDiff";
import { describeProperty } from "./machineChange";
import { outlineDiff } from "./outlines";
import {
  compareNames,
  documentAt,
  type PreviewedResource,
  type Properties,
} from "./previewedResource";

/**
 * What happens to the machines of an auto scaling group:
 * - `launched`: the group is new, and launches them;
 * - `refreshed`: new machines replace them, a few at a time;
 * - `later`: they stay as they are, and only new machines get the change;
 * - `resized`: AWS launches or ends some, if the new sizes ask for it;
 * - `replaced`: another group launches new machines, then they end;
 * - `ended`: they end with their group.
 */
export type ScalingEffect = "launched" | "refreshed" | "later" | "resized" | "replaced" | "ended";

/** What a preview shows for an auto scaling group of workers. */
export interface ScalingGroupChange {
  readonly name: string;
  readonly effect: ScalingEffect;
  /** The causes: places in its machines' configuration, or properties of what it launches. */
  readonly because: readonly string[];
  /** Its sizes after the change; undefined if it ends. */
  readonly size?: GroupSize;
  /** Its sizes before, if they change. */
  readonly formerSize?: GroupSize;
  /** Whether AWS may end machines because the sizes fall. Never so with protection from scale-in. */
  readonly shrinks: boolean;
  /** How long AWS keeps a machine that ends, for its drain, in seconds. Undefined: not at all. */
  readonly drainSeconds?: number;
  /** The changed lines of its machines' configuration. */
  readonly lines: readonly ChangedLine[];
}

/** Numbers of machines. */
export interface GroupSize {
  readonly min: number;
  readonly max: number;
  /** The number to have. A cluster autoscaler changes it in AWS, and not here. */
  readonly desired: number;
}

const GROUP = "aws:autoscaling/group:Group";
const TEMPLATE = "aws:ec2/launchTemplate:LaunchTemplate";
const HOOK = "aws:autoscaling/lifecycleHook:LifecycleHook";
const POOL = "talos-aws:index:AutoScalingWorkerPool";

/** Inputs of a group that say what it launches. */
const LAUNCHING = ["launchTemplate", "mixedInstancesPolicy"];

/** What AWS counts in a launch template. */
const COUNTED = ["latestVersion", "defaultVersion"];

/** The auto scaling groups whose machines change, by name. */
export function scalingGroupChanges(
  resources: readonly PreviewedResource[],
): readonly ScalingGroupChange[] {
  return resources
    .filter((each) => each.type === GROUP && typesOf(each.parent).includes(POOL))
    .flatMap((group) => changeOf(group, resources))
    .sort((one, other) => compareNames(one.name, other.name));
}

function changeOf(
  group: PreviewedResource,
  resources: readonly PreviewedResource[],
): readonly ScalingGroupChange[] {
  const { name, operation, changes, newInputs, oldInputs } = group;
  const [size, before] = [sizeOf(newInputs), sizeOf(oldInputs)];
  const isResized = size !== undefined && before !== undefined && !isDeepStrictEqual(size, before);
  const isSmaller = isResized && (size.max < before.max || size.desired < before.desired);
  const drainSeconds = drainSecondsOf(group, resources);
  const change = (
    effect: ScalingEffect,
    because: readonly string[],
    lines: readonly ChangedLine[] = [],
  ): readonly ScalingGroupChange[] => [
    {
      name,
      effect,
      because,
      lines,
      ...(size && { size }),
      ...(isResized && { formerSize: before }),
      shrinks: isSmaller && newInputs.protectFromScaleIn !== true,
      ...(drainSeconds !== undefined && { drainSeconds }),
    },
  ];
  if (operation === "create") {
    return change("launched", []);
  }
  if (operation === "delete") {
    return change("ended", []);
  }
  if (operation === "replace") {
    return change("replaced", [...group.replacedBy].sort(compareNames));
  }
  const launching = isSameLaunch(group, resources)
    ? []
    : changes.filter((each) => LAUNCHING.includes(each));
  if (launching.length > 0) {
    const { because, lines } = causes(group, resources);
    const effect = documentAt(newInputs, "instanceRefresh") === undefined ? "later" : "refreshed";
    return change(effect, because.length > 0 ? because : launching, lines);
  }
  return isResized ? change("resized", []) : [];
}

/**
 * Whether a group only names the type of its template itself from now on, or no longer. AWS' refresh
 * skips the machines that it has then (`skipMatching`).
 */
function isSameLaunch(
  { parent, oldInputs, newInputs }: PreviewedResource,
  resources: readonly PreviewedResource[],
): boolean {
  const template = resources.find((each) => each.type === TEMPLATE && each.parent === parent);
  const type = template?.newInputs.instanceType;
  const [before, after] = [launchOf(oldInputs, type), launchOf(newInputs, type)];
  return (
    isPlain(oldInputs) !== isPlain(newInputs) &&
    before !== undefined &&
    isDeepStrictEqual(before, after)
  );
}

function isPlain(inputs: Properties): boolean {
  return documentAt(inputs, "launchTemplate") !== undefined;
}

/** What a group launches, if it is one type at full price; undefined for anything else. */
function launchOf(inputs: Properties, typeOfTemplate: unknown) {
  const plain = documentAt(inputs, "launchTemplate");
  if (plain !== undefined) {
    const { id, version } = plain;
    return { id, version, type: typeOfTemplate };
  }
  const policy = documentAt(inputs, "mixedInstancesPolicy") ?? {};
  const launched = documentAt(policy, "launchTemplate") ?? {};
  const { launchTemplateId: id, version } =
    documentAt(launched, "launchTemplateSpecification") ?? {};
  const overrides: readonly unknown[] = Array.isArray(launched.overrides) ? launched.overrides : [];
  const { instanceType: type } = (overrides[0] ?? {}) as { instanceType?: unknown };
  const isAtFullPrice =
    documentAt(policy, "instancesDistribution")?.onDemandPercentageAboveBaseCapacity === 100;
  return isAtFullPrice && overrides.length === 1 && typeof type === "string"
    ? { id, version, type }
    : undefined;
}

/** Why a group launches other machines than before: what changes in its pool's launch template. */
function causes(
  { parent }: PreviewedResource,
  resources: readonly PreviewedResource[],
): Pick<ScalingGroupChange, "because" | "lines"> {
  const template = resources.find((each) => each.type === TEMPLATE && each.parent === parent);
  const changed = (template?.changes ?? []).filter((each) => !COUNTED.includes(each));
  const configuration = resources.find(
    (each) =>
      talosKind(each.type) === "MachineConfiguration" &&
      each.operation === "update" &&
      each.name === parent.split("::").slice(3).join("::"),
  );
  const lines =
    configuration !== undefined && changed.includes("userData") ? outlineDiff(configuration) : [];
  const places = new Set(lines.map(({ path }) => path.slice(0, 2).join(".")));
  const because = changed.flatMap((property) =>
    property === "userData" && places.size > 0
      ? [...places]
      : [describeProperty(property, template)],
  );
  return { because: because.sort(compareNames), lines };
}

/** Undefined while a size is unknown. */
function sizeOf({ minSize, maxSize, desiredCapacity }: Properties): GroupSize | undefined {
  return typeof minSize === "number" &&
    typeof maxSize === "number" &&
    typeof desiredCapacity === "number"
    ? { min: minSize, max: maxSize, desired: desiredCapacity }
    : undefined;
}

/** What the hook of the group before the change says: that group's machines end. */
function drainSecondsOf(
  group: PreviewedResource,
  resources: readonly PreviewedResource[],
): number | undefined {
  const hook = resources.find(
    ({ type, oldInputs }) =>
      type === HOOK && group.id !== "" && oldInputs.autoscalingGroupName === group.id,
  );
  const seconds = hook?.oldInputs.heartbeatTimeout;
  return typeof seconds === "number" ? seconds : undefined;
}

function typesOf(urn: string): string {
  return urn.split("::")[2] ?? "";
}
