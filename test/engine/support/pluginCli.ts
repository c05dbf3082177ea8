import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../../emulator";
import { STATE_WRITTEN_ONCE } from "./attachPlugins";
import { engineFromEnvironment } from "./engineFromEnvironment";
import { judgingPlugin } from "./judgingPlugin";
import type { PulumiResult } from "./ordinaryPulumi";

/** Where the CLI runs a program of any language, and on what. */
export interface PluginCliOptions {
  /** Folder with the program. */
  readonly folder: string;
  /** Folders with plugins and language hosts, searched before PATH. */
  readonly pluginDirs: readonly string[];
  readonly emulator: Pick<Emulator, "environment">;
  /** More variables. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
}

/** The environment in which the CLI finds plugins, the cloud, and its state in the folder. */
export async function pluginEnvironment(options: PluginCliOptions): Promise<NodeJS.ProcessEnv> {
  const { folder, pluginDirs, emulator, environment } = options;
  const { command } = await engineFromEnvironment();
  const state = join(folder, "state");
  mkdirSync(state, { recursive: true });
  return {
    ...process.env,
    ...emulator.environment,
    PULUMI_BACKEND_URL: `file://${state}`,
    PULUMI_HOME: join(folder, "home"),
    PULUMI_CONFIG_PASSPHRASE: "of a test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    PULUMI_DISABLE_AUTOMATIC_PLUGIN_ACQUISITION: "true",
    ...STATE_WRITTEN_ONCE,
    ...environment,
    PATH: [
      ...pluginDirs,
      ...(await judgingPlugin()).pluginDirs,
      join(command, ".."),
      process.env.PATH ?? "",
    ].join(delimiter),
  };
}

/** Runs the CLI in the program's folder, as a person would. */
export function pluginCli(
  options: PluginCliOptions,
  ...args: readonly string[]
): Promise<PulumiResult> {
  return interruptedCli(options, undefined, ...args);
}

/** The same, until its output matches. Then it is interrupted once, as by Ctrl-C. */
export async function interruptedCli(
  options: PluginCliOptions,
  at: RegExp | undefined,
  ...args: readonly string[]
): Promise<PulumiResult> {
  const { command } = await engineFromEnvironment();
  const env = await pluginEnvironment(options);
  return new Promise((resolve) => {
    const settings = { cwd: options.folder, env, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(
      command,
      [...args, "--color", "never", "--non-interactive"],
      settings,
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? 1, output: stdout + stderr });
      },
    );
    let shown = "";
    child.stdout?.on("data", (text: string) => {
      shown += text;
      if (at?.test(shown) === true && !child.killed) {
        child.kill("SIGINT");
      }
    });
  });
}
