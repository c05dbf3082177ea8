import { NEWEST_ACCEPTED_MINOR } from "../../../provider/config/releases/acceptedTalos";
import { supportedKubernetes } from "../../../provider/config/releases/supportTable";
import { talosMinor } from "../../../provider/config/releases/talosMinor";
import { versionContracts } from "../../../provider/config/releases/versionContract";
import type { ConfigSchema } from "../../../provider/config/schema/configSchema";
import { talosSchemas } from "../../../provider/config/schema/talosSchemas";

/** The schema of a Talos minor, also of one whose support is not complete. */
export function oracleSchema(minor: string): ConfigSchema {
  const schema = talosSchemas.get(talosMinor(minor) ?? 0);
  if (schema === undefined) {
    throw new Error(`there is no schema of Talos ${minor}`);
  }
  return schema;
}

/** A Talos release as an option; the newest accepted one for one that is still refused. */
export function declared(talosVersion: string): string {
  const isAccepted = (talosMinor(talosVersion) ?? 0) <= NEWEST_ACCEPTED_MINOR;
  return isAccepted ? talosVersion : `v1.${NEWEST_ACCEPTED_MINOR}.0`;
}

/** The newest contract that this package writes for a Talos minor, also one that programs may not choose yet. */
export function newestContract(minor: string): string {
  return versionContracts.includes(minor) ? minor : (versionContracts.at(-1) ?? minor);
}

/** The newest minor of Kubernetes that options can have. */
export const newestKubernetes =
  supportedKubernetes(`v1.${NEWEST_ACCEPTED_MINOR}`)?.newestMinor ?? Infinity;
