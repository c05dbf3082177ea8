import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import {
  type Deployment,
  type EngineEvent,
  LocalWorkspace,
  type PulumiCommand,
} from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { startEmulator } from "../../emulator";
import { findRecorded } from "../../environments/findRecorded";
import { programWith } from "../../environments/program";
import type { Settings } from "../../environments/settings";
import { OfflineStateError, readState } from "./readState";

/** The project of the environments, which stands in every resource's URN. */
const PROJECT = "talos-aws";

/** What a preview without an account is made from. */
export interface OfflinePreviewOptions {
  /** The environment's stack, for example `staging`. */
  readonly stack: string;
  /** The text of its settings file. */
  readonly settings: string;
  /**
   * What `pulumi stack export` wrote. Its secrets have to be readable here: encrypted with
   * `passphrase`, or in clear (`--show-secrets`).
   */
  readonly state: Deployment;
  /** Of the stack's secrets. Default: none, for a state with its secrets in clear. */
  readonly passphrase?: string;
  readonly engine: PulumiCommand;
  /** A folder from which the package can be loaded; a folder inside it is made, and removed. */
  readonly folder: string;
  /** Folders with plugins besides the AWS one, searched before PATH. Default: none. */
  readonly pluginDirs?: readonly string[];
  readonly onOutput?: (text: string) => void;
}

/**
 * Previews a change of an environment against its recorded state, on an emulated account that is
 * empty: nothing is asked of AWS or of machines, and no credentials are needed. What only AWS could
 * say, it says of what is recorded alone.
 *
 * @returns the engine's events
 * @throws OfflineStateError when the state's secrets can't be read here
 */
export async function previewOffline(options: OfflinePreviewOptions): Promise<EngineEvent[]> {
  const { stack: stackName, engine, passphrase = randomBytes(16).toString("hex") } = options;
  const { resources, isClear } = readState(options.state, options.passphrase !== undefined);
  await mkdir(options.folder, { recursive: true });
  const folder = await mkdtemp(join(options.folder, "offline-"));
  const emulator = await startEmulator();
  try {
    const settings = join(folder, `Pulumi.${stackName}.yaml`);
    await writeFile(join(folder, "Pulumi.yaml"), stringify({ name: PROJECT, runtime: "nodejs" }));
    await writeFile(settings, isClear ? withoutEncryption(options.settings) : options.settings);
    await mkdir(join(folder, "backend"));
    const find = ({ cluster, name }: Settings) =>
      Promise.resolve(findRecorded(cluster, name, resources));
    const stack = await LocalWorkspace.createOrSelectStack(
      { stackName, projectName: PROJECT, program: () => programWith(find) },
      {
        workDir: folder,
        pulumiCommand: engine,
        envVars: {
          ...emulator.environment,
          PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
          PULUMI_CONFIG_PASSPHRASE: passphrase,
          PULUMI_SKIP_UPDATE_CHECK: "true",
          PATH: [emulator.pluginDir, ...(options.pluginDirs ?? []), process.env.PATH ?? ""].join(
            delimiter,
          ),
        },
      },
    );
    await stack.importStack(
      isClear ? encryptedLike(await readFile(settings, "utf8"), options.state) : options.state,
    );
    const events: EngineEvent[] = [];
    await stack.preview({
      onEvent: (event) => events.push(event),
      ...(options.onOutput && { onOutput: options.onOutput }),
    });
    return events;
  } finally {
    await emulator.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** Settings without what says how secrets are encrypted, which is done anew. */
function withoutEncryption(settings: string): string {
  const given = parse(settings) as Record<string, unknown>;
  if (/^\s*(- )?secure:/m.test(settings)) {
    throw new OfflineStateError(
      "settings are encrypted beside a state in clear: set PULUMI_CONFIG_PASSPHRASE, and export the state without --show-secrets",
    );
  }
  const { encryptionsalt, encryptedkey, secretsprovider, ...rest } = given;
  return stringify(rest);
}

/** A state in clear as one that is encrypted like a stack's settings are. */
function encryptedLike(settings: string, state: Deployment): Deployment {
  const { encryptionsalt: salt } = parse(settings) as { encryptionsalt?: string };
  const deployment = state.deployment as Record<string, unknown>;
  const secrets_providers = { type: "passphrase", state: { salt } };
  return { ...state, deployment: { ...deployment, secrets_providers } };
}
