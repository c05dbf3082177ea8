import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import type { Stack } from "@pulumi/pulumi/automation";
import { withServerAddress } from "../cli/configFiles/withServerAddress";
import { type ClusterOutputs, textOutput } from "../cli/engine/clusterOutputs";
import { previewStack } from "../cli/engine/previewStack";
import { shownStack } from "../cli/engine/shownStack";
import { exportState, readOutputs } from "../cli/engine/stateOfStack";
import { describeRepair, undecidedProblem } from "../cli/repair/describeRepair";
import { planStackRepair } from "../cli/repair/repairStack";
import { readResources } from "../cli/stackResource";
import { output } from "../cli/standardStreams";
import type { ClusterNode } from "../components";
import { ensureMoto } from "../emulator/aws/pythonEnvironment";
import { type DaemonHandle, startDaemon, stopDaemon } from "../emulator/daemon";
import { DOCKER, type GivenMachines } from "../emulator/machines/givenMachines";
import { hasChanges, renderText } from "../preview";
import { FORMER_RELEASES } from "../provider/config/releases/newestReleases";
import { awaitEtcd } from "./awaitEtcd";
import { awaitNodes } from "./awaitNodes";
import { describeAwsPlugin, findAwsPlugin } from "./awsPlugin";
import { CompactProgress } from "./compactProgress";
import { ensurePulumi } from "./ensurePulumi";
import { exclusive } from "./exclusive";
import { serverHost } from "./kubeconfigAccess";
import { bindToWorld, isLocked, local, openLocalStack, type Releases } from "./localEnvironment";
import { ABOUT_CONTAINERS, pullMachines } from "./localMachines";
import { paths } from "./paths";
import { PreviewedChanges } from "./previewedChanges";
import { runStep } from "./runStep";

const say = (line: string) => {
  process.stdout.write(`${line}\n`);
};
const write = (text: string) => {
  process.stdout.write(text);
};

/** The running cloud, and how to open the stack on it. */
interface LocalWorld {
  readonly cloud: DaemonHandle;
  readonly open: (releases?: Releases) => Promise<Stack>;
}

/**
 * Brings a whole cluster up on the embedded cloud, by the real engine.
 *
 * @param machines who runs the machines. Default: those that the cloud has, and simulated ones in a new cloud
 * @throws Error when the cloud that runs has others
 */
export async function bringUpLocal(machines?: GivenMachines): Promise<void> {
  const { cloud, open } = await startWorld(machines);
  const stack = await open();
  const hadResources = await recover(stack);
  const shown = shownStack(stack);
  const color = output.terminal.color ? "always" : "never";
  const changes = new PreviewedChanges();
  say("Previewing the stack …");
  // A first preview has nothing to compare.
  const telling = hadResources ? { onOutput: write, diff: true, suppressOutputs: true } : {};
  await shown.preview({ ...telling, color, onEvent: changes.add });
  if (changes.isNothing) {
    say("There is nothing to update.");
  } else {
    say("Updating the stack …");
    await update(stack);
  }
  await showCluster(stack, cloud);
}

/**
 * Shows an upgrade: brings a cluster up with the releases of the minor before, then upgrades it to those
 * in the settings. The next run goes on with one that was killed.
 *
 * @throws Error when another cluster is there
 */
export async function upgradeLocal(): Promise<void> {
  const { cloud, open } = await startWorld();
  if (cloud.machines !== undefined) {
    throw new Error(otherMachines("simulated"));
  }
  await bringUpFormer(open);
  const stack = await open();
  await recover(stack);
  say("\nPreviewing the upgrade …");
  const { summary } = await previewStack(shownStack(stack), {});
  write(renderText(summary, { color: output.terminal.color }));
  if (hasChanges(summary)) {
    say("\nUpgrading the cluster …");
    await update(stack);
  }
  await showCluster(stack, cloud);
}

async function bringUpFormer(open: LocalWorld["open"]): Promise<void> {
  if (existsSync(local.contractFile)) {
    return;
  }
  const { talosVersion, versionContract, kubernetesVersion } = FORMER_RELEASES;
  const stack = await open(FORMER_RELEASES);
  if (await recover(stack)) {
    throw new Error(
      `the local environment has a cluster already: change its versions in environments/Pulumi.local.yaml and run "npm run local", or end it with "npm run local:down" and run this again`,
    );
  }
  await writeFile(local.contractFile, versionContract);
  say(`Creating a cluster with Talos ${talosVersion} and Kubernetes ${kubernetesVersion} …`);
  await update(stack);
}

async function update(stack: Stack): Promise<void> {
  const progress = new CompactProgress(say);
  await shownStack(stack).up({ onEvent: progress.add });
  progress.end();
}

async function startWorld(machines?: GivenMachines): Promise<LocalWorld> {
  exclusive(local.lockFile, "the local environment");
  const [engine, cloud] = await Promise.all([
    runStep("pulumi", say, (log) => ensurePulumi(paths.cache, log)),
    startCloud(machines),
  ]);
  if (machines !== undefined && cloud.machines !== machines.by) {
    throw new Error(otherMachines(machines.by));
  }
  say(`The embedded cloud runs: AWS at ${cloud.url}, region ${cloud.region}.`);
  if (await bindToWorld(cloud.worldId)) {
    say("The cloud of the last run is gone, and the state of the stack with it: starting afresh.");
  }

  if (cloud.machines === DOCKER) {
    say(ABOUT_CONTAINERS);
  }
  const plugin = await findAwsPlugin(cloud.pluginDir);
  say(describeAwsPlugin(plugin));
  return { cloud, open: (releases) => openLocalStack(engine, cloud, plugin, releases) };
}

function otherMachines(wanted: string): string {
  return `the local environment runs already, with machines that aren't ${wanted}: end it with "npm run local:down" first`;
}

async function startCloud(machines: GivenMachines | undefined): Promise<DaemonHandle> {
  await runStep("moto", say, ({ say: onLog, at: onProgress }) =>
    ensureMoto({ cacheDir: paths.cache, onLog, onProgress }),
  );
  if (machines !== undefined) {
    await pullMachines(machines, say);
  }
  return startDaemon({
    stateDir: local.cloudDir,
    onLog: say,
    ...(machines !== undefined && { machines }),
  });
}

/**
 * Continues after a run that was killed. This process alone works on the stack, so a lock on it is
 * that run's; what that had made and not recorded is found and taken into the state.
 *
 * @returns whether the stack had resources
 */
async function recover(stack: Stack): Promise<boolean> {
  if (await isLocked()) {
    await stack.cancel().catch(() => undefined);
  }
  const state = await exportState(stack);
  const { steps, apply } = await planStackRepair(stack, { state });
  if (steps.length > 0) {
    say(`The last run was killed during these operations:\n${describeRepair(steps)}`);
    const problem = undecidedProblem("local", steps);
    if (problem !== undefined) {
      throw new Error(`${problem}\nor start afresh: npm run local:down`);
    }
    await apply({ onOutput: write, color: output.terminal.color ? "always" : "never" });
  }
  return readResources(state).length > 0;
}

async function showCluster(stack: Stack, cloud: DaemonHandle): Promise<void> {
  const outputs: ClusterOutputs = await readOutputs(stack);
  const kubeconfig = textOutput(stack.name, outputs, "kubeconfig");
  const nodes = outputs.nodes as ClusterNode[];
  const [address] = await cloud.resolve(serverHost(kubeconfig));
  if (address === undefined) {
    throw new Error(`the cloud's DNS knows no address for "${serverHost(kubeconfig)}"`);
  }
  await writeSecretFile(local.kubeconfig, withServerAddress(kubeconfig, address));
  const talosconfig = textOutput(stack.name, outputs, "talosconfig");
  await writeSecretFile(local.talosconfig, talosconfig);

  const waiting = { count: nodes.length, deadlineMs: 120_000, report: say };
  const [ready] = await Promise.all([
    awaitNodes({ kubeconfig, address, ...waiting }),
    awaitEtcd({ talosconfig, ...waiting }),
  ]);
  say("\nThe cluster is running.\n");
  say(
    `  endpoint  ${textOutput(stack.name, outputs, "endpoint")}  (on this machine: https://${address}:6443)`,
  );
  for (const node of nodes) {
    say(
      `  node      ${node.name}  ${node.role}  ${node.zone}  ${node.publicAddress === "" ? node.privateAddress : node.publicAddress}  Ready`,
    );
  }
  say(`  version   Kubernetes ${ready[0]?.version ?? ""}\n`);
  say(`export KUBECONFIG=${local.kubeconfig}`);
  say(`export TALOSCONFIG=${local.talosconfig}`);
}

async function writeSecretFile(file: string, text: string): Promise<void> {
  // A file that exists keeps its mode when it is written to.
  await rm(file, { force: true });
  await writeFile(file, text, { mode: 0o600 });
}

/** After an interrupt: the world ends, and with it everything that was made in it. */
export async function endWorld(): Promise<void> {
  await stopDaemon(local.cloudDir);
  await rm(paths.local, { recursive: true, force: true });
}
