import { randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import {
  type Deployment,
  LocalWorkspace,
  type PulumiCommand,
  type Stack,
} from "@pulumi/pulumi/automation";
import { parse, stringify } from "yaml";
import { answeringFrom } from "../../components/account";
import { program } from "../../environments/program";
import { packageFolder } from "../../provider/base";
import { importState } from "../engine/stateOfStack";
import { answersOfState } from "./answersOfState";
import { loadEmulator } from "./loadEmulator";
import { offlineSettings } from "./offlineSettings";
import { readState } from "./readState";

/** The input of a preview without an account. */
export interface OfflineStackOptions {
  /** The project's name, which is part of every resource's URN. Default: `talos-aws`. */
  readonly project?: string;
  /** The environment's stack, for example `staging`. */
  readonly stack: string;
  /** The text of the stack's settings file. */
  readonly settings: string;
  /**
   * The output of `pulumi stack export`. Its secrets must be readable here: encrypted with
   * `passphrase`, or in clear (`--show-secrets`).
   */
  readonly state: Deployment;
  /**
   * The passphrase of the stack's secrets. Default: none, for a state with its secrets in clear.
   */
  readonly passphrase?: string;
  readonly engine: PulumiCommand;
  /**
   * A folder from which the package can be loaded. A folder inside it is created, and removed
   * later.
   */
  readonly folder: string;
  /** Folders with plugins besides the AWS one, searched before PATH. Default: none. */
  readonly pluginDirs?: readonly string[];
}

/**
 * Runs work with a copy of an environment's stack, in its recorded state, on an empty emulated
 * account. It is for previews: it contacts neither AWS nor machines and needs no credentials. The
 * account answers only with recorded values.
 *
 * @throws OfflineStateError if the state's secrets can't be decrypted here
 * @throws CommandFailure if the emulator isn't installed
 */
export async function withOfflineStack<Value>(
  options: OfflineStackOptions,
  work: (stack: Stack) => Promise<Value>,
): Promise<Value> {
  const { project = "talos-aws", stack: stackName, engine, passphrase } = options;
  const { resources, isClear } = readState(options.state, {
    project,
    stack: stackName,
    hasPassphrase: passphrase !== undefined,
  });
  const settings = offlineSettings(options.settings, {
    hasPassphrase: passphrase !== undefined,
    isStateClear: isClear,
  });
  const { startEmulator } = await loadEmulator();
  await mkdir(options.folder, { recursive: true });
  const folder = await mkdtemp(join(options.folder, "offline-"));
  // The copy of the stack needs the account only when it is previewed.
  const starting = startEmulator();
  try {
    const settingsFile = join(folder, `Pulumi.${stackName}.yaml`);
    await writeFile(join(folder, "Pulumi.yaml"), stringify({ name: project, runtime: "nodejs" }));
    await writeFile(settingsFile, settings);
    await mkdir(join(folder, "backend"));
    const answers = answersOfState(resources);
    const stack = await LocalWorkspace.createStack(
      { stackName, projectName: project, program: () => answeringFrom(answers, program) },
      {
        workDir: folder,
        pulumiCommand: engine,
        envVars: {
          PULUMI_BACKEND_URL: `file://${join(folder, "backend")}`,
          PULUMI_CONFIG_PASSPHRASE: passphrase ?? randomBytes(16).toString("hex"),
          PULUMI_SKIP_UPDATE_CHECK: "true",
        },
      },
    );
    if (resources.length > 0) {
      await importState(
        stack,
        isClear
          ? encryptedLike(await readFile(settingsFile, "utf8"), options.state)
          : options.state,
      );
    }
    const { environment, pluginDir } = await starting;
    Object.assign(stack.workspace.envVars, environment, {
      PATH: [
        pluginDir,
        join(packageFolder(), "plugin"),
        ...(options.pluginDirs ?? []),
        process.env.PATH ?? "",
      ].join(delimiter),
    });
    return await work(stack);
  } finally {
    const emulator = await starting.catch(() => undefined);
    await emulator?.stop();
    await rm(folder, { recursive: true, force: true });
  }
}

/** A state in clear as one that is encrypted like the stack's settings. */
function encryptedLike(settings: string, state: Deployment): Deployment {
  const { encryptionsalt: salt } = parse(settings) as { encryptionsalt?: string };
  const deployment = state.deployment as Record<string, unknown>;
  const secrets_providers = { type: "passphrase", state: { salt } };
  return { ...state, deployment: { ...deployment, secrets_providers } };
}
