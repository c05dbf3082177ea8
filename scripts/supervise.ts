import { spawn, execFileSync } from "node:child_process";

export interface SuperviseOptions {
  /** Arguments for the same script, run again as the one that does the work. */
  readonly args: readonly string[];
  /** Runs after the work was interrupted and all its processes are gone. */
  readonly onInterrupt: () => Promise<void>;
  /** How long the work may take to end by itself. Default: 2000. */
  readonly graceMs?: number;
}

/**
 * Runs this script again in a process group of its own and passes its exit code on. When the
 * person interrupts, all of it ends (engine, plugins, compilers), gently at first, and then nothing
 * is left, whatever it was doing.
 */
export async function supervise(options: SuperviseOptions): Promise<number> {
  const [, script] = process.argv;
  if (script === undefined) {
    throw new Error("there is no script to supervise: this is for `node <script>` only");
  }
  const child = spawn(process.execPath, [...process.execArgv, script, ...options.args], {
    detached: true,
    stdio: ["ignore", "inherit", "inherit", "ipc"],
  });
  const ended = new Promise<number>((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", (code) => resolve(code ?? 1));
  });
  const interruption = new AbortController();
  const started = new Set<number>();
  const remember = () => descendants(child.pid ?? 0).forEach((pid) => started.add(pid));
  const interrupt = () => {
    remember();
    if (interruption.signal.aborted) {
      signalGroup(child.pid, "SIGKILL");
      return;
    }
    interruption.abort();
    process.stderr.write("\nInterrupted: stopping everything this run started …\n");
    signalGroup(child.pid, "SIGINT");
    const killAll = () => {
      remember();
      signalGroup(child.pid, "SIGKILL");
    };
    setTimeout(killAll, options.graceMs ?? 2_000).unref();
  };
  const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
  signals.forEach((signal) => process.on(signal, interrupt));
  const code = await ended;
  if (!interruption.signal.aborted) {
    if (code !== 0) {
      // A step that failed leaves others at work, such as a compiler.
      signalGroup(child.pid, "SIGINT");
    }
    return code;
  }
  signalGroup(child.pid, "SIGKILL");
  // The clean-up comes first: what it ends by itself removes its own files.
  await options.onInterrupt();
  started.forEach((pid) => kill(pid, "SIGKILL"));
  return 130;
}

/**
 * In the process that does the work: ends it when its supervisor is gone, however it went.
 *
 * @returns what to call when the work is done, so that the process can end by itself
 */
export function endWithSupervisor(): () => void {
  const end = () => signalGroup(process.pid, "SIGKILL");
  process.once("disconnect", end);
  return () => {
    process.off("disconnect", end);
    process.disconnect();
  };
}

function signalGroup(pid: number | undefined, signal: NodeJS.Signals): void {
  if (pid !== undefined) {
    kill(-pid, signal);
  }
}

function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch {
    // It has ended, which is what the signal was for.
  }
}

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
