import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Emulator } from "../../../emulator";
import { interruptedCli, pluginCli, type PluginCliOptions } from "./pluginCli";
import { changedLines, QUICKSTART_CHANGE } from "./quickstartChange";

/** The most that the state records of a machine besides its outline. Bytes of JSON. */
const MOST_STATE_BYTES = 2_500;

/** The quickstart in one language. */
export interface QuickstartProgram extends PluginCliOptions {
  readonly emulator: Emulator;
  /** The file with the program, in the folder. */
  readonly file: string;
  /** The program with the patch of `quickstartChange.ts`. */
  readonly changed: (program: string) => string;
  /** Compiles what is in the folder. Default: nothing has to be compiled. */
  readonly compile?: () => Promise<unknown>;
  /** Options of commands that run the program. Default: the CLI's own host runs it. */
  readonly runOptions?: readonly string[];
  /** Secret outputs besides the kubeconfig. Default: none. */
  readonly secretOutputs?: readonly string[];
  /** Whether a Ctrl-C ends a first `up`. Default: false. */
  readonly isInterrupted?: boolean;
}

/**
 * Takes the quickstart's cluster through its life by the CLI: brings it up, previews a change, takes
 * it down. Each of it is the same in every language. The account has the zone `example.com`.
 */
export async function liveQuickstart(program: QuickstartProgram): Promise<void> {
  const { emulator, folder, file, changed, runOptions = [] } = program;
  const compile = program.compile ?? (() => Promise.resolve());
  await pluginCli(program, "stack", "init", "demo");
  await pluginCli(program, "config", "set", "aws:region", "eu-central-1");
  await compile();
  if (program.isInterrupted === true) {
    await interruptFirstUp(program);
  }
  const up = await pluginCli(program, "up", "--yes", "--skip-preview", ...runOptions);
  expect(up.output).toContain('"https://k8s.demo.example.com:6443"');
  for (const output of ["kubeconfig", ...(program.secretOutputs ?? [])]) {
    expect(up.output).toMatch(new RegExp(`\\b${output} *: \\[secret\\]`));
  }
  expect(up.code).toBe(0);
  expect(emulator.nodes().map(({ stage }) => stage)).toEqual(["running", "running", "running"]);
  const recorded = recordedIn(join(folder, "state/.pulumi/stacks/quickstart/demo.json"));
  // More providers would be more processes of the plugin.
  const providers = recorded.filter(({ type }) => type === "pulumi:providers:talos-aws");
  expect(providers).toHaveLength(1);
  const machines = recorded.filter(({ type }) => type.endsWith(":ConfigurationApply"));
  expect(machines).toHaveLength(3);
  for (const { inputs, outputs } of machines) {
    const { redactedConfiguration, ...others } = inputs;
    expect(redactedConfiguration).toBeDefined();
    expect(Buffer.byteLength(JSON.stringify([others, outputs]))).toBeLessThan(MOST_STATE_BYTES);
  }
  const text = readFileSync(join(folder, file), "utf8");
  writeFileSync(join(folder, file), changed(text));
  await compile();
  const { output } = await pluginCli(program, "preview", "--diff", ...runOptions);
  expect(changedLines(output)).toEqual(QUICKSTART_CHANGE);
  // A member of each machine's configuration that stays.
  expect(output).not.toContain("PodSecurity");
  const down = await pluginCli(program, "destroy", "--yes", "--skip-preview");
  expect(down.code).toBe(0);
  expect(emulator.nodes()).toEqual([]);
}

/** The plugin waits for a machine of the component that it creates, and the machine never answers. */
async function interruptFirstUp(program: QuickstartProgram): Promise<void> {
  const { emulator, runOptions = [] } = program;
  const waits = /FirstContact .* waiting for /;
  const up = interruptedCli(program, waits, "up", "--yes", "--skip-preview", ...runOptions);
  let machine: string | undefined;
  while (machine === undefined) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    machine = emulator.nodes()[0]?.instanceId;
  }
  const fault = await emulator.faults.inject({ kind: "refuse", machine });
  const { code, output } = await up;
  await fault.lift();
  expect(code).not.toBe(0);
  expect(output).toMatch(/was cancelled; last seen: /);
}

interface RecordedResource {
  readonly type: string;
  readonly inputs: Readonly<Record<string, unknown>>;
  readonly outputs: Readonly<Record<string, unknown>>;
}

function recordedIn(stateFile: string): RecordedResource[] {
  const { checkpoint } = JSON.parse(readFileSync(stateFile, "utf8")) as {
    checkpoint: { latest: { resources: RecordedResource[] } };
  };
  return checkpoint.latest.resources;
}
