import type { Resource__Output } from "./gen/cosi/resource/Resource";
import { formatTimestamp } from "./timestamp";

/** Names one resource of Talos' internal state (COSI). */
export interface ResourceRef {
  namespace: string;
  /** Such as `Members.cluster.talos.dev`. */
  type: string;
  id: string;
}

/** A resource of Talos' internal state (COSI). */
export interface CosiResource extends ResourceRef {
  /** Counts up with each change. */
  version: string;
  /** `running`, or `tearing down`. */
  phase: string;
  /** The controller that keeps it; empty if none does. */
  owner: string;
  labels: Record<string, string>;
  annotations: Record<string, string>;
  /** RFC 3339. */
  created: string | undefined;
  /** RFC 3339. */
  updated: string | undefined;
  /** The spec as YAML text. Secret for the types that Talos calls sensitive. */
  spec: string;
}

/** What the API sends of a resource, in the form the program uses. */
export function toCosiResource({ metadata, spec }: Resource__Output): CosiResource {
  return {
    namespace: metadata?.namespace ?? "",
    type: metadata?.type ?? "",
    id: metadata?.id ?? "",
    version: metadata?.version ?? "",
    phase: metadata?.phase ?? "",
    owner: metadata?.owner ?? "",
    labels: metadata?.labels ?? {},
    annotations: metadata?.annotations ?? {},
    created: formatTimestamp(metadata?.created ?? null),
    updated: formatTimestamp(metadata?.updated ?? null),
    spec: spec?.yamlSpec ?? "",
  };
}
