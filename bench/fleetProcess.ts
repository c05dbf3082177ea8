import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type Fleet, type FleetOptions, startFleet } from "./fleet";

/** A fleet in a process of its own, which this one sees as it sees machines elsewhere. */
export interface FleetProcess {
  readonly fleet: Fleet;
  /** The most memory that the process ever had. */
  peakMiB(): Promise<number>;
  stop(): void;
}

/**
 * Starts one.
 *
 * @param program what runs `serveFleet` when its first argument is `fleet`
 * @throws Error when it ends before its machines run
 */
export async function startFleetProcess(
  program: string,
  options: FleetOptions,
): Promise<FleetProcess> {
  const child = fork(program, ["fleet", JSON.stringify(options)]);
  const fleet = (await answerOf(child)) as Fleet;
  return {
    fleet,
    peakMiB: () => {
      child.send("memory");
      return answerOf(child) as Promise<number>;
    },
    stop: () => child.disconnect(),
  };
}

/** Is the process that was started: runs the fleet until the other one has gone. */
export async function serveFleet(options: string): Promise<void> {
  process.on("message", () => process.send?.(process.resourceUsage().maxRSS / 1024));
  process.on("disconnect", () => process.exit());
  process.send?.(await startFleet(JSON.parse(options) as FleetOptions));
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const ended = once(child, "exit").then(([code]) => {
    throw new Error(`the simulated machines ended with ${String(code)}`);
  });
  const [answer] = (await Promise.race([once(child, "message"), ended])) as [unknown];
  return answer;
}
