import { talosMinor } from "../../../provider/config";
import { ConfigRefusal, type LoadedConfig, validateConfig } from "../config/loadConfig";
import { logStamp } from "../runtime/logBook";
import type { InstalledSystem } from "./installerImage";

/** The end of an installer's program. */
export interface InstallerRun {
  /** What it writes, each line with its end. */
  readonly output: readonly string[];
  /** 0 if it has installed its system. */
  readonly exitCode: number;
}

/** What an installer finds. */
export interface InstallerHost {
  /** The release that runs. */
  readonly talosVersion: string;
  readonly config: LoadedConfig;
  /** The exit code of an installer that can't write to the disk; 0 if it can. */
  readonly failure: number;
}

/** Exit codes. Source: talos v1.14.1, `pkg/machinery/constants`. */
const EXIT = { input: 2, environment: 4 } as const;

/** The first release whose installer has other exit codes than 1. Source: `pkg/installer/exitcode`. */
const FIRST_WITH_CODES = 14;

/**
 * The oldest minor that can be upgraded to a minor, and the first that is too new to go back to it.
 * Source: `pkg/machinery/compatibility/talos1NN`, v1.10.6 to v1.14.1.
 */
const HOSTS: ReadonlyMap<number, readonly [oldest: number, tooNew: number]> = new Map([
  [10, [8, 12]],
  [11, [9, 13]],
  [12, [10, 14]],
  [13, [11, 15]],
  [14, [12, 16]],
]);

/**
 * Runs the installer of a system, as far as it doesn't write. It validates the configuration by the
 * rules of its own release, and compares the releases. It knows nothing of Kubernetes. Source:
 * talos v1.14.1, `cmd/installer`.
 */
export function runInstaller(system: InstalledSystem, host: InstallerHost): InstallerRun {
  const lines = [`running Talos installer ${system.version}`];
  const failed = (code: number, error: string): InstallerRun => {
    const knowsCodes = (talosMinor(system.version) ?? 0) >= FIRST_WITH_CODES;
    return { output: [...lines.map(stamped), `${error}\n`], exitCode: knowsCodes ? code : 1 };
  };
  try {
    validateConfig(host.config, system.version);
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) {
      throw error;
    }
    return failed(EXIT.input, `machine configuration is invalid: ${error.message}`);
  }
  lines.push("running pre-flight checks", `host Talos version: ${host.talosVersion}`);
  const problem = preflightProblem(host.talosVersion, system.version);
  if (problem !== undefined) {
    return failed(EXIT.environment, `pre-flight checks failed: ${problem}`);
  }
  lines.push("all pre-flight checks successful");
  if (host.failure !== 0) {
    return failed(
      host.failure,
      "failed to install bootloader: write /boot/B/vmlinuz: input/output error",
    );
  }
  lines.push("writing /boot/grub/grub.cfg to disk", `installation of ${system.version} complete`);
  return { output: lines.map(stamped), exitCode: 0 };
}

/** Why a release can't follow the one that runs. */
function preflightProblem(running: string, next: string): string | undefined {
  const [host = 0, minor = 0] = [talosMinor(running), talosMinor(next)];
  const [from, to] = [running, next].map((version) => version.replace(/^v/, ""));
  const hosts = HOSTS.get(minor);
  if (hosts === undefined) {
    return `upgrades to version ${to} are not supported`;
  }
  const [oldest, tooNew] = hosts;
  if (host < oldest) {
    return `host version ${from} is too old to upgrade to Talos ${to}`;
  }
  return host >= tooNew ? `host version ${from} is too new to downgrade to Talos ${to}` : undefined;
}

function stamped(line: string): string {
  return `${logStamp(new Date()).split(".")[0]} ${line}\n`;
}
