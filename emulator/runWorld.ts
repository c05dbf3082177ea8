import { randomBytes, randomUUID } from "node:crypto";
import { createWriteStream, type WriteStream } from "node:fs";
import { mkdir, rename, rm, writeFile } from "node:fs/promises";
import path from "node:path";
import { startControlServer } from "./controlServer";
import { daemonFile, type DaemonRecord } from "./daemonRecord";
import { type EmulatorOptions, startEmulator } from "./emulator";
import { chosenBy, type GivenMachines } from "./machines/givenMachines";

/** Options of `runWorld`. */
export interface RunWorldOptions extends Pick<EmulatorOptions, "region"> {
  readonly stateDir: string;
  /** Who runs the machines. Default: they are simulated. */
  readonly machines?: GivenMachines | undefined;
  /** Called with one line about each event. */
  readonly onLog: (line: string) => void;
  /** Called when the cloud is ready. */
  readonly onReady: (record: DaemonRecord) => void;
  /** Stops the cloud when aborted. */
  readonly signal: AbortSignal;
}

/**
 * Runs an emulated cloud in this process until it is stopped by its control server or by the signal.
 * Meanwhile `emulator.json` in the state folder (mode 0600) holds what clients need, and
 * `emulator.log` holds the log.
 *
 * @throws Error when it can't start, or the emulated AWS ends by itself.
 */
export async function runWorld(options: RunWorldOptions): Promise<void> {
  const stateDir = path.resolve(options.stateDir);
  await mkdir(stateDir, { recursive: true, mode: 0o700 });
  const logStream = createWriteStream(path.join(stateDir, "emulator.log"), { mode: 0o600 });
  const onLog = (line: string) => {
    logStream.write(`${new Date().toISOString()} ${line}\n`);
    options.onLog(line);
  };
  const ended = new AbortController();
  let failure: string | undefined;
  options.signal.addEventListener("abort", () => ended.abort());
  const emulator = await startEmulator({
    ...(options.region !== undefined && { region: options.region }),
    ...(options.machines !== undefined && { machines: chosenBy(options.machines) }),
    onLog,
    onUnexpectedEnd: (reason) => {
      failure = reason;
      onLog(reason);
      ended.abort();
    },
  });
  try {
    const worldId = randomUUID();
    const token = randomBytes(32).toString("base64url");
    const control = await startControlServer({
      worldId,
      token,
      emulator,
      onStop: () => ended.abort(),
    });
    try {
      const record: DaemonRecord = {
        pid: process.pid,
        worldId,
        controlUrl: control.url,
        controlToken: token,
        url: emulator.url,
        region: emulator.region,
        environment: emulator.environment,
        nameEnvironment: emulator.nameEnvironment,
        pluginDir: emulator.pluginDir,
        ...(options.machines !== undefined && { machines: options.machines.by }),
      };
      if (!options.signal.aborted) {
        await writeRecord(stateDir, record);
        options.onReady(record);
        await untilAborted(ended.signal);
        await rm(daemonFile(stateDir), { force: true });
      }
    } finally {
      control.server.close();
      control.server.closeAllConnections();
    }
  } finally {
    await emulator.stop();
    await closed(logStream);
  }
  if (failure !== undefined) {
    throw new Error(`the emulated AWS ended by itself: ${failure}`);
  }
}

/** Writes a file atomically, readable by its owner only. */
async function writeRecord(stateDir: string, record: DaemonRecord): Promise<void> {
  const file = daemonFile(stateDir);
  const draft = `${file}.${process.pid}`;
  await rm(draft, { force: true });
  await writeFile(draft, `${JSON.stringify(record, null, 2)}\n`, { mode: 0o600 });
  await rename(draft, file);
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) {
      resolve();
    } else {
      signal.addEventListener("abort", () => resolve(), { once: true });
    }
  });
}

function closed(stream: WriteStream): Promise<void> {
  return new Promise((resolve) => {
    stream.end(() => resolve());
  });
}
