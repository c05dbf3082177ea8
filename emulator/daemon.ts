import { spawn } from "node:child_process";
import { mkdir, readFile, rm } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
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

/** Options of `startDaemon`. */
export interface StartDaemonOptions {
  /** Folder for the daemon's files while it runs. It is created when missing. */
  readonly stateDir: string;
  /** Region in the daemon's `environment`. Default: `us-east-1`. */
  readonly region?: string;
  /** A program that runs the machines. Default: they are simulated. */
  readonly machines?: string;
  /** Called with one line about each step of the start. Default: nothing is logged. */
  readonly onLog?: (line: string) => void;
}

/** An emulated cloud in a background process. */
export interface DaemonHandle {
  /** Identifies this run of the cloud. Pulumi state from another run refers to nothing in this one. */
  readonly worldId: string;
  readonly pid: number;
  /** The URL of every AWS service. */
  readonly url: string;
  readonly region: string;
  /** Variables for SDKs, the AWS CLI and Pulumi's AWS plugin. */
  readonly environment: Readonly<Record<string, string>>;
  /** Variables that make programs reach the cloud's names, as `Emulator.nameEnvironment` has them. */
  readonly nameEnvironment: Readonly<Record<string, string>>;
  /** Folder with the substitute `pulumi-resource-aws`. */
  readonly pluginDir: string;
  nodes(): Promise<EmulatedNode[]>;
  /** Resolves a name with the emulated cloud's DNS. */
  resolve(hostname: string): Promise<string[]>;
  /** The active faults. */
  faults(): Promise<FaultDescription[]>;
  /**
   * Injects a fault into one machine or into all machines of a zone.
   *
   * @throws FaultRequestError that lists every problem of the request.
   */
  injectFault(request: FaultRequest): Promise<FaultDescription>;
  /** Lifts a fault by its id. False when no fault has that id. */
  liftFault(id: string): Promise<boolean>;
  /** Stops the cloud and waits until its process has ended. Does nothing when it has ended already. */
  stop(): Promise<void>;
}

/**
 * Returns the emulated cloud of a state folder, and starts it when it doesn't run. It runs until it is
 * stopped. It ends early when its starter ends before it is ready.
 *
 * @throws Error when it doesn't start, with the reason.
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
    await spawnDaemon(stateDir, options, log);
    const started = await findDaemon(stateDir);
    if (started === undefined) {
      throw new Error(`the emulator started and ended again: see "${logFile(stateDir)}"`);
    }
    return started;
  });
}

/** Finds the running emulated cloud of a state folder. Undefined when none runs. */
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
    nameEnvironment: record.nameEnvironment ?? {},
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
 * Stops the emulated cloud of a state folder, even one that no longer answers, and removes its record.
 * Does nothing when there is none.
 *
 * @returns whether one was running.
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
  // Another process may have this number by now, so only one started for this folder is ended.
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

/** Whether the recorded cloud answers. Another program may have its port by now. */
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
  { region, machines }: StartDaemonOptions,
  log: (line: string) => void,
): Promise<void> {
  const choices = [
    ...(region === undefined ? [] : ["--region", region]),
    ...(machines === undefined ? [] : ["--machines", machines]),
  ];
  const child = spawn(
    process.execPath,
    [compiledFile("cli.js"), "daemon", "--state-dir", stateDir, ...choices],
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
 * The message for a state folder without a running emulator.
 *
 * @param stateDir the folder that was searched
 */
export function noEmulator(stateDir: string): string {
  return `no emulator is running for ${stateDir}: start one with "talos-aws-emulator start", or name another folder with --state-dir`;
}
