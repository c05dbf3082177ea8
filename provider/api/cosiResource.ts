import type { Resource__Output } from "./gen/cosi/resource/Resource";
import { formatTimestamp } from "./timestamp";

/** Identifies a resource of Talos' internal state (COSI). */
export interface ResourceRef {
  /** Its namespace, for example `cluster`. */
  namespace: string;
  /** For example `Members.cluster.talos.dev`. */
  type: string;
  /** Its id within the namespace and type. */
  id: string;
}

/** A resource of Talos' internal state (COSI). */
export interface CosiResource extends ResourceRef {
  /** Increases with each change. */
  version: string;
  /** `running`, or `tearing down`. */
  phase: string;
  /** The controller that owns it; empty without one. */
  owner: string;
  /** Its labels. */
  labels: Record<string, string>;
  /** Its annotations. */
  annotations: Record<string, string>;
  /** RFC 3339. */
  created: string | undefined;
  /** RFC 3339. */
  updated: string | undefined;
  /** The spec as YAML text. Secret for the types that Talos calls sensitive. */
  spec: string;
}

/** A resource of the API's reply, in the form that this program uses. */
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
