import { TalosApiError } from "../../api/talosApiError";
import type { CallOptions, TalosClient } from "../../api/talosClient";
import type { Progress } from "../../base/progress";
import { PullMeter } from "../health/pullMeter";

/** What is installed on a machine. */
export interface Installation {
  /** The machine's address, for messages. */
  readonly node: string;
  /** The installer, such as `factory.talos.dev/aws-installer/<schematic>:v1.14.1`. */
  readonly image: string;
  /** Its release. */
  readonly version: string;
  readonly progress: Progress;
}

/** An installer has failed. The machine goes on with its running system. */
class InstallerError extends Error {
  override readonly name = "InstallerError";
}

/** What Talos answers while another installer runs on the machine. */
const RUNS_ALREADY = "already in progress";

/** Lines of an installer that an error quotes. */
const QUOTED_LINES = 3;

/**
 * What the exit codes of an installer mean. Source: talos v1.14.1, `pkg/machinery/constants` and
 * `pkg/installer/exitcode`.
 */
const EXIT_CODES: ReadonlyMap<number, string> = new Map([
  [1, "it names no reason: installers before Talos 1.14 don't"],
  [2, "it refuses what it was given, such as the machine's configuration"],
  [3, "it does not support what was asked"],
  [4, "the machine does not allow it, for example because its running Talos is too old or too new"],
  [5, "something else that it needs failed, such as a tool or a pull"],
  [6, "it could not read or write a file"],
  [7, "it failed while it wrote the new system"],
]);

/**
 * Pulls an installer onto a machine.
 *
 * @returns false, without a change, if its Talos pulls and installs in one call: before v1.13
 * @throws TalosApiError if the machine refuses or can't pull it
 */
export async function pullInstaller(
  client: TalosClient,
  { node, image, progress }: Installation,
  call: CallOptions,
): Promise<boolean> {
  const meter = new PullMeter((share) =>
    progress.report(`machine ${node}: pulls ${image}: ${share}`),
  );
  try {
    await client.pullInstaller(image, (layer) => meter.see(layer), call);
    return true;
  } catch (error) {
    if (error instanceof TalosApiError && error.code === "unimplemented") {
      return false;
    }
    throw error;
  }
}

/**
 * Runs an installer that was pulled, for the machine's next boot. Nothing restarts.
 *
 * @returns the problem to wait for, if another installer runs; undefined when it is installed
 * @throws InstallerError if it fails, with what its exit code means and what it wrote last
 * @throws TalosApiError if the machine refuses
 */
export async function installTalos(
  client: TalosClient,
  { node, image, version, progress }: Installation,
  call: CallOptions,
): Promise<string | undefined> {
  const lines: string[] = [];
  let exitCode: number;
  try {
    exitCode = await client.runInstaller(
      image,
      (written) => {
        const line = withoutTime(written);
        lines.push(line);
        progress.report(`machine ${node}: ${line}`);
      },
      call,
    );
  } catch (error) {
    if (
      error instanceof TalosApiError &&
      error.code === "failedPrecondition" &&
      error.message.includes(RUNS_ALREADY)
    ) {
      return "another installer runs on it";
    }
    throw error;
  }
  if (exitCode === 0) {
    return undefined;
  }
  const meaning = EXIT_CODES.get(exitCode) ?? "an unknown reason";
  const last = lines.slice(-QUOTED_LINES).join("; ");
  const wrote = last === "" ? "It wrote nothing" : `The last that it wrote: ${last}`;
  throw new InstallerError(
    `machine ${node}: the installer of Talos ${version} ended with exit code ${exitCode}: ${meaning}. ${wrote}. The machine was not restarted, and goes on with the Talos that it runs: correct the cause, and run the command again`,
  );
}

/** A line of Go's logger without its time: `2026/11/26 18:30:01 running Talos installer v1.14.1`. */
function withoutTime(line: string): string {
  return line.trim().replace(/^\d{4}\/\d{2}\/\d{2} \d{2}:\d{2}:\d{2} /, "");
}
