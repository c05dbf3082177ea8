import { execFileSync } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";

/** A process of this computer. */
export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly command: string;
}

/** Engines that were killed, and what they leave. */
export interface KilledEngines {
  readonly engines: readonly Process[];
  /** The processes that the engines had started. None if they were killed at once. */
  readonly plugins: readonly Process[];
}

/** Kills the engines that this process started, and nothing else. */
export function killEngines(): KilledEngines {
  const all = listProcesses();
  const childrenOf = (parent: number): Process[] =>
    all
      .filter((process) => process.parent === parent)
      .flatMap((child) => [child, ...childrenOf(child.pid)]);
  const engines = all.filter(
    ({ parent, command }) => parent === process.pid && command.endsWith("pulumi"),
  );
  for (const { pid } of engines) {
    process.kill(pid, "SIGKILL");
  }
  return { engines, plugins: engines.flatMap(({ pid }) => childrenOf(pid)) };
}

/** Whether processes end by themselves. */
export async function allEnd(processes: readonly Process[]): Promise<boolean> {
  for (let attempt = 0; attempt < 100; attempt++) {
    const alive = new Set(listProcesses().map(({ pid, command }) => `${pid} ${command}`));
    if (!processes.some(({ pid, command }) => alive.has(`${pid} ${command}`))) {
      return true;
    }
    await sleep(50);
  }
  return false;
}

function listProcesses(): Process[] {
  return execFileSync("ps", ["-A", "-o", "pid=,ppid=,comm="], { encoding: "utf8" })
    .split("\n")
    .map((line) => /^\s*(\d+)\s+(\d+)\s+(.*\S)/.exec(line))
    .filter((match) => match !== null)
    .map(([, pid, parent, command = ""]) => ({
      pid: Number(pid),
      parent: Number(parent),
      command,
    }));
}
