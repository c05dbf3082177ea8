import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

const GRACE_MS = 5_000;

/** Whether a process with this id exists. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return typeof error === "object" && error !== null && "code" in error && error.code === "EPERM";
  }
}

/**
 * Ends a process, with SIGTERM first, but only when its command line contains all the words: the system
 * reuses process ids.
 *
 * @returns whether such a process existed.
 */
export async function endProcess(pid: number, words: readonly string[]): Promise<boolean> {
  const command = await commandLine(pid);
  if (command === undefined || !words.every((word) => command.includes(word))) {
    return false;
  }
  send(pid, "SIGTERM");
  for (let waitedMs = 0; isAlive(pid) && waitedMs < GRACE_MS; waitedMs += 20) {
    await sleep(20);
  }
  if (isAlive(pid)) {
    send(pid, "SIGKILL");
    while (isAlive(pid)) {
      await sleep(20);
    }
  }
  return true;
}

async function commandLine(pid: number): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)("ps", ["-ww", "-o", "args=", "-p", String(pid)]);
    return stdout.trim();
  } catch {
    return undefined;
  }
}

function send(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // The process ended after it was found.
  }
}
