import { execFileSync } from "node:child_process";

/**
 * The processes that a process started, and those that they started, by id. The engine gives its
 * plugins process groups of their own, so a signal to its group doesn't reach them.
 */
export function descendants(ancestor: number): number[] {
  const listing = execFileSync("ps", ["-A", "-o", "pid=,ppid="], { encoding: "utf8" });
  const processes = listing
    .trim()
    .split("\n")
    .map((line) => line.trim().split(/\s+/).map(Number));
  const childrenOf = (parent: number): number[] =>
    processes
      .filter(([, ppid]) => ppid === parent)
      .flatMap(([pid = 0]) => [pid, ...childrenOf(pid)]);
  return childrenOf(ancestor);
}
