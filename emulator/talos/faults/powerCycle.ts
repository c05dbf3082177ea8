import type { MachineFaults } from "./machineFaults";

/** Off and on again. Resolves when the machine is up, or never will be. */
export async function powerCycle({ power }: MachineFaults): Promise<void> {
  await power.cut();
  await power.restore();
}
