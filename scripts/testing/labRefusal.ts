import { spawnSync } from "node:child_process";

/**
 * Asks a lab whether it can start machines on this computer, by its command `check`.
 *
 * @param name the variable that names it, for the answer
 * @param command its program
 * @returns why it can't; undefined if it can
 */
export function labRefusal(name: string, command: string): string | undefined {
  const { status, stdout, stderr, error } = spawnSync(command, ["check"], { encoding: "utf8" });
  if (error) {
    return `${name}: ${error.message}`;
  }
  const reason = `${stdout}${stderr}`.trim() || `it ended with exit code ${status ?? "none"}`;
  return status === 0 ? undefined : `${name}: ${reason}`;
}
