import type { Progress } from "../../base/progress";
import type { ImportResult } from "../../engine/handler";
import { findDrift } from "../../lifecycle/delivery/findDrift";
import { outlineMachineConfiguration } from "../../render/renderMachineConfiguration";
import { talosconfigCredentials } from "../talosconfigAccess";
import { DEFAULT_TIMEOUT_SECONDS } from "./applyChecks";
import { type ApplyInputs, type ApplyState, stateOf } from "./applyRecord";

/** The hash that differs from every configuration's. */
export const NO_HASH = "";

/** `<machine id>@<address>`, and after a comma the Talos API to dial. */
const IMPORT_ID = /^([^@]+)@([^,]+)(?:,(.+))?$/;

/**
 * Takes over a running machine, as if a create had given it its configuration. Only mutual TLS is
 * used, with the credentials of the talosconfig.
 *
 * @param id such as `i-0abc@10.0.0.4`
 * @throws Error for another id, and for a machine that does not answer as one of that cluster
 */
export async function importMachine(
  id: string,
  progress: Progress,
): Promise<ImportResult<ApplyState, ApplyInputs>> {
  const [, machineId, node, endpoint = node] = IMPORT_ID.exec(id) ?? [];
  if (machineId === undefined || node === undefined || endpoint === undefined) {
    throw new Error(
      `"${id}" can't be imported: write the machine's id and address, as in "i-0abc@10.0.0.4", and after a comma the address of the Talos API to dial, if that is another`,
    );
  }
  const machine = { node, endpoint, credentials: talosconfigCredentials() };
  const found = await findDrift(machine, { hash: NO_HASH, system: undefined }, progress);
  if (found === undefined) {
    throw new Error(
      `machine ${node} can't be imported, because it did not answer as a machine of the talosconfig's cluster`,
    );
  }
  const talosSystem = found.system && { talosSystem: found.system };
  const record = { ...machine, timeoutSeconds: DEFAULT_TIMEOUT_SECONDS };
  return {
    id: machineId,
    state: { ...stateOf(record, found.text), ...talosSystem },
    inputs: {
      machineId,
      node,
      endpoint,
      redactedConfiguration: outlineMachineConfiguration(found.documents),
      ...talosSystem,
    },
  };
}
