import { recordedStack } from "../../../cli/repair/pendingOperations";
import { isCreate } from "../../../cli/repair/planRepair";
import { readTree } from "./readTree";

/**
 * The URNs of AWS resources whose creation the state has as pending. The engine records a creation before it
 * begins. It tells of its end in an event first, and records that a moment later.
 *
 * @param stateDir that of the world whose stack is `local`
 */
export function createsBegun(stateDir: string): string[] {
  const file = readTree(stateDir).find(({ name }) => name.endsWith("talos-aws/local.json"));
  const { checkpoint } = JSON.parse(file?.text ?? "") as { checkpoint: { latest?: object } };
  return recordedStack({ version: 3, deployment: checkpoint.latest ?? {} })
    .pending.filter((each) => isCreate(each) && each.resource.type.startsWith("aws:"))
    .map(({ resource }) => resource.urn);
}
