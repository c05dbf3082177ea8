import { NEWEST_ACCEPTED_MINOR } from "../../../provider/config/acceptedTalos";
import type { ConfigSchema } from "../../../provider/config/configSchema";
import { supportedKubernetes } from "../../../provider/config/supportTable";
import { talosMinor } from "../../../provider/config/talosMinor";
import { talosSchemas } from "../../../provider/config/talosSchemas";
import { versionContracts } from "../../../provider/config/versionContract";

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
