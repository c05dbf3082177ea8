import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation";
import { type PreviewSummary, summarize } from "../../preview";

/** One resource of a preview in a few words. */
export interface Step {
  readonly op: OpType;
  readonly type: string;
  readonly name: string;
  readonly old?: Record<string, unknown>;
  readonly outputs?: Record<string, unknown>;
  readonly new?: Record<string, unknown>;
  readonly id?: string;
  readonly diffs?: string[];
  readonly keys?: string[];
  readonly protect?: boolean;
  /** URN of its component. Default: the cluster. */
  readonly parent?: string;
  /** Its region, as the AWS plugin tells it; empty if it doesn't. Default: `us-east-1`. */
  readonly region?: string;
}

export const cluster = "urn:pulumi:s::p::talos-aws:index:TalosCluster::talos";
export const apply = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
export const instance = "aws:ec2/instance:Instance";

/** The engine's event for a step. */
export function event(step: Step): EngineEvent {
  const { op, type, name, id = "id", protect = false, parent = cluster } = step;
  const { region = "us-east-1" } = step;
  const told = type.startsWith("aws:") && region !== "" ? { region } : {};
  const urn = `urn:pulumi:s::p::talos-aws:index:TalosCluster$${type}::${name}`;
  const state = (inputs: Record<string, unknown>, outputs: Record<string, unknown>) => ({
    type,
    urn,
    id,
    custom: true,
    parent,
    provider: "",
    protect,
    inputs,
    outputs,
  });
  const metadata: StepEventMetadata = {
    op,
    urn,
    type,
    provider: "",
    ...(step.old && { old: state(step.old, { ...told, ...step.outputs }) }),
    ...(step.new && { new: state(step.new, told) }),
    ...(step.diffs && { diffs: step.diffs }),
    ...(step.keys && { keys: step.keys }),
  };
  return { sequence: 0, timestamp: 0, resourcePreEvent: { metadata } };
}

/** Inputs of a control plane machine with this in its configuration besides its role. */
export function configured(machine: Record<string, unknown>): Record<string, unknown> {
  return {
    machineId: "i-1",
    redactedConfiguration: { machine: { type: "controlplane", ...machine } },
  };
}

/** The time of summaries. */
export const now = new Date("2026-11-21T00:00:00Z");

/** The summary of a preview with these steps. */
export function summaryOf(...steps: readonly Step[]): PreviewSummary {
  return summarize({ stack: "staging", events: steps.map(event), now });
}

/** A control plane machine that stays as it is. */
export const staying = (name: string): Step[] => [
  {
    op: "same",
    type: instance,
    name,
    old: { instanceType: "t3.large" },
    new: { instanceType: "t3.large" },
  },
  { op: "same", type: apply, name, old: configured({}), new: configured({}) },
];
