import { fork } from "node:child_process";
import { once } from "node:events";
import { startEmulator } from "../../emulator";

/** What an engine needs of an emulated cloud. */
export interface CloudAccess {
  readonly environment: Readonly<Record<string, string>>;
  readonly pluginDir: string;
}

/** An emulated cloud in a process of its own. */
export interface CloudProcess extends CloudAccess {
  stop(): Promise<void>;
}

/**
 * Starts one.
 *
 * @param program what runs `serveCloud` when its first argument is `cloud`
 */
export async function startCloudProcess(program: string): Promise<CloudProcess> {
  const child = fork(program, ["cloud"], { execArgv: ["--max-old-space-size=6000"] });
  const [access] = (await once(child, "message")) as [CloudAccess];
  return {
    ...access,
    stop: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}

/** Is the process that was started: runs the cloud until the other one has gone. */
export async function serveCloud(): Promise<void> {
  const emulator = await startEmulator({
    timings: { bootMs: 100, rebootMs: 100, shutdownMs: 100, joinMs: 100 },
  });
  process.on("disconnect", () => {
    void emulator.stop().then(() => process.exit());
  });
  const { environment, pluginDir } = emulator;
  process.send?.({ environment, pluginDir } satisfies CloudAccess);
}
