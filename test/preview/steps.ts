import type { EngineEvent, OpType, StepEventMetadata } from "@pulumi/pulumi/automation";

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
}

export const cluster = "urn:pulumi:s::p::talos-aws:index:TalosCluster::talos";
export const apply = "pulumi-nodejs:dynamic/talos:ConfigurationApply";
export const instance = "aws:ec2/instance:Instance";

/** The engine's event for a step. */
export function event(step: Step): EngineEvent {
  const { op, type, name, id = "id", protect = false } = step;
  const urn = `urn:pulumi:s::p::talos-aws:index:TalosCluster$${type}::${name}`;
  const state = (inputs: Record<string, unknown>, outputs: Record<string, unknown>) => ({
    ...{ type, urn, id, custom: true, parent: cluster, provider: "", protect },
    ...{ inputs, outputs },
  });
  const metadata: StepEventMetadata = {
    ...{ op, urn, type, provider: "" },
    ...(step.old && { old: state(step.old, step.outputs ?? {}) }),
    ...(step.new && { new: state(step.new, {}) }),
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
