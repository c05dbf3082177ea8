import { mkdir, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { PulumiCommand } from "@pulumi/pulumi/automation";
import { MachineConfiguration, MachineSecrets } from "../provider";
import { openStack } from "../scripts/openStack";
import { paths } from "../scripts/paths";
import { type EngineUsage, withUsage } from "./engineProcesses";

/** What a stack is of: configurations of machines, or resources that do nothing, for the engine's own share. */
export type StackKind = "configurations" | "nothing";

/** One command of Pulumi. */
export interface StepMeasurement {
  readonly seconds: number;
  readonly usage: EngineUsage;
}

/** A stack's life, as far as it is measured. */
export interface StackMeasurement {
  readonly kind: StackKind;
  readonly size: number;
  /** The first `up`. */
  readonly up: StepMeasurement;
  /** A `preview` that finds nothing to change. */
  readonly preview: StepMeasurement;
  /** An `up` that finds nothing to change. */
  readonly same: StepMeasurement;
  /** An `up` that changes one label of one machine. */
  readonly label: StepMeasurement;
  readonly stateBytes: number;
}

/** The text that Pulumi's plugin runs for a resource that does nothing. */
const NOTHING = `exports.handler = () => ({
  check: async (olds, news) => ({ inputs: news, failures: [] }),
  diff: async (id, olds, news) => ({ changes: olds.value !== news.value }),
  create: async (inputs) => ({ id: "nothing", outs: inputs }),
  update: async (id, olds, news) => ({ outs: news }),
  delete: async () => {},
});`;

class Nothing extends pulumi.CustomResource {
  constructor(name: string, value: string) {
    super("pulumi-nodejs:dynamic/bench:Nothing", name, { value, __provider: NOTHING });
  }
}

const programs: Readonly<Record<StackKind, (size: number, label: string) => void>> = {
  nothing: (size, label) => {
    for (let index = 0; index <= size; index++) {
      new Nothing(`machine-${index}`, index === 0 ? label : "same");
    }
  },
  configurations: (size, label) => {
    const { secretsBundle, versionContract } = new MachineSecrets("secrets", {
      versionContract: "v1.12",
    });
    for (let index = 0; index < size; index++) {
      new MachineConfiguration(`machine-${index}`, {
        ...{ clusterName: "bench", endpoint: "https://10.0.0.1:6443", platform: "metal" },
        ...{ talosVersion: "v1.12.1", kubernetesVersion: "1.34.1", installDisk: "/dev/sda" },
        machineType: index < 3 ? "controlplane" : "worker",
        versionContract,
        secretsBundle,
        patches: [
          {
            machine: {
              nodeLabels: {
                "example.com/machine": `machine-${index}`,
                "example.com/round": index === 0 ? label : "same",
              },
            },
          },
        ],
      });
    }
  },
};

/** A stack to measure. */
export interface StackWork {
  readonly kind: StackKind;
  /** How many machines. */
  readonly size: number;
  /** For the engine. Default: nothing. */
  readonly environment?: Readonly<Record<string, string>>;
  /** How much the engine does at once. Default: 100, as `talos-aws up` has it. */
  readonly parallel?: number;
}

/**
 * Measures a stack with one machine's configuration per resource, and the cluster's secrets; or with as many
 * resources that do nothing. The program is this process.
 */
export async function measureStack(
  engine: PulumiCommand,
  { kind, size, environment = {}, parallel = 100 }: StackWork,
): Promise<StackMeasurement> {
  await mkdir(join(paths.cache, "bench"), { recursive: true });
  const stateDir = await mkdtemp(join(paths.cache, "bench", "stack-"));
  let label = "first";
  try {
    const stack = await openStack({
      stack: "local",
      program: () => {
        programs[kind](size, label);
        return Promise.resolve({});
      },
      engine,
      stateDir,
      environment,
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
      if (summary.resourceChanges?.update !== 1) {
        throw new Error(`not one was changed: ${JSON.stringify(summary.resourceChanges)}`);
      }
    });
    const stateBytes = await stateSize(stateDir);
    return { kind, size, up, preview, same, label: changed, stateBytes };
  } finally {
    await rm(stateDir, { recursive: true, force: true });
  }
}

async function stateSize(stateDir: string): Promise<number> {
  const folder = join(stateDir, "backend/.pulumi/stacks/talos-aws");
  const [file] = (await readdir(folder)).filter((name) => /^local\.json(\.gz)?$/.test(name));
  return (await stat(join(folder, file ?? ""))).size;
}
