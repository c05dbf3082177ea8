import type { Deployment } from "@pulumi/pulumi/automation";
import type { Properties } from "../stackResource";

/** A resource as the engine writes it, with all that this package doesn't look at. */
export interface WrittenResource extends Properties {
  readonly urn: string;
  readonly type: string;
  readonly id?: string;
  readonly inputs?: Properties;
  readonly delete?: boolean;
  /** `<URN of the provider>::<its id>`. */
  readonly provider?: string;
}

/** Something that the engine had begun and not recorded the end of. */
export interface PendingOperation {
  /** `creating`, `updating`, `deleting`, `reading` or `importing`. */
  readonly type: string;
  readonly resource: WrittenResource;
}

/** What a state holds, as `pulumi stack export` writes it, version 3 of its format. */
export interface WrittenState extends Properties {
  readonly resources?: readonly WrittenResource[] | null;
  readonly pending_operations?: readonly PendingOperation[] | null;
}

/** What is recorded of a stack, and what was begun. */
export interface RecordedStack {
  readonly resources: readonly WrittenResource[];
  readonly pending: readonly PendingOperation[];
}

/** Reads an exported stack. */
export function recordedStack(exported: Deployment): RecordedStack {
  const state = (exported.deployment ?? {}) as WrittenState;
  return { resources: state.resources ?? [], pending: state.pending_operations ?? [] };
}

/** A resource's name, the last part of its URN. */
export function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
