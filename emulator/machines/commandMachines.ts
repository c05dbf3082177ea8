import { calledMachines } from "./calledMachines";
import { callMachineCommand } from "./machineCommand";
import type { MachineDriver } from "./machineDriver";

/**
 * Machines that a program runs: containers, virtual machines, real ones. README.md of the emulator has its protocol.
 *
 * @param command the program and its first arguments
 * @throws Error if the program doesn't answer `list`
 */
export function commandMachines(
  command: readonly string[],
  onLog: (line: string) => void,
): Promise<MachineDriver> {
  return calledMachines((call, input = {}) => callMachineCommand(command, call, input), onLog);
}
