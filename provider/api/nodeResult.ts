import type { TalosApiError } from "./talosApiError";

/** What one of several nodes answered: a value, or its own error. */
export type NodeResult<Value> =
  | { readonly node: string; readonly value: Value; readonly error?: undefined }
  | { readonly node: string; readonly value?: undefined; readonly error: TalosApiError };
