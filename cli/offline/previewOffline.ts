import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Deployment } from "@pulumi/pulumi/automation";
import { stringify } from "yaml";
import { messageOfError, packageFolder } from "../../provider/base";
import { engineFailure } from "../engine/engineFailure";
import { findEngine, findProject } from "../engine/openStack";
import { previewStack, type StackPreview } from "../engine/previewStack";
import { type StackChoice, withInterrupt, withStack } from "../engine/withStack";
import { notes } from "../standardStreams";
import { loadEmulator } from "./loadEmulator";
import { readProject, readSettingsFile } from "./readProject";
import { OfflineStateError } from "./readState";

/** Options of a preview without an account. */
export interface OfflinePreviewOptions extends StackChoice {
  /** A file from `pulumi stack export`. Default: the backend's state. */
  readonly stateFile?: string;
  /** How the progress of the engine is reported. */
  readonly telling: Omit<Parameters<typeof previewStack>[1], "signal" | "refresh">;
}

/** The settings and the recorded state of a stack. */
interface Recording {
  readonly settings: string;
  readonly state: Deployment;
  readonly passphrase?: string;
}

/**
 * Previews an environment against its recorded state, without an account: on an emulated one.
 *
 * @throws CommandFailure if the project isn't that of the environments, its state or settings can't
 *   be read, or the emulator isn't installed, or with the errors of the program and the engine
 */
export async function previewOffline(options: OfflinePreviewOptions): Promise<StackPreview> {
  const { stack, cwd, stateFile, telling } = options;
  const folder = findProject(cwd);
  const project = await readProject(folder);
  const { ensureMoto } = await loadEmulator();
  const settings = await readSettingsFile(folder, stack);
  const recording =
    stateFile === undefined
      ? await fromBackend({ stack, cwd })
      : { settings, ...(await fromFile(stateFile)) };
  notes.line("Starting an emulated account …");
  await ensureMoto({ onLog: notes.line });
  const engine = await findEngine();
  // Loaded late, because an installed package contains no environments.
  const { withOfflineStack } = await import("./withOfflineStack.js");
  return withInterrupt(async (signal) => {
    try {
      return await withOfflineStack(
        { ...recording, project, stack, engine, folder: join(packageFolder(), ".cache/offline") },
        (copy) => {
          notes.line(`Previewing ${stack} on it …`);
          return previewStack(copy, { ...telling, signal });
        },
      );
    } catch (error) {
      throw engineFailure(error);
    }
  });
}

/** With the secrets of both in clear, whatever the secrets provider. */
async function fromBackend(choice: StackChoice): Promise<Recording> {
  notes.line(`Reading the recorded state of ${choice.stack} …`);
  return withStack(choice, async (stack) => {
    const [state, config] = await Promise.all([stack.exportStack(), stack.getAllConfig()]);
    const values = Object.fromEntries(
      Object.entries(config).map(([key, { value }]) => [key, value]),
    );
    return { state, settings: stringify({ config: values }) };
  });
}

async function fromFile(file: string): Promise<Omit<Recording, "settings">> {
  notes.line(`Reading the state in ${file} …`);
  const passphrase = await readPassphrase();
  const text = await readFile(file, "utf8").catch((error: unknown) => {
    throw new OfflineStateError(messageOfError(error));
  });
  let state: Deployment;
  try {
    state = JSON.parse(text) as Deployment;
  } catch {
    throw new OfflineStateError(
      `"${file}" is not JSON: use the output of "pulumi stack export --file <file>"`,
    );
  }
  return { state, ...(passphrase !== undefined && { passphrase }) };
}

/** As in the engine: from one variable, or from the file that another one names. */
async function readPassphrase(): Promise<string | undefined> {
  const { PULUMI_CONFIG_PASSPHRASE: given, PULUMI_CONFIG_PASSPHRASE_FILE: file } = process.env;
  if (given !== undefined || file === undefined || file === "") {
    return given;
  }
  return (await readFile(file, "utf8")).trim();
}
