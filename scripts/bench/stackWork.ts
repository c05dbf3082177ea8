import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { openStack } from "../openStack";
import { paths } from "../paths";
import { type EngineUsage, withUsage } from "./engineProcesses";
import { type StackKind, stackPrograms } from "./stackPrograms";

/** One command of Pulumi. */
export interface StepMeasurement {
  readonly seconds: number;
  readonly usage: EngineUsage;
}

/** A stack's life, as far as it is measured. */
export interface StackMeasurement {
  /** `terraform`: the configurations, made by terraform. */
  readonly kind: StackKind | "terraform";
  readonly size: number;
  /** The first `up`. */
  readonly up: StepMeasurement;
  /** A `preview` that finds nothing to change. */
  readonly preview: StepMeasurement;
  /** An `up` that finds nothing to change. */
  readonly same: StepMeasurement;
  /** An `up` that changes one label of one machine. */
  readonly label: StepMeasurement;
  readonly resources: number;
  readonly stateBytes: number;
}

/** A stack to measure. */
export interface StackWork {
  readonly kind: StackKind;
  /** How many machines. */
  readonly size: number;
  /** For the engine. Default: nothing. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Folders with plugins, searched before PATH. Default: none. */
  readonly pluginDirs?: readonly string[];
  /** How much the engine does at once. Default: 100, as `talos-aws up` has it. */
  readonly parallel?: number;
}

/** The most resources that change with one label: a machine, and the health of its cluster. */
const MOST_CHANGED = 2;

/** Measures the life of a stack. The program is this process. */
export async function measureStack(
  engine: PulumiCommand,
  { kind, size, environment = {}, pluginDirs = [], parallel = 100 }: StackWork,
): Promise<StackMeasurement> {
  await mkdir(join(paths.cache, "bench"), { recursive: true });
  const stateDir = await mkdtemp(join(paths.cache, "bench", "stack-"));
  let label = "first";
  let resources = 0;
  try {
    const stack = await openStack({
      stack: "local",
      program: () => {
        stackPrograms[kind](size, label);
        return Promise.resolve({});
      },
      engine,
      stateDir,
      environment,
      pluginDirs,
      settings: "config: {}",
    });
    const timed = async (command: () => Promise<unknown>): Promise<StepMeasurement> => {
      const start = performance.now();
      const usage = await withUsage(command);
      return { seconds: (performance.now() - start) / 1000, usage };
    };
    const up = await timed(() => stack.up({ parallel }));
    const preview = await timed(() => stack.preview({ parallel }));
    const same = await timed(() => stack.up({ parallel }));
    label = "second";
    const changed = await timed(async () => {
      const { summary } = await stack.up({ parallel });
      const { same: kept = 0, update = 0, ...others } = summary.resourceChanges ?? {};
      if (update < 1 || update > MOST_CHANGED || Object.keys(others).length > 0) {
        throw new Error(`not one was changed: ${JSON.stringify(summary.resourceChanges)}`);
      }
      resources = kept + update;
    });
    const stateBytes = await stateSize(stateDir);
    return { kind, size, up, preview, same, label: changed, resources, stateBytes };
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function stateSize(stateDir: string): Promise<number> {
  const folder = join(stateDir, "backend/.pulumi/stacks/talos-aws");
  const [file] = (await readdir(folder)).filter((name) => /^local\.json(\.gz)?$/.test(name));
  return (await stat(join(folder, file ?? ""))).size;
}
