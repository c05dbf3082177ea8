import { spawn } from "node:child_process";
import { paths } from "../paths";

const running = new Set<number>();

/**
 * Runs a program in the checkout, in a process group of its own. When the program ends, what it left
 * running in the group ends too.
 *
 * @returns its exit code; 1 when a signal ended it
 */
export function runInGroup(
  command: string,
  args: readonly string[],
  environment: NodeJS.ProcessEnv,
): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      cwd: paths.root,
      stdio: ["ignore", "inherit", "inherit"],
      env: environment,
      detached: true,
    });
    const { pid } = child;
    child.once("error", reject);
    if (pid === undefined) {
      return;
    }
    running.add(pid);
    child.once("exit", (code) => {
      running.delete(pid);
      endGroup(pid, "SIGKILL");
      resolve(code ?? 1);
    });
  });
}

/** Ends everything that `runInGroup` runs; for when this process is asked to end. */
export function endGroups(): void {
  for (const pid of running) {
    endGroup(pid, "SIGTERM");
  }
}

function endGroup(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal);
  } catch {
    // Nothing of it is left.
  }
}
