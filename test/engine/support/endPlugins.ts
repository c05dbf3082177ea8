import { allEnd, type Process } from "../../../scripts/killEngines";
import { eventually } from "../../emulator/support/eventually";

/**
 * Kills the plugins of an engine that was killed, as when the computer stops. One that works ends by itself,
 * as killedEngine.test.ts sees; one that has done nothing yet has none of this package's code, and stays.
 */
export async function endPlugins(plugins: readonly Process[]): Promise<void> {
  for (const { pid } of plugins) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
  await eventually(async () => expect(await allEnd(plugins)).toBe(true), 60_000);
}
