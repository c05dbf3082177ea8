import { execFile } from "node:child_process";
import { mkdirSync } from "node:fs";
import { delimiter, join } from "node:path";
import type { Emulator } from "../../../emulator";
import { quickNodeOptions } from "../../../scripts/openStack";
import { type AttachedPlugins, STATE_WRITTEN_ONCE } from "./attachPlugins";
import { engineFromEnvironment } from "./engineFromEnvironment";
import { judgingPlugin } from "./judgingPlugin";
import { type LanguageHost, nodeHostFolder } from "./languageHost";

/** Where the CLI runs, and on what. */
export interface OrdinaryPulumiOptions {
  /** Folder with `Pulumi.yaml`. */
  readonly folder: string;
  /** Folder with `node_modules` of the project. Default: this checkout. */
  readonly installed?: string;
  /** Folder for the state, made when it isn't there. */
  readonly stateDir: string;
  /** Where the state is. Default: in `stateDir`. */
  readonly backendUrl?: string;
  readonly emulator: Pick<Emulator, "environment" | "pluginDir">;
  readonly host: LanguageHost;
  /** Plugins that run already. Default: the engine starts all of them, each time. */
  readonly attached?: AttachedPlugins;
}

/** What the CLI ended with, and all it printed. */
export interface PulumiResult {
  readonly code: number;
  readonly output: string;
}

/** Runs the CLI as a person would, with programs run as Pulumi runs them. */
export async function ordinaryPulumi(
  options: OrdinaryPulumiOptions,
  ...args: readonly string[]
): Promise<PulumiResult> {
  const { command } = await engineFromEnvironment();
  const env = await ordinaryEnvironment(options);
  return new Promise((resolve) => {
    const settings = { cwd: options.folder, env, maxBuffer: 64 * 1024 * 1024 };
    const child = execFile(
      command,
      [...args, "--color", "never"],
      settings,
      (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? 1, output: stdout + stderr });
      },
    );
  });
}

/** The environment in which the CLI and scripts that call it find the engine, plugins and the cloud. */
export async function ordinaryEnvironment({
  installed = join(__dirname, "../../.."),
  stateDir,
  backendUrl = `file://${stateDir}`,
  emulator,
  host,
  attached,
}: OrdinaryPulumiOptions): Promise<NodeJS.ProcessEnv> {
  const { command } = await engineFromEnvironment();
  mkdirSync(stateDir, { recursive: true });
  const sdk = join(installed, "node_modules/@pulumi/pulumi");
  const folders = [nodeHostFolder(host), ...(await judgingPlugin()).pluginDirs, sdk];
  return {
    ...process.env,
    ...emulator.environment,
    PULUMI_BACKEND_URL: backendUrl,
    PULUMI_CONFIG_PASSPHRASE: "of a test",
    PULUMI_SKIP_UPDATE_CHECK: "true",
    ...STATE_WRITTEN_ONCE,
    ...attached?.environment,
    NODE_OPTIONS: quickNodeOptions(),
    PATH: [...folders, join(command, ".."), process.env.PATH ?? ""].join(delimiter),
  };
}
