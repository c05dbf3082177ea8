import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";

/**
 * Makes sure that one process at a time works on something: the file holds the id of the process
 * that does. What a dead process left behind doesn't count.
 *
 * @returns what gives it free again; also runs when the process ends
 * @throws Error naming the process that is at work
 */
export function exclusive(file: string, what: string): () => void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  const holder = holderOf(file);
  if (holder !== undefined && holder !== process.pid && isAlive(holder)) {
    throw new Error(
      `another run (process ${holder}) is at work on ${what}: wait until it has ended, or end it`,
    );
  }
  writeFileSync(file, String(process.pid));
  const release = () => {
    if (holderOf(file) === process.pid) {
      rmSync(file, { force: true });
    }
  };
  process.once("exit", release);
  return release;
}

function holderOf(file: string): number | undefined {
  try {
    return Number(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process is alive too.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
