import { execFile, execFileSync } from "node:child_process";

/** How a command ended. */
export interface CommandResult {
  /** -1: it was killed, or could not be started. */
  readonly code: number;
  /** Both outputs, the errors last. */
  readonly output: string;
}

/** Runs a command beside this program, which may serve it. */
export function runCommand(
  command: string,
  args: readonly string[],
  options: {
    readonly cwd: string;
    /** Set over this program's own. */
    readonly environment: Readonly<Record<string, string>>;
    /** After that long it is killed. Default: 30,000. */
    readonly timeoutMs?: number | undefined;
  },
): Promise<CommandResult> {
  const { cwd, environment, timeoutMs = 30_000 } = options;
  const env = { ...process.env, ...environment };
  return new Promise((resolve) => {
    execFile(
      command,
      args,
      { cwd, env, timeout: timeoutMs, killSignal: "SIGKILL" },
      (error, stdout, stderr) => {
        const code = error ? (typeof error.code === "number" ? error.code : -1) : 0;
        resolve({ code, output: stdout + stderr });
      },
    );
  });
}

/** Whether a command can be started and succeeds. */
export function starts(program: string, args: readonly string[]): boolean {
  try {
    execFileSync(program, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
