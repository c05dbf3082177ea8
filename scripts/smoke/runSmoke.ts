import type { SmokeResult, SmokeStep, SmokeWorld } from "./smokeStep";
import { DESTROY_STEP } from "./smokeSteps";

/** What a smoke test is run with. */
export interface RunSmokeOptions {
  readonly steps: readonly SmokeStep[];
  /** Hears of each step before it begins, and when it has ended. */
  readonly say: (line: string) => void;
  /** In milliseconds. Default: the clock's. */
  readonly now?: () => number;
}

/**
 * Runs the steps, one after the other, until one fails. Then destroys everything, also after a failure.
 *
 * @returns what came of each step, the destruction last
 */
export async function runSmoke(
  world: SmokeWorld,
  { steps, say, now = Date.now }: RunSmokeOptions,
): Promise<readonly SmokeResult[]> {
  const results: SmokeResult[] = [];
  const run = async ({ title, done, expected, run: act }: SmokeStep) => {
    say(`${title} …`);
    const begin = now();
    const outcome = await act(world).then(
      (seen) => ({ seen, outcome: "ok" as const }),
      (error: unknown) => ({ seen: firstLines(error), outcome: "failed" as const }),
    );
    const result = { title, done, expected, ...outcome, durationMs: now() - begin };
    say(`  ${result.outcome}: ${result.seen}`);
    results.push(result);
    return result.outcome === "ok";
  };
  let goesOn = true;
  for (const step of steps) {
    if (goesOn) {
      goesOn = await run(step);
    } else {
      const { title, done, expected } = step;
      results.push({ title, done, expected, seen: "", outcome: "not run", durationMs: 0 });
    }
  }
  await run(DESTROY_STEP);
  return results;
}

/** An error of the engine brings all of its output. */
function firstLines(error: unknown): string {
  const { message } = error instanceof Error ? error : new Error(String(error));
  const [, ...told] = message.split(/^.*error: /m);
  return (told.length === 0 ? message : told.join(" ")).trim().slice(0, 1_000);
}
