import { SIGNATURE_KEY } from "../provider/rpc";
import { isProperties, type Properties } from "./properties";

/** Whether a value in an exported state is a secret, encrypted or in clear. */
export function isStateSecret(value: unknown): value is Properties {
  return isProperties(value) && SIGNATURE_KEY in value;
}

/** The JSON of a secret in clear; undefined for an encrypted one, and for what is no secret. */
export function plaintextOf(value: unknown): string | undefined {
  return isStateSecret(value) && typeof value.plaintext === "string" ? value.plaintext : undefined;
}
