import type { EncryptionKeys } from "../config/encryptionKeys";
import type { KubernetesStore } from "./kubernetesStore";
import type { WatchOptions } from "./objectWatch";
import type { RequestBody } from "./requestBody";
import type { ClientIdentity } from "./serviceAccountToken";

/** A request of an authenticated client. */
export interface ApiRequest {
  readonly method: string;
  readonly url: URL;
  readonly accept: string | undefined;
  readonly userAgent: string | undefined;
  readonly body: RequestBody;
  /** Who asks. */
  readonly user: ClientIdentity;
}

/** The state that the API server answers from. */
export interface ApiContext {
  readonly store: KubernetesStore;
  /** Without a majority of etcd's members, reads fail. */
  readonly hasQuorum: boolean;
  /** For example `v1.35.0`. */
  readonly version: string;
  readonly architecture: string;
  /** The server's `host:port`. */
  readonly serverAddress: string;
  readonly now: Date;
  /** The keys with which the server reads Secrets; the first one encrypts. */
  readonly encryptionKeys: EncryptionKeys;
}

/** An answer: a complete body, or a watch. */
export type ApiAnswer =
  | {
      readonly kind: "body";
      readonly code: number;
      readonly contentType: string;
      readonly body: string;
    }
  | ({ readonly kind: "watch" } & { readonly watch: Omit<WatchOptions, "write"> });

/** An answer as plain text. */
export function plain(code: number, body: string): ApiAnswer {
  return { kind: "body", code, contentType: "text/plain; charset=utf-8", body };
}

/** An answer in JSON. */
export function json(body: object, code = 200, contentType = "application/json"): ApiAnswer {
  return { kind: "body", code, contentType, body: `${JSON.stringify(body)}\n` };
}

/** The accepted forms of an answer, in order of preference. */
export interface Acceptance {
  readonly table: boolean;
  /** Objects without all but their metadata. */
  readonly metadataOnly: boolean;
  readonly json: boolean;
  readonly aggregatedDiscovery: "v2" | "v2beta1" | undefined;
}

/**
 * Reads an Accept header as kube-apiserver does: the first supported form wins. The default is
 * JSON.
 */
export function parseAccept(header: string | undefined): Acceptance {
  const forms = (header ?? "*/*").split(",").map((form) => form.trim().split(/\s*;\s*/));
  const isJson = ([type]: readonly string[]) =>
    type === "application/json" || type === "application/*" || type === "*/*";
  const isTable = (form: readonly string[]) =>
    isJson(form) && form.includes("as=Table") && form.includes("v=v1");
  const isPartial = (form: readonly string[]) =>
    isJson(form) && form.some((part) => part.startsWith("as=PartialObjectMetadata"));
  const discovery = forms.find((form) => isJson(form) && form.includes("as=APIGroupDiscoveryList"));
  const first = forms.find(
    (form) =>
      isTable(form) ||
      isPartial(form) ||
      (isJson(form) && !form.some((part) => part.startsWith("as="))),
  );
  return {
    table: first !== undefined && isTable(first),
    metadataOnly: first !== undefined && isPartial(first),
    json: forms.some(isJson),
    aggregatedDiscovery: discovery && (discovery.includes("v=v2") ? "v2" : ("v2beta1" as const)),
  };
}
