import { allEnd, type Process } from "../../../scripts/killEngines";

/**
 * Ends the plugins of an engine that was killed. One that was in the middle of something ends by itself, as
 * killedEngine.test.ts sees; one that had nothing to do yet has none of this package's code in it, and stays.
 */
export async function endPlugins(plugins: readonly Process[]): Promise<void> {
  if (await allEnd(plugins)) {
    return;
  }
  for (const { pid } of plugins) {
    try {
      process.kill(pid, "SIGKILL");
    } catch {
      // It has ended.
    }
  }
}
