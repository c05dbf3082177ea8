import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import type { Deployment } from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { CommandFailure } from "../commandFailure";
import { engineFailure } from "../engine/engineFailure";
import { findEngine } from "../engine/findEngine";
import { findProject } from "../engine/findProject";
import { previewStack, type StackPreview } from "../engine/previewStack";
import { withInterrupt } from "../engine/withInterrupt";
import { type StackChoice, withStack } from "../engine/withStack";
import { packageFolder } from "../packageFolder";
import { notes } from "../standardStreams";
import { loadEmulator } from "./loadEmulator";
import { OfflineStateError } from "./offlineStateError";

/** What a preview of an environment without an account is told. */
export interface OfflinePreviewOptions extends StackChoice {
  /** A file that `pulumi stack export` wrote. Default: the state is read from the backend. */
  readonly stateFile?: string;
  /** How the engine tells what it does. */
  readonly telling: Omit<Parameters<typeof previewStack>[1], "signal" | "refresh">;
}

/** The engine says that of a plugin that isn't installed, as the emulated account's never is. */
const OF_EMULATED_ACCOUNT = "using pulumi-resource-aws from $PATH";

/** What a stack is, and how it is recorded. */
interface Recording {
  readonly settings: string;
  readonly state: Deployment;
  readonly passphrase?: string;
}

/**
 * Previews an environment against its recorded state, with no account: on an emulated one.
 *
 * @throws CommandFailure when the project isn't that of the environments, when its state or settings
 *   can't be read, when the emulator isn't installed, or with the errors of the program and the engine
 */
export async function previewOffline(options: OfflinePreviewOptions): Promise<StackPreview> {
  const { stack, cwd, stateFile, telling } = options;
  const folder = findProject(cwd);
  const project = await readProject(folder);
  const { ensureMoto } = await loadEmulator();
  const settingsFile = join(folder, `Pulumi.${stack}.yaml`);
  if (!existsSync(settingsFile)) {
    throw new CommandFailure(`the stack "${stack}" has no settings: there is no "${settingsFile}"`);
  }
  const recording =
    stateFile === undefined
      ? await fromBackend({ stack, cwd })
      : { settings: await readFile(settingsFile, "utf8"), ...(await fromFile(stateFile)) };
  notes.line("Starting an emulated account …");
  await ensureMoto({ onLog: notes.line });
  const engine = await findEngine();
  // Only now, as an installed package has no environments to load.
  const { withOfflineStack } = await import("./withOfflineStack.js");
  return withInterrupt(async (signal) => {
    try {
      const { summary, warnings } = await withOfflineStack(
        { ...recording, project, stack, engine, folder: join(packageFolder(), ".cache/offline") },
        (copy) => {
          notes.line(`Previewing ${stack} on it …`);
          return previewStack(copy, { ...telling, signal });
        },
      );
      return {
        summary,
        warnings: warnings.filter((each) => !each.startsWith(OF_EMULATED_ACCOUNT)),
      };
    } catch (error) {
      throw engineFailure(error);
    }
  });
}

/** The name of the project in a folder, whose program has to be that of the environments. */
async function readProject(folder: string): Promise<string> {
  const file = join(folder, "Pulumi.yaml");
  const text = await readFile(file, "utf8").catch(() => "{}");
  const { name = "", main = "." } = (parse(text) ?? {}) as { name?: string; main?: string };
  const program = join(packageFolder(), "dist/environments/index.js");
  if (!existsSync(program) || resolve(folder, main) !== program) {
    throw new CommandFailure(
      `only the environments of a checkout of pulumi-talos-aws can be previewed without an account, and the program of "${folder}" is another: what that asks AWS for isn't known`,
    );
  }
  return name;
}

/** With the secrets of both in clear, whoever has encrypted them. */
async function fromBackend(choice: StackChoice): Promise<Recording> {
  notes.line(`Reading the recorded state of ${choice.stack} …`);
  return withStack(choice, async (stack) => {
    const state = await stack.exportStack();
    const config = Object.entries(await stack.getAllConfig());
    const values = Object.fromEntries(config.map(([key, { value }]) => [key, value]));
    return { state, settings: stringify({ config: values }) };
  });
}

async function fromFile(file: string): Promise<Omit<Recording, "settings">> {
  notes.line(`Reading the state in ${file} …`);
  const passphrase = await readPassphrase();
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new OfflineStateError(String(error instanceof Error ? error.message : error));
  });
  let state: Deployment;
  try {
    state = JSON.parse(text) as Deployment;
  } catch {
    throw new OfflineStateError(
      `"${file}" is no JSON: take what "pulumi stack export --file <file>" writes`,
    );
  }
  return { state, ...(passphrase !== undefined && { passphrase }) };
}

/** As the engine does: from one variable, or the file that the other names. */
async function readPassphrase(): Promise<string | undefined> {
  const { PULUMI_CONFIG_PASSPHRASE: given, PULUMI_CONFIG_PASSPHRASE_FILE: file } = process.env;
  if (given !== undefined || file === undefined || file === "") {
    return given;
  }
  return (await readFile(file, "utf8")).trim();
}
