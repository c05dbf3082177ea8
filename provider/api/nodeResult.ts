import type { TalosApiError } from "./talosApiError";

/** The answer of one of several nodes: a value, or its own error. */
export type NodeResult<Value> =
  | { readonly node: string; readonly value: Value; readonly error?: undefined }
  | { readonly node: string; readonly value?: undefined; readonly error: TalosApiError };
