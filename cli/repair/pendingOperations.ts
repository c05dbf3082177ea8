import type { Deployment } from "@pulumi/pulumi/automation";
import type { Properties } from "../properties";

/** A resource in an exported state, with all its fields. */
export interface WrittenResource extends Properties {
  readonly urn: string;
  readonly type: string;
  /** False for a component, which exists in the state alone. */
  readonly custom?: boolean;
  readonly id?: string;
  /** URN of its parent. */
  readonly parent?: string;
  readonly inputs?: Properties;
  readonly outputs?: Properties;
  readonly delete?: boolean;
  readonly protect?: boolean;
  /** Whether the program only read it. */
  readonly external?: boolean;
  /** `<URN of the provider>::<its id>`. */
  readonly provider?: string;
}

/** An operation that the engine had begun and whose end it did not record. */
export interface PendingOperation {
  /** `creating`, `updating`, `deleting`, `reading` or `importing`. */
  readonly type: string;
  readonly resource: WrittenResource;
}

/** The content of a state, version 3 of the format of `pulumi stack export`. */
export interface WrittenState extends Properties {
  readonly resources?: readonly WrittenResource[] | null;
  readonly pending_operations?: readonly PendingOperation[] | null;
}

export interface RecordedStack {
  readonly resources: readonly WrittenResource[];
  readonly pending: readonly PendingOperation[];
}

export function recordedStack(exported: Deployment): RecordedStack {
  const state = (exported.deployment ?? {}) as WrittenState;
  return { resources: state.resources ?? [], pending: state.pending_operations ?? [] };
}

/** The URN in a reference to a provider, `<URN>::<id>`. */
export function providerUrn(reference: string): string {
  return reference.split("::").slice(0, -1).join("::");
}

/** A resource's name, the last part of its URN. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
