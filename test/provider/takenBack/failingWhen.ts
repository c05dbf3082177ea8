import type { FaultKind } from "../../../emulator/talos/faults/faultKinds";
import type { SimulatedCluster, SimulatedNode } from "../../emulator/talos/simulatedCluster";

/** Runs an update that fails because a machine has a fault from a moment on. */
export async function failingWhen(
  isMoment: () => boolean,
  { faults }: SimulatedCluster,
  { address: machine }: SimulatedNode,
  update: () => Promise<unknown>,
  kind: FaultKind = "refuse",
): Promise<void> {
  const state = { isBroken: false };
  const timer = setInterval(() => {
    if (!state.isBroken && isMoment()) {
      state.isBroken = true;
      void faults.inject({ kind, machine });
    }
  }, 1);
  try {
    await expect(update()).rejects.toThrow();
    expect(state.isBroken).toBe(true);
  } finally {
    clearInterval(timer);
  }
}
