import { rm, writeFile } from "node:fs/promises";
import type { OutputMap, Stack } from "@pulumi/pulumi/automation";
import { withServerAddress } from "../cli/configFiles/withServerAddress";
import { shownStack } from "../cli/engine/shownStack";
import { describeRepair, undecidedProblem } from "../cli/repair/describeRepair";
import { planStackRepair } from "../cli/repair/repairStack";
import { output } from "../cli/standardStreams";
import type { ClusterNode } from "../components";
import { ensureMoto } from "../emulator/aws/pythonEnvironment";
import { type DaemonHandle, startDaemon, stopDaemon } from "../emulator/daemon";
import { awaitEtcd } from "./awaitEtcd";
import { awaitNodes } from "./awaitNodes";
import { describeAwsPlugin, findAwsPlugin } from "./awsPlugin";
import { ensurePulumi } from "./ensurePulumi";
import { exclusive } from "./exclusive";
import { serverHost } from "./kubeconfigAccess";
import { bindToWorld, local, openLocalStack } from "./localEnvironment";
import { paths } from "./paths";
import { runMain } from "./runMain";
import { runStep } from "./runStep";
import { endWithSupervisor, supervise } from "./supervise";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};
const write = (text: string) => {
  process.stdout.write(text);
};

/** `npm run local`: a whole cluster on the embedded cloud, by the real engine. */
async function bringUp(): Promise<void> {
  exclusive(local.lockFile, "the local environment");
  const [engine, cloud] = await Promise.all([
    runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log)),
    startCloud(),
  ]);
  say(`The embedded cloud runs: AWS at ${cloud.url}, region ${cloud.region}.`);
  if (await bindToWorld(cloud.worldId)) {
    say("The cloud of the last run is gone, and the state of the stack with it: starting afresh.");
  }

  const plugin = await findAwsPlugin(cloud.pluginDir);
  say(describeAwsPlugin(plugin));
  const stack = await openLocalStack(engine, cloud, plugin);
  await recover(stack);
  const shown = shownStack(stack);
  const color = output.terminal.color ? "always" : "never";
  const telling = { onOutput: write, color, suppressOutputs: true } as const;
  // A first run would show every property of every resource.
  await shown.preview({ ...telling, diff: await hasResources(stack) });
  await shown.up(telling);
  await showCluster(stack, cloud);
}

async function startCloud(): Promise<DaemonHandle> {
  await runStep("moto", say, ({ say: onLog, at: onProgress }) =>
    ensureMoto({ cacheDir: paths.cache, onLog, onProgress }),
  );
  return startDaemon({ stateDir: local.cloudDir, onLog: say });
}

async function hasResources(stack: Stack): Promise<boolean> {
  const exported = await stack.exportStack();
  const deployment = exported.deployment as { resources?: unknown[] } | undefined;
  return (deployment?.resources ?? []).length > 0;
}

/**
 * Continues after a run that was killed. This process alone works on the stack, so a lock on it is
 * that run's; what that had made and not recorded is found and taken into the state.
 */
async function recover(stack: Stack): Promise<void> {
  await stack.cancel().catch(() => undefined);
  const { steps, apply } = await planStackRepair(stack);
  if (steps.length > 0) {
    say(`The last run was killed during these operations:\n${describeRepair(steps)}`);
    const problem = undecidedProblem("local", steps);
    if (problem !== undefined) {
      throw new Error(`${problem}\nor start afresh: npm run local:down`);
    }
    await apply({ onOutput: write, color: output.terminal.color ? "always" : "never" });
  }
}

async function showCluster(stack: Stack, cloud: DaemonHandle): Promise<void> {
  const outputs = await stack.outputs();
  const kubeconfig = textOf(outputs, "kubeconfig");
  const nodes = outputs.nodes?.value as ClusterNode[];
  const [address] = await cloud.resolve(serverHost(kubeconfig));
  if (address === undefined) {
    throw new Error(`the cloud's DNS knows no address for "${serverHost(kubeconfig)}"`);
  }
  await writeSecretFile(local.kubeconfig, withServerAddress(kubeconfig, address));
  const talosconfig = textOf(outputs, "talosconfig");
  await writeSecretFile(local.talosconfig, talosconfig);

  await awaitEtcd({ talosconfig, count: nodes.length, deadlineMs: 120_000, report: say });
  const ready = await awaitNodes({
    kubeconfig,
    address,
    count: nodes.length,
    deadlineMs: 120_000,
    report: say,
  });
  say("\nThe cluster is running.\n");
  say(`  endpoint  ${textOf(outputs, "endpoint")}  (on this machine: https://${address}:6443)`);
  for (const node of nodes) {
    say(`  node      ${node.name}  ${node.role}  ${node.zone}  ${node.publicAddress}  Ready`);
  }
  say(`  version   Kubernetes ${ready[0]?.version ?? ""}\n`);
  say(`export KUBECONFIG=${local.kubeconfig}`);
  say(`export TALOSCONFIG=${local.talosconfig}`);
}

function textOf(outputs: OutputMap, name: string): string {
  const value: unknown = outputs[name]?.value;
  if (typeof value !== "string") {
    throw new Error(`the stack has no output "${name}"`);
  }
  return value;
}

async function writeSecretFile(file: string, text: string): Promise<void> {
  // A file that exists keeps its mode when it is written to.
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600 });
}

/** After an interrupt: the world ends, and with it everything that was made in it. */
async function endWorld(): Promise<void> {
  await stopDaemon(local.cloudDir);
  await rm(paths.local, { recursive: true, force: true });
}

async function main(): Promise<void> {
  if (process.argv.includes("--work")) {
    const workIsDone = endWithSupervisor();
    await bringUp();
    workIsDone();
    return;
  }
  process.exitCode = await supervise({ args: ["--work"], onInterrupt: endWorld });
}

runMain(main);
