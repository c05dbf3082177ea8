import type { EngineEvent } from "@pulumi/pulumi/automation";
import { checkPolicies, type PolicyViolation, type RuleOptions } from "../policies";
import { compareNames } from "./compareNames";
import { countControlPlane, type MachineChange, machineChanges } from "./machineChange";
import type { Operation, PreviewedResource } from "./previewedResource";
import { type QuorumStep, quorumSteps } from "./quorumSteps";
import { readEvents } from "./readEvents";
import { type MonthlyCost, planCost } from "./resourceCost";
import { findRisks, type Risk } from "./risks";

/** Why a resource changes whose certificate is near its end, or past it. */
export const RENEWED = "its certificate is renewed";

/** What a preview says, for people and programs; holds no secret. */
export interface PreviewSummary {
  /** Name of the stack. */
  readonly stack: string;
  /** How many resources each operation is for; components aren't counted. */
  readonly counts: Readonly<Record<Operation, number>>;
  /** What changes, by the component it belongs to. */
  readonly groups: readonly ChangedGroup[];
  /** What becomes of machines, in the order in which it does. */
  readonly machines: readonly MachineChange[];
  /** How etcd stands while machines of the control plane are away, one after another. */
  readonly quorum: readonly QuorumStep[];
  readonly cost: { readonly before: MonthlyCost; readonly after: MonthlyCost };
  readonly risks: readonly Risk[];
  /** What of the stack, changed or not, breaks a policy after the change. */
  readonly violations: readonly PolicyViolation[];
}

/** What changes of a component. */
export interface ChangedGroup {
  /** For example `ControlPlane talos-control-plane`; the stack's name for what is in none. */
  readonly component: string;
  readonly resources: readonly ChangedResource[];
}

/** A resource that changes. */
export interface ChangedResource {
  readonly operation: Exclude<Operation, "same">;
  /** The last part of its type, for example `Instance`. */
  readonly kind: string;
  readonly name: string;
  /**
   * Names of the inputs that change, or that it is replaced for; that a certificate is `RENEWED`
   * where nothing else changes.
   */
  readonly because: readonly string[];
}

/** What a summary is made from. */
export interface SummaryOptions {
  readonly stack: string;
  /** Of `Stack.preview`, or of an event log. */
  readonly events: readonly EngineEvent[];
  /** When certificates are looked at. Default: now. */
  readonly now?: Date;
  /** What the policies go by. Default: a stack is production when its name says so. */
  readonly policies?: RuleOptions;
}

/** Reads the events of a preview as a reviewer wants to. */
export function summarize(options: SummaryOptions): PreviewSummary {
  const { stack, events, now = new Date(), policies = {} } = options;
  const resources = readEvents(events);
  const own = resources.filter(({ isComponent }) => !isComponent);
  const machines = machineChanges(own);
  const quorum = quorumSteps(machines, countControlPlane(own).before);
  const count = (wanted: Operation) => own.filter(({ operation }) => operation === wanted).length;
  return {
    stack,
    counts: {
      create: count("create"),
      update: count("update"),
      replace: count("replace"),
      delete: count("delete"),
      same: count("same"),
    },
    groups: groupChanges(stack, own),
    machines,
    quorum,
    cost: planCost(own),
    risks: findRisks({ resources: own, machines, quorum, now }),
    violations: [...checkPolicies(resources, policies)].sort(
      (one, other) =>
        compareNames(one.rule, other.rule) || compareNames(one.subject, other.subject),
    ),
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
      // The engine comes to them in another order each time.
      resources: changed.sort(
        (one, other) => compareNames(one.kind, other.kind) || compareNames(one.name, other.name),
      ),
    }))
    .sort((one, other) => compareNames(one.component, other.component));
}

function reasonsOf(resource: PreviewedResource): readonly string[] {
  const { operation, changes, replacedBy, oldOutputs } = resource;
  if (operation === "update" && changes.length === 0 && typeof oldOutputs.notAfter === "string") {
    return [RENEWED];
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
