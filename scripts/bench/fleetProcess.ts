import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { type Fleet, type FleetOptions, startFleet } from "./fleet";

/** What a process has taken since it started. */
export interface ProcessUsage {
  /** The most memory that it ever had. */
  readonly peakMiB: number;
  /** The processor time of all its threads. */
  readonly cpuSeconds: number;
}

/** Of this process. */
export function processUsage(): ProcessUsage {
  const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
  return { peakMiB: maxRSS / 1024, cpuSeconds: (userCPUTime + systemCPUTime) / 1e6 };
}

/** A fleet in a process of its own, which this one sees as it sees machines elsewhere. */
export interface FleetProcess {
  readonly fleet: Fleet;
  /** What the process has taken so far. */
  usage(): Promise<ProcessUsage>;
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
    usage: () => {
      child.send("usage");
      return answerOf(child) as Promise<ProcessUsage>;
    },
    stop: () => child.disconnect(),
  };
}

/** Is the process that was started: runs the fleet until the other one has gone. */
export async function serveFleet(program: string, options: string): Promise<void> {
  process.on("message", () => process.send?.(processUsage()));
  process.on("disconnect", () => process.exit());
  process.send?.(await startFleet(program, JSON.parse(options) as FleetOptions));
}

async function answerOf(child: ChildProcess): Promise<unknown> {
  const answered = new AbortController();
  const { signal } = answered;
  const ended = once(child, "exit", { signal }).then(([code]) => {
    throw new Error(`the simulated machines ended with ${String(code)}`);
  });
  try {
    const [answer] = (await Promise.race([once(child, "message", { signal }), ended])) as [unknown];
    return answer;
  } finally {
    ended.catch(() => undefined);
    answered.abort();
  }
}
