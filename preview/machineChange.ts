import {
  describeSystem,
  installedMinor,
  installedSystem,
  isInDocuments,
  isSameSystem,
  judgeAuthorities,
  rebootPaths,
  restartedServices,
  type TalosSystem,
} from "../provider/config";
import { talosKind } from "../provider/engine";
import type { ChangedLine } from "./lineDiff";
import { outlineDiff, outlineOf, outlinesOf } from "./outlines";
import {
  compareNames,
  documentAt,
  type PreviewedResource,
  type Properties,
} from "./previewedResource";

/**
 * What happens to a machine:
 * - `configured`: it gets its first configuration;
 * - `live`: it applies a change without a reboot;
 * - `reboot`: it reboots for a change;
 * - `open`: it gets a configuration that is known only once other resources are made, and may reboot for it;
 * - `upgrade`: it gets another Talos;
 * - `restart`: it is stopped and started;
 * - `replaced`: an empty machine replaces it;
 * - `removed`: it is removed;
 * - `forgets`: Pulumi only removes it from the state, because it didn't create it.
 */
export type MachineEffect =
  | "configured"
  | "live"
  | "reboot"
  | "open"
  | "upgrade"
  | "restart"
  | "replaced"
  | "removed"
  | "forgotten";

/** What a preview shows for a machine. */
export interface MachineChange {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly effect: MachineEffect;
  /** The causes: places in its configuration, or properties of its instance. */
  readonly because: readonly string[];
  /**
   * Whether its node is drained first. It is recorded for machines that this release has changed.
   */
  readonly isDrained?: boolean;
  /** Whether AWS no longer has the machine that is replaced. Only a refresh tells. */
  readonly isLost?: boolean;
  /** The meaning of the change, if its lines don't show it. */
  readonly notes: readonly string[];
  /** The changed lines of its configuration; empty for a new machine. */
  readonly lines: readonly ChangedLine[];
}

const INSTANCE = "aws:ec2/instance:Instance";

/** Changes with a drain. A stop by another program drains nothing. */
const DRAINED: readonly MachineEffect[] = ["reboot", "open", "replaced", "removed"];

/**
 * The machines that change: first the control plane, in the engine's order, in which it changes
 * them; then workers by name, because the engine's order varies.
 */
export function machineChanges(resources: readonly PreviewedResource[]): readonly MachineChange[] {
  const changes = resources.flatMap((apply) => {
    const instance = resources.find(
      (other) =>
        other.type === INSTANCE && (other.name === apply.name || isMachineOf(other, apply)),
    );
    return isApply(apply) ? changeOf(apply, instance) : [];
  });
  const workers = changes.filter(({ role }) => role === "worker");
  return [
    ...changes.filter(({ role }) => role === "controlplane"),
    ...workers.sort((one, other) => compareNames(one.name, other.name)),
  ];
}

/**
 * The resources of each cluster in a stack: those of one component, with the instances of all. A cluster's
 * machines have one parent.
 */
export function clustersIn(
  resources: readonly PreviewedResource[],
): readonly (readonly PreviewedResource[])[] {
  const parents = new Set(resources.filter(isApply).map(({ parent }) => parent));
  return [...parents].map((parent) =>
    resources.filter((each) => each.type === INSTANCE || each.parent === parent),
  );
}

/** The number of control plane machines before and after. */
export function countControlPlane(resources: readonly PreviewedResource[]) {
  const all = resources.filter((one) => isApply(one) && roleOf(one) === "controlplane");
  return {
    before: all.filter(({ operation }) => operation !== "create").length,
    after: all.filter(({ operation }) => operation !== "delete").length,
  };
}

function isApply({ type }: PreviewedResource): boolean {
  return talosKind(type) === "ConfigurationApply";
}

function changeOf(
  apply: PreviewedResource,
  instance: PreviewedResource | undefined,
): readonly MachineChange[] {
  const isOpen = apply.operation === "update" && isUnknownOutline(apply);
  const lines = apply.operation === "update" && !isOpen ? outlineDiff(apply) : [];
  const isRewritten = apply.operation === "update" && isOtherForm(apply);
  const notes = [
    ...(lines.length === 0 ? [] : authorityNotes(apply)),
    ...(isRewritten ? [REWRITTEN] : []),
  ];
  const isDrained = documentAt(apply.oldOutputs, "drain") !== undefined;
  const isLost = apply.operation === "replace" && instance?.operation === "create";
  const change = (
    effect: MachineEffect,
    because: readonly string[],
    restarted: readonly string[] = [],
  ): readonly MachineChange[] => [
    {
      name: apply.name,
      role: roleOf(apply),
      effect,
      because,
      lines,
      notes: [...notes, ...restarted],
      ...(isDrained && !isLost && DRAINED.includes(effect) && { isDrained }),
      ...(isLost && { isLost }),
    },
  ];
  if (apply.operation === "create") {
    return change("configured", []);
  }
  if (apply.operation === "delete") {
    return change(instance?.operation === "delete" ? "removed" : "forgotten", []);
  }
  if (instance?.operation === "replace" || apply.operation === "replace") {
    const because = instance?.operation === "replace" ? instance.replacedBy : apply.replacedBy;
    return change("replaced", because);
  }
  const stops = (instance === undefined ? [] : stoppingChanges(instance)).map((property) =>
    describeProperty(property, instance),
  );
  const upgrade = apply.operation === "update" ? describeUpgrade(apply) : undefined;
  if (upgrade !== undefined) {
    return change("upgrade", [upgrade, ...stops]);
  }
  if (stops.length > 0) {
    return change("restart", stops);
  }
  if (isOpen) {
    return change("open", []);
  }
  const reboots = lines.length === 0 ? [] : rebootPlaces(apply);
  return reboots.length > 0
    ? change("reboot", reboots)
    : lines.length > 0 || isRewritten
      ? change("live", [], restartNotes(apply))
      : [];
}

/** Whether a new configuration depends on resources that only the run makes. */
function isUnknownOutline({ oldInputs, newInputs }: PreviewedResource): boolean {
  const [before, after] = [outlineOf(oldInputs), outlineOf(newInputs)];
  return before !== undefined && after === undefined && "redactedConfiguration" in newInputs;
}

/** Of a machine whose settings move, whichever lines change beside that. */
const REWRITTEN = "its settings move between fields and documents, and mean the same";

function isOtherForm(apply: PreviewedResource): boolean {
  const [before, after] = outlinesOf(apply);
  const isKnown = [before, after].every((outline) => Object.keys(outline).length > 0);
  return isKnown && isInDocuments(before) !== isInDocuments(after);
}

/** What restarts without a reboot. */
function restartNotes(apply: PreviewedResource): readonly string[] {
  const [before, after] = outlinesOf(apply);
  const services = restartedServices(before, after, installedMinor(after));
  const [last, ...others] = [...services].reverse();
  return last === undefined
    ? []
    : others.length === 0
      ? [`${last} restarts`]
      : [`${others.reverse().join(", ")} and ${last} restart`];
}

/** The places for which a machine reboots. */
function rebootPlaces(apply: PreviewedResource): readonly string[] {
  const [before, after] = outlinesOf(apply);
  return rebootPaths(before, after, installedMinor(after)).map((path) => path.join("."));
}

/** The meaning of a change of CAs. */
function authorityNotes(apply: PreviewedResource): readonly string[] {
  return judgeAuthorities(...outlinesOf(apply)).notes;
}

/** The new Talos of a machine, if it gets one. */
function describeUpgrade({
  oldInputs,
  oldOutputs,
  newInputs,
}: PreviewedResource): string | undefined {
  const after = systemAt(newInputs);
  // The outputs say what runs. An older release recorded only the installer.
  const before =
    systemAt(oldOutputs) ?? systemAt(oldInputs) ?? installedSystem([outlineOf(oldInputs) ?? {}]);
  return before === undefined || after === undefined || isSameSystem(before, after)
    ? undefined
    : `Talos ${describeSystem(before, after)} → ${describeSystem(after, before)}`;
}

function systemAt(inputs: Properties): TalosSystem | undefined {
  const { version, schematic } = documentAt(inputs, "talosSystem") ?? {};
  return typeof version === "string"
    ? { version, ...(typeof schematic === "string" && { schematic }) }
    : undefined;
}

/** A changed property as a cause, for example `instanceType t3.large → t3.xlarge`. */
export function describeProperty(
  property: string,
  resource: PreviewedResource | undefined,
): string {
  const [before, after] = [resource?.oldInputs[property], resource?.newInputs[property]];
  return typeof before === "string" && typeof after === "string" && !property.startsWith("userData")
    ? `${property} ${before} → ${after}`
    : property;
}

function isMachineOf(instance: PreviewedResource, apply: PreviewedResource): boolean {
  return instance.id !== "" && instance.id === apply.oldInputs.machineId;
}

function roleOf(apply: PreviewedResource): "controlplane" | "worker" {
  const types = [apply.newInputs, apply.oldInputs].map(
    (inputs) => documentAt(outlineOf(inputs) ?? {}, "machine")?.type,
  );
  return types.includes("controlplane") ? "controlplane" : "worker";
}

/**
 * Properties that EC2 changes only while the instance is stopped. Source: the AWS provider v7,
 * `internal/service/ec2/ec2_instance.go`.
 */
const stopping: readonly string[] = ["ebsOptimized", "instanceType", "userData", "userDataBase64"];

/** Names of the changed properties that need a stop of the instance. */
export function stoppingChanges({ operation, changes }: PreviewedResource): readonly string[] {
  return operation === "update" ? changes.filter((property) => stopping.includes(property)) : [];
}
