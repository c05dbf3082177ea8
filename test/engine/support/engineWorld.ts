import { mkdir, mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import type { EngineEvent, PulumiFn, Stack } from "@pulumi/pulumi/automation";
import { type Emulator, startEmulator } from "../../../emulator";
import { program } from "../../../environments/program";
import { openStack } from "../../../scripts/openStack";
import { assertAllowed } from "./assertAllowed";
import { attachPlugins } from "./attachPlugins";
import { engineFromEnvironment } from "./engineFromEnvironment";
import { judgingPlugin } from "./judgingPlugin";
import { readLater } from "./readLater";
import { makeSecretsKey } from "./secretsKey";

const root = join(__dirname, "../../..");

/** An emulated cloud, and a stack on it, run by the real engine. */
export interface EngineWorld {
  readonly emulator: Emulator;
  readonly stack: Stack;
  /**
   * The same stack for an engine that is killed: it starts its plugins anew and writes its state at
   * each step, as on any machine.
   */
  readonly ordinaryStack: () => Promise<Stack>;
  /** What leads the engine to the cloud, and to plugins that run already. */
  readonly environment: Readonly<Record<string, string>>;
  /** Folder of the state backend and the project. */
  readonly stateDir: string;
  /** All that the engine has printed, and its events, so far. */
  readonly transcript: () => string;
  /** For `onOutput` and `onEvent`. */
  readonly record: {
    readonly onOutput: (text: string) => void;
    readonly onEvent: (event: EngineEvent) => void;
  };
  /** Opens the stack anew with other settings (the text of the stack's file). */
  readonly withSettings: (settings: string) => Promise<Stack>;
  readonly close: () => Promise<void>;
}

/** What runs in a world. */
export interface EngineWorldOptions {
  /** Default: `local`. */
  readonly stack?: string;
  /** Default: that of `environments/`. */
  readonly program?: PulumiFn;
  /** The text of the stack's settings file. Default: that in `environments/`. */
  readonly settings?: string;
  /** Whether what the engine runs looks names up in the cloud's DNS. Default: false. */
  readonly usesCloudNames?: boolean;
  /** A program that runs the cloud's machines, as in `EmulatorOptions`. Default: they are simulated. */
  readonly machines?: readonly string[];
  /** More variables for the engine and its plugins. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /**
   * Whether the engine starts its plugins anew with each run and writes its state at each step, as on
   * any machine, instead of attaching to plugins that run already and writing it once. What runs
   * several engines at once needs that. One that is only killed at times takes `ordinaryStack` then.
   * Default: false.
   */
  readonly ordinaryEngine?: boolean;
  /** What the stack's secrets are encrypted with. Default: a key in the emulated account. */
  readonly secrets?: "key" | "passphrase";
  /** Prepares the cloud. Default: it is empty. */
  readonly prepare?: (emulator: Emulator) => Promise<void>;
}

/** Starts one. `close` it, also after a failure: it ends the emulator and removes the state. */
export async function startEngineWorld(options: EngineWorldOptions = {}): Promise<EngineWorld> {
  const parent = join(root, ".cache/test");
  await mkdir(parent, { recursive: true });
  const stateDir = await mkdtemp(join(parent, "world-"));
  const emulator = await startEmulator({
    timings: { bootMs: 200, rebootMs: 200, shutdownMs: 200, joinMs: 200, timeSyncMs: 200 },
    ...(options.machines !== undefined && { machines: options.machines }),
  });
  const parts: string[] = [];
  const ofCloud = {
    ...emulator.environment,
    ...(options.usesCloudNames === true && emulator.nameEnvironment),
    ...options.environment,
  };
  const judge = await judgingPlugin();
  const plugins =
    options.ordinaryEngine === true ? undefined : await attachPlugins(stateDir, ofCloud);
  const environment = { ...ofCloud, ...plugins?.environment };
  let secretsProvider: string | undefined;
  const open = async (settings?: string, variables: typeof ofCloud = environment) => {
    const stack = await openStack({
      stack: options.stack ?? "local",
      program: options.program ?? program,
      engine: await engineFromEnvironment(),
      stateDir,
      environment: variables,
      pluginDirs: judge.pluginDirs,
      ...(secretsProvider === undefined ? {} : { secretsProvider }),
      ...(settings === undefined ? {} : { settings }),
    });
    return readLater(stack);
  };
  const close = async () => {
    plugins?.close();
    await emulator.stop();
    await rm(stateDir, { recursive: true, force: true });
    assertAllowed(emulator.violations());
  };
  try {
    secretsProvider = options.secrets === "passphrase" ? undefined : await makeSecretsKey(emulator);
    await options.prepare?.(emulator);
    return {
      emulator,
      stack: await open(options.settings),
      ordinaryStack: () => open(options.settings, ofCloud),
      environment,
      stateDir,
      transcript: () => parts.join(""),
      record: {
        onOutput: (text) => parts.push(text),
        onEvent: (event) => {
          // The SDK tells the engine at this level what every RPC returned, in clear, for every
          // program; nobody sees it but who asks for it with `pulumi up --debug`.
          if (event.diagnosticEvent?.prefix?.startsWith("debug") !== true) {
            parts.push(JSON.stringify(event));
          }
        },
      },
      withSettings: (settings) => open(settings),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The settings file of the stack `local`, as people edit it. */
export function localSettings(): Promise<string> {
  return readFile(join(root, "environments/Pulumi.local.yaml"), "utf8");
}
