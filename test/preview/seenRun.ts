import type { EngineEvent } from "@pulumi/pulumi/automation";
import type { MachineEffect } from "../../preview";

/** What was seen of an `up`, by the engine's events and by looking at the machines. */
export interface SeenRun {
  readonly events: readonly EngineEvent[];
  /** The machines with which anything happened. */
  readonly machines: readonly SeenMachine[];
  /** How many control plane machines ran before. */
  readonly controlPlanesBefore: number;
  /** How many of all control plane machines ran when fewest did. */
  readonly fewestControlPlanes: number;
}

/** What a machine went through. */
export interface SeenMachine {
  readonly name: string;
  readonly role: "controlplane" | "worker";
  readonly effect: Exclude<MachineEffect, "forgotten">;
  /** What changed in its configuration, as `machine.env.A: "b" → "c"`, sorted. */
  readonly lines: readonly string[];
}
