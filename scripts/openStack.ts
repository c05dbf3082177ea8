import { randomBytes } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { delimiter, join } from "node:path";
import {
  LocalWorkspace,
  type PulumiCommand,
  type PulumiFn,
  Stack,
} from "@pulumi/pulumi/automation";
import * as settings from "@pulumi/pulumi/runtime/settings";
import { parse, stringify } from "yaml";
import { paths } from "./paths";

export interface StackOptions {
  /** Name of the stack: one of those in `environments/`. */
  readonly stack: string;
  readonly program: PulumiFn;
  readonly engine: PulumiCommand;
  /** Folder for the state backend, the passphrase and the project; made when it isn't there. */
  readonly stateDir: string;
  /** What the cloud needs in the environment: endpoint, credentials, region. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folders with plugins, searched before PATH. Default: none. */
  readonly pluginDirs?: readonly string[];
  /** The text of the stack's settings file. Default: that in `environments/`. */
  readonly settings?: string;
  /** Settings that replace those of the file, with their prefix. Default: none. */
  readonly changes?: Readonly<Record<string, unknown>>;
  /** What a new stack's secrets are encrypted with, such as `awskms://…`. Default: a passphrase. */
  readonly secretsProvider?: string;
}

/**
 * Opens a stack of `environments/` on a state backend in a folder of its own, with the program run
 * by this process: the engine is the real one, and needs no language host and no account.
 *
 * The project is a copy inside `stateDir`, which must be in the checkout: the engine writes into
 * stack settings, and its plugin for dynamic resources finds the package from there.
 */
export async function openStack(options: StackOptions): Promise<Stack> {
  const { stack, stateDir } = options;
  ownConnections();
  const backend = join(stateDir, "backend");
  const project = join(stateDir, "project");
  await mkdir(backend, { recursive: true, mode: 0o700 });
  await mkdir(project, { recursive: true, mode: 0o700 });

  await copyProject(project);
  await copySettings(join(project, `Pulumi.${stack}.yaml`), options);

  const workspace = await LocalWorkspace.create({
    workDir: project,
    pulumiCommand: options.engine,
    program: options.program,
    ...(options.secretsProvider !== undefined && { secretsProvider: options.secretsProvider }),
    envVars: {
      ...options.environment,
      PULUMI_BACKEND_URL: fileBackendUrl(backend),
      PULUMI_CONFIG_PASSPHRASE: await passphrase(stateDir),
      PULUMI_SKIP_UPDATE_CHECK: "true",
      NODE_OPTIONS: quickNodeOptions(options.environment.NODE_OPTIONS),
      PATH: [
        ...(options.pluginDirs ?? []),
        paths.pulumiSdk,
        paths.plugin,
        process.env.PATH ?? "",
      ].join(delimiter),
    },
  });
  if (existsSync(join(backend, `.pulumi/stacks/talos-aws/${stack}.json`))) {
    // Each operation names the stack. To select it would only start the engine once more.
    workspace.selectStack = () => Promise.resolve();
  }
  return Stack.createOrSelect(stack, workspace);
}

/**
 * The URL of a state backend in a folder, for one that survives the end of its engine at any moment.
 * The engine replaces the state itself in one step, but not the file of metadata beside it, and a
 * cut-off one makes the stack unreadable: "failed to load checkpoint: EOF" (gocloud.dev, blob/fileblob).
 */
export function fileBackendUrl(folder: string): string {
  return `file://${folder}?metadata=skip`;
}

/** Megabytes. Most of the processes live for a second or two, half of which is loading and collecting. */
const SEMI_SPACE_MB = 32;

/**
 * Options of Node.js with which the engine's plugins start in half the time. `scripts/run.mjs` has the same.
 *
 * @param options that they have besides. Default: those of this process
 */
export function quickNodeOptions(options = process.env.NODE_OPTIONS ?? ""): string {
  const preload = join(paths.root, "scripts/quickStart.cjs");
  return `${options} --max-semi-space-size=${SEMI_SPACE_MB} --require=${JSON.stringify(preload)}`.trim();
}

async function copyProject(folder: string): Promise<void> {
  const text = await readFile(join(paths.environments, "Pulumi.yaml"), "utf8");
  const project = parse(text) as Record<string, unknown>;
  // The program is run by this process, from wherever it was compiled to.
  delete project.main;
  await writeFile(join(folder, "Pulumi.yaml"), stringify(project));
}

/** What a stack's secrets are encrypted with, in its settings. */
const SECRETS_SETTINGS = ["encryptionsalt", "encryptedkey", "secretsprovider"];

/** Brings the settings up to date, but keeps what the stack's secrets are encrypted with. */
async function copySettings(target: string, { stack, settings: given, changes }: StackOptions) {
  const source = join(paths.environments, `Pulumi.${stack}.yaml`);
  const settings = readYaml(source, given ?? (await readFile(source, "utf8")));
  const config = { ...(settings.config as object | undefined), ...changes };
  const before = await readFile(target, "utf8").catch(() => "{}");
  const kept = Object.entries((parse(before) ?? {}) as Record<string, unknown>).filter(([name]) =>
    SECRETS_SETTINGS.includes(name),
  );
  await writeFile(target, stringify({ ...settings, config, ...Object.fromEntries(kept) }));
}

function readYaml(file: string, text: string): Record<string, unknown> {
  try {
    return (parse(text) ?? {}) as Record<string, unknown>;
  } catch (error) {
    const reason = error instanceof Error ? error.message.trimEnd() : String(error);
    throw new Error(`"${file}" is not valid YAML: ${reason}`, { cause: error });
  }
}

async function passphrase(stateDir: string): Promise<string> {
  const file = join(stateDir, "passphrase");
  const known = await readFile(file, "utf8").catch(() => undefined);
  if (known !== undefined) {
    return known;
  }
  const made = randomBytes(24).toString("base64url");
  await writeFile(file, made, { mode: 0o600 });
  return made;
}

/**
 * Gives each client of Pulumi's SDK in this process connections of its own. By default gRPC shares
 * them by address, also with clients of engines that have ended: an engine on a port that was
 * another's before would be called unavailable for minutes, and the SDK takes a program that ends
 * with that for one that has no resources: a preview says nothing, an update deletes everything.
 *
 * Only for programs that several engines run in one process, one after another. `pulumi up` has a
 * process each.
 *
 * Source: `runtime/settings.ts` and `automation/server.ts` of @pulumi/pulumi 3.230, `subchannel-pool.ts`
 * of @grpc/grpc-js 1.14.
 *
 * @throws Error when the SDK keeps its options elsewhere
 */
export function ownConnections(): void {
  const options: unknown = Reflect.get(settings, "grpcClientOptions");
  if (typeof options !== "object" || options === null) {
    throw new Error("@pulumi/pulumi has no grpcClientOptions in runtime/settings any more");
  }
  Reflect.set(options, "grpc.use_local_subchannel_pool", 1);
}
