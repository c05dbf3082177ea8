import { recordedStack } from "../../../cli/repair/pendingOperations";
import { isCreate } from "../../../cli/repair/planRepair";
import { readTree } from "./readTree";

/**
 * The URNs of what the engine has begun to make in AWS, and not recorded as made yet. It writes them down
 * before; that something is made it tells in its events before it has written that down.
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
