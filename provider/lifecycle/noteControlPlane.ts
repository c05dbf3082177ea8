import { isUnknown } from "../unknown";
import type { EtcdMachine } from "./etcdMachine";
import { machinesOfRun } from "./machinesOfRun";

/**
 * Has others of this run hear of a control plane machine that is to be there, and of the one in whose
 * place it comes.
 *
 * @param olds what was recorded of its resource, as far as that goes
 * @param news what is wanted; in a preview some of it may be unknown, and nobody hears of it
 */
export function noteControlPlane(olds: Partial<EtcdMachine>, news: EtcdMachine): void {
  const { machineId, node, endpoint, privateAddress, credentials } = news;
  if ([machineId, node, endpoint, privateAddress, credentials].some(isUnknown)) {
    return;
  }
  machinesOfRun.noteStaying(news);
  // Where a new machine has got the address of the one before it, it has its name, and Talos itself
  // has it take over the member.
  const isSame = (olds.privateAddress ?? olds.node) === (privateAddress ?? node);
  if (isRecorded(olds) && olds.machineId !== machineId && !isSame) {
    machinesOfRun.noteSuccession(machineId, { ...olds, credentials });
  }
}

function isRecorded(
  olds: Partial<EtcdMachine>,
): olds is Partial<EtcdMachine> & Omit<EtcdMachine, "credentials"> {
  return [olds.machineId, olds.node, olds.endpoint].every((each) => each !== undefined);
}
