import type { Faults } from "../../../emulator";

/**
 * Does work while others listen at the addresses of all machines, and expects that nothing contacts
 * them.
 *
 * @param zones those of the machines
 */
export async function withoutMachines(
  faults: Pick<Faults, "inject">,
  zones: readonly string[],
  work: () => Promise<void>,
): Promise<void> {
  const imposters = await Promise.all(
    zones.map((zone) => faults.inject({ kind: "imposter", zone })),
  );
  try {
    await work();
    for (const { observed } of imposters) {
      expect(observed).toEqual({ connections: 0, receivedBytes: 0 });
    }
  } finally {
    await Promise.all(imposters.map((imposter) => imposter.lift()));
  }
}
