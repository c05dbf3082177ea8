import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import path from "node:path";
import { withFileLock } from "./aws/fileLock";
import { callControl, type ControlStatus } from "./controlServer";
import { daemonFile, type DaemonRecord, parseDaemonRecord } from "./daemonRecord";
import type { EmulatedNode } from "./instances";
import { compiledFile } from "./packageRoot";
import { endProcess, isAlive } from "./processes";
import type { FaultRequest } from "./talos/faults/faultRequest";
import type { FaultDescription } from "./talos/faults/faults";

const START_DEADLINE_MS = 180_000;
const STOP_DEADLINE_MS = 10_000;

/** How a daemon is started. */
export interface StartDaemonOptions {
  /** Folder for what the daemon keeps while it runs; made when it isn't there. */
  readonly stateDir: string;
  /** Region its environment names. Default: `us-east-1`. */
  readonly region?: string;
  /** Takes one line about each thing done until it is ready. Default: silence. */
  readonly onLog?: (line: string) => void;
}

/** An emulated cloud that runs in a process of its own. */
export interface DaemonHandle {
  /** Another one each time a world is made: state about another world is about nothing any more. */
  readonly worldId: string;
  readonly pid: number;
  /** Where every AWS service answers. */
  readonly url: string;
  readonly region: string;
  /** Variables for SDKs, the AWS CLI and Pulumi's AWS plugin. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folder with the stand-in `pulumi-resource-aws`. */
  readonly pluginDir: string;
  nodes(): Promise<EmulatedNode[]>;
  /** What the emulated cloud's DNS answers. */
  resolve(hostname: string): Promise<string[]>;
  /** Faults that are there. */
  faults(): Promise<FaultDescription[]>;
  /**
   * Puts a fault into one machine or all of a zone.
   *
   * @throws {FaultRequestError} with everything that is wrong with the request.
   */
  injectFault(request: FaultRequest): Promise<FaultDescription>;
  /** Lifts a fault by its id; false when there is none. */
  liftFault(id: string): Promise<boolean>;
  /** Ends the world; resolves when the process is gone. Harmless when it is gone already. */
  stop(): Promise<void>;
}

/**
 * The emulated cloud of a state folder: the one that runs, else a new one. It runs until it is
 * stopped, but it ends when the process that starts it ends before it is ready.
 *
 * @throws {Error} when it does not come up, with the reason it gave.
 */
export async function startDaemon(options: StartDaemonOptions): Promise<DaemonHandle> {
  const stateDir = path.resolve(options.stateDir);
  const log = options.onLog ?? (() => undefined);
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  return withFileLock(path.join(stateDir, "start.lock"), log, async () => {
    const running = await findDaemon(stateDir);
    if (running !== undefined) {
      return running;
    }
    await spawnDaemon(stateDir, options.region, log);
    const started = await findDaemon(stateDir);
    if (started === undefined) {
      throw new Error(`the emulator started and ended again: see "${logFile(stateDir)}"`);
    }
    return started;
  });
}

/** The emulated cloud that runs with this state folder; undefined when none does. */
export async function findDaemon(stateDir: string): Promise<DaemonHandle | undefined> {
  const folder = path.resolve(stateDir);
  const record = await readRecord(folder);
  if (record === undefined || !(await answers(record))) {
    return undefined;
  }
  return {
    worldId: record.worldId,
    pid: record.pid,
    url: record.url,
    region: record.region,
    environment: record.environment,
    pluginDir: record.pluginDir,
    nodes: async () => (await callControl<ControlStatus>(record, "status")).nodes,
    resolve: (hostname) =>
      callControl<string[]>(record, `resolve?hostname=${encodeURIComponent(hostname)}`),
    faults: () => callControl<FaultDescription[]>(record, "faults"),
    injectFault: (request) => callControl<FaultDescription>(record, "faults", "POST", request),
    liftFault: async (id) => {
      const call = `faults?id=${encodeURIComponent(id)}`;
      return (await callControl<{ readonly isLifted: boolean }>(record, call, "DELETE")).isLifted;
    },
    stop: async () => {
      await stopDaemon(folder);
    },
  };
}

/**
 * Ends the emulated cloud of a state folder, also one that answers no more, and removes its record.
 * Harmless when there is none.
 *
 * @returns whether one ran.
 */
export async function stopDaemon(stateDir: string): Promise<boolean> {
  const folder = path.resolve(stateDir);
  const record = await readRecord(folder);
  if (record === undefined) {
    return false;
  }
  let ran = false;
  if (await answers(record)) {
    ran = true;
    await callControl(record, "stop", "POST").catch(() => undefined);
    for (let waitedMs = 0; isAlive(record.pid) && waitedMs < STOP_DEADLINE_MS; waitedMs += 20) {
      await sleep(20);
    }
  }
  // The number may be another process' by now; only one that was started for this folder is ended.
  ran = (await endProcess(record.pid, ["emulator", folder])) || ran;
  await rm(daemonFile(folder), { force: true });
  return ran;
}

function logFile(stateDir: string): string {
  return path.join(stateDir, "emulator.log");
}

async function readRecord(stateDir: string): Promise<DaemonRecord | undefined> {
  try {
    return parseDaemonRecord(await readFile(daemonFile(stateDir), "utf8"));
  } catch {
    return undefined;
  }
}

/** Whether the very world of the record answers, not something else that has its port by now. */
async function answers(record: DaemonRecord): Promise<boolean> {
  try {
    const { worldId } = await callControl<ControlStatus>(record, "status");
    return worldId === record.worldId;
  } catch {
    return false;
  }
}

async function spawnDaemon(
  stateDir: string,
  region: string | undefined,
  log: (line: string) => void,
): Promise<void> {
  const regionArguments = region === undefined ? [] : ["--region", region];
  const child = spawn(
    process.execPath,
    [compiledFile("cli.js"), "daemon", "--state-dir", stateDir, ...regionArguments],
    { detached: true, stdio: ["pipe", "pipe", "ignore"] },
  );
  try {
    await new Promise<void>((resolve, reject) => {
      const fail = (reason: string) =>
        reject(new Error(`the emulator did not start: ${reason}; see "${logFile(stateDir)}"`));
      const deadline = setTimeout(() => {
        child.kill("SIGKILL");
        fail(`not ready after ${START_DEADLINE_MS / 1000} s`);
      }, START_DEADLINE_MS);
      child.once("error", (error) => fail(error.message));
      child.once("exit", (code, signal) => fail(`it ended (${signal ?? String(code)})`));
      createInterface({ input: child.stdout }).on("line", (line) => {
        if (line === "ready") {
          clearTimeout(deadline);
          resolve();
        } else if (line.startsWith("failed ")) {
          clearTimeout(deadline);
          reject(new Error(String(JSON.parse(line.slice("failed ".length)))));
        } else {
          log(line);
        }
      });
    });
  } finally {
    child.stdin.destroy();
    child.stdout.destroy();
    child.unref();
  }
}

/**
 * What is said where no emulator runs.
 *
 * @param stateDir the folder in which one was looked for
 */
export function noEmulator(stateDir: string): string {
  return `no emulator is running: none was started for ${stateDir}; "emulator start" starts one, and --state-dir names the folder of another`;
}
