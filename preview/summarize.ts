import type { EngineEvent } from "@pulumi/pulumi/automation";
import { checkPolicies, type PolicyViolation, type RuleOptions } from "../policies";
import { readWarnings } from "./engineMessages";
import { type KarpenterPoolChange, karpenterPoolChanges } from "./karpenterPools";
import { clustersIn, countControlPlane, type MachineChange, machineChanges } from "./machineChange";
import { objectChanges } from "./objectChanges";
import { compareNames, type Operation, type PreviewedResource } from "./previewedResource";
import { type QuorumStep, quorumSteps } from "./quorumSteps";
import { readEvents } from "./readEvents";
import { type CostChange, planCost } from "./resourceCost";
import { findRisks, type Risk } from "./risks";
import { type ScalingGroupChange, scalingGroupChanges } from "./scalingGroupChange";

/** The reason of a change whose certificate is close to its end, or past it. */
const RENEWED = "its certificate is renewed";

/** The content of a preview, for people and programs. It contains no secret. */
export interface PreviewSummary {
  /** Name of the stack. */
  readonly stack: string;
  /** The number of resources per operation, without components. */
  readonly counts: Readonly<Record<Operation, number>>;
  /** The same as Pulumi counts them: with components, the stack and explicit providers. */
  readonly pulumiCounts: Readonly<Record<Operation, number>>;
  /** The changes by component. */
  readonly groups: readonly ChangedGroup[];
  /** The changes of machines, in their order. */
  readonly machines: readonly MachineChange[];
  /** The changes of the machines of auto scaling groups. */
  readonly scalingGroups: readonly ScalingGroupChange[];
  /** The changes of the machines of pools of Karpenter. */
  readonly karpenterPools: readonly KarpenterPoolChange[];
  /** The state of etcd while control plane machines are away, one after another. */
  readonly quorum: readonly QuorumStep[];
  readonly cost: CostChange;
  readonly risks: readonly Risk[];
  /** Warnings of the program and the engine that are no risks, each once. */
  readonly warnings: readonly string[];
  /** Violations of policies after the change, in changed and unchanged resources. */
  readonly violations: readonly PolicyViolation[];
}

/** The changes of a component. */
export interface ChangedGroup {
  /** For example `ControlPlane talos-control-plane`; the stack's name without a component. */
  readonly component: string;
  readonly resources: readonly ChangedResource[];
}

/** A resource that changes. */
export interface ChangedResource {
  readonly operation: Exclude<Operation, "same">;
  /** The last part of its type, for example `Instance`. */
  readonly kind: string;
  readonly name: string;
  /** Names of the inputs that change or replace it; `RENEWED` if only its certificate changes. */
  readonly because: readonly string[];
}

/** The inputs of a summary. */
export interface SummaryOptions {
  readonly stack: string;
  /** Events of `Stack.preview`, or of an event log. */
  readonly events: readonly EngineEvent[];
  /** The time for the check of certificates. Default: now. */
  readonly now?: Date;
  /** Options of the policies. Default: the stack's name decides whether it is production. */
  readonly policies?: RuleOptions;
}

/** Whether any resource changes. */
export function hasChanges({ counts }: PreviewSummary): boolean {
  return counts.create + counts.update + counts.replace + counts.delete > 0;
}

/** Summarises the events of a preview for a reviewer. */
export function summarize(options: SummaryOptions): PreviewSummary {
  const { stack, events, now = new Date(), policies = {} } = options;
  const resources = readEvents(events);
  const own = resources.filter(({ isComponent }) => !isComponent);
  const machines = machineChanges(own);
  const quorum = clustersIn(own).flatMap((cluster) =>
    quorumSteps(machineChanges(cluster), countControlPlane(cluster).before),
  );
  const scalingGroups = scalingGroupChanges(own);
  const counts = countEach((wanted) => own.filter((each) => each.operation === wanted).length);
  const risks = findRisks({ resources: own, machines, scalingGroups, quorum, now });
  return {
    stack,
    counts,
    pulumiCounts: pulumiCounts(events) ?? counts,
    groups: groupChanges(stack, own),
    machines,
    scalingGroups,
    karpenterPools: karpenterPoolChanges(own),
    quorum,
    // Of a pool of Karpenter, its component says what it may cost.
    cost: planCost(resources),
    risks,
    warnings: readWarnings(events).filter((text) => risks.every(({ reason }) => reason !== text)),
    violations: [...checkPolicies(resources, policies)].sort(
      (one, other) =>
        compareNames(one.rule, other.rule) || compareNames(one.subject, other.subject),
    ),
  };
}

/** What the engine itself counts; undefined of a run that did not end. */
function pulumiCounts(events: readonly EngineEvent[]): PreviewSummary["counts"] | undefined {
  const told = events.find(({ summaryEvent }) => summaryEvent !== undefined)?.summaryEvent;
  return told && countEach((operation) => told.resourceChanges[operation] ?? 0);
}

function countEach(count: (operation: Operation) => number): PreviewSummary["counts"] {
  return {
    create: count("create"),
    update: count("update"),
    replace: count("replace"),
    delete: count("delete"),
    same: count("same"),
  };
}

function groupChanges(
  stack: string,
  resources: readonly PreviewedResource[],
): readonly ChangedGroup[] {
  const groups = new Map<string, ChangedResource[]>();
  for (const resource of resources) {
    const { operation, type, name, parent } = resource;
    if (operation === "same") {
      continue;
    }
    const component = parent === "" ? stack : describeUrn(parent);
    const group = groups.get(component) ?? [];
    group.push({ operation, kind: kindOf(type), name, because: reasonsOf(resource) });
    groups.set(component, group);
  }
  return [...groups]
    .map(([component, changed]) => ({
      component,
      // The engine's order varies.
      resources: changed.sort(
        (one, other) => compareNames(one.kind, other.kind) || compareNames(one.name, other.name),
      ),
    }))
    .sort((one, other) => compareNames(one.component, other.component));
}

function reasonsOf(resource: PreviewedResource): readonly string[] {
  const { operation, replacedBy, oldOutputs, oldInputs, newInputs } = resource;
  const isInput = (property: string) => property in oldInputs || property in newInputs;
  // A provider also names outputs that follow, such as a machine's next address.
  const inputs = resource.changes.filter(isInput);
  const changes = inputs.length === 0 ? resource.changes : inputs;
  if (operation === "update" && changes.length === 0 && typeof oldOutputs.notAfter === "string") {
    return [RENEWED];
  }
  const objects = objectChanges(resource);
  if (objects.length > 0) {
    const others = operation === "update" ? changes.filter((name) => name !== "objects") : [];
    return [...objects, ...others.sort(compareNames)];
  }
  const reasons = { update: changes, replace: replacedBy, same: [], create: [], delete: [] };
  return [...reasons[operation]].sort(compareNames);
}

function describeUrn(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  return `${kindOf(types.split("$").at(-1) ?? "")} ${name.join("::")}`;
}

function kindOf(type: string): string {
  return type.split(":").at(-1) ?? type;
}
