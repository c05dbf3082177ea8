import type { Stack } from "@pulumi/pulumi/automation";
import { renderText } from "../../preview";
import type { EtcdSnapshotFile } from "../../provider/lifecycle";
import type { BegunRestore } from "../../provider/resources";
import { CommandFailure } from "../commandFailure";
import { engineFailure, RUN_AGAIN } from "../engine/engineFailure";
import { askAboutInstances } from "../engine/instanceStates";
import { previewStack } from "../engine/previewStack";
import { shownStack } from "../engine/shownStack";
import { exportState, importState } from "../engine/stateOfStack";
import { readKubernetes } from "../status/readKubernetes";
import { awaitLook } from "./awaitLook";
import { describeRestore } from "./describeRestore";
import {
  isToBeWiped,
  planRestore,
  recordedStage,
  type RestoreConsent,
  type SeenMachine,
} from "./planRestore";
import { withRestore } from "./recordRestore";
import { restoreTarget, type RestoreTarget } from "./restoreTarget";
import { readSnapshotFacts, type SnapshotFacts } from "./snapshotFacts";
import { wipeEtcd } from "./wipeEtcd";

export interface RestoreRequest extends RestoreConsent {
  readonly snapshot: EtcdSnapshotFile;
  /** EC2 instance ids of the selected cluster's machines, if a stack has several clusters. */
  readonly instanceIds?: readonly string[];
}

export interface RestoreDialog {
  readonly note: (line: string) => void;
  readonly say: (text: string) => void;
  readonly write: (text: string) => void;
  readonly color: boolean;
  readonly confirm: () => Promise<boolean>;
}

/**
 * How long machines that don't answer may be restarting. It is longer after an interrupted wipe.
 */
const PATIENCE_MS = 30_000;
const PATIENCE_WIPING_MS = 300_000;

/**
 * Restarts a cluster's etcd from a snapshot. Each step is recorded in the state of the cluster's
 * bootstrap before it begins. So after an interruption at any time, the same call continues.
 *
 * @returns whether it was done; false if a person refused
 * @throws CommandFailure if it is impossible, with the reason
 */
export async function restoreCluster(
  stack: Stack,
  request: RestoreRequest,
  dialog: RestoreDialog,
  signal: AbortSignal,
): Promise<boolean> {
  const target = restoreTarget(stack.name, await stack.exportStack(), request.instanceIds);
  const snapshot = await readSnapshotFacts(request.snapshot, target.kubeconfig);
  const stage = recordedStage(target, snapshot);
  dialog.note(`Looking at ${stack.name} …`);
  const seen = await untilInterrupted(lookAt(stack, target, stage, signal));
  const plan = planRestore(stack.name, stage, snapshot, seen, request);
  if (plan.kind === "refused") {
    throw new CommandFailure(plan.reason);
  }
  const { summary } = await previewStack(stack, { refresh: true, signal });
  if (plan.kind === "begin") {
    refuseOtherChanges(summary.groups, seen);
  }
  // The summary's statements about etcd are for a cluster with a healthy etcd.
  const plain = { ...summary, risks: [], quorum: [], machines: [] };
  dialog.write(renderText(plain, { color: dialog.color }));
  dialog.say("");
  dialog.say(describeRestore(stack.name, snapshot, plan));
  if (!(await dialog.confirm())) {
    return false;
  }
  if (plan.kind === "begin") {
    await record(stack, target, snapshot, "wiping");
    const wiped = target.machines.filter((_, index) => {
      const each = seen[index];
      return each !== undefined && isToBeWiped(each);
    });
    await untilInterrupted(wipeEtcd(wiped, dialog.note, signal));
  }
  if (plan.kind !== "finish") {
    // Also when a restore continues, because the file may have moved.
    await record(stack, target, snapshot, "recovering");
  }
  const color = dialog.color ? "always" : "never";
  const engine = shownStack(stack);
  const options = { color, signal, onOutput: dialog.write } as const;
  try {
    await engine.refresh(options);
    await engine.up(options);
  } catch (error) {
    const failure = engineFailure(error);
    const { message } = failure;
    throw message.endsWith(RUN_AGAIN) ? failure : new CommandFailure(`${message}\n${RUN_AGAIN}`);
  }
  await tellOfStrays(stack, request.instanceIds, dialog);
  return true;
}

/** Ends the wait when a person presses Ctrl-C. The recorded state is enough to continue. */
async function untilInterrupted<Value>(work: Promise<Value>): Promise<Value> {
  let stop: (() => void) | undefined;
  const interrupted = new Promise<never>((_resolve, reject) => {
    stop = () => reject(new CommandFailure("interrupted: the same command continues from here"));
    process.once("SIGINT", stop);
  });
  try {
    return await Promise.race([work, interrupted]);
  } finally {
    if (stop !== undefined) {
      process.off("SIGINT", stop);
    }
  }
}

/** Asks AWS and the machines for their state, in the order of the machines. */
async function lookAt(
  stack: Stack,
  { machines }: RestoreTarget,
  stage: ReturnType<typeof recordedStage>,
  signal: AbortSignal,
): Promise<readonly SeenMachine[]> {
  const urns = machines.flatMap(({ instanceUrn }) => instanceUrn ?? []);
  const steps = urns.length === 0 ? undefined : await askAboutInstances(stack, urns, signal);
  const patience = stage === "wiping" ? PATIENCE_WIPING_MS : PATIENCE_MS;
  return Promise.all(
    machines.map(async (machine) => {
      const { name, machineId, instanceUrn } = machine;
      const isGone =
        instanceUrn === undefined
          ? machineId.startsWith("i-")
          : steps?.get(instanceUrn)?.op === "delete";
      // A deleted machine is not waited for. Another machine may answer at its address.
      const look = await awaitLook(machine, isGone ? 0 : patience, signal);
      return { name, machineId, isGone, look };
    }),
  );
}

/**
 * A change of a running machine waits until the machine is healthy, which it isn't before etcd is
 * restored. So the restore would wait forever.
 */
function refuseOtherChanges(
  groups: Awaited<ReturnType<typeof previewStack>>["summary"]["groups"],
  seen: readonly SeenMachine[],
): void {
  const running = seen.filter(({ look }) => look.kind === "holding");
  const names = new Set(running.map(({ name }) => name));
  const changed = groups
    .flatMap(({ resources }) => resources)
    .filter(
      ({ operation, kind, name }) =>
        operation === "update" && kind === "ConfigurationApply" && names.has(name),
    );
  if (changed.length > 0) {
    throw new CommandFailure(
      `the configuration of ${changed.map(({ name }) => name).join(", ")} would change too, and that change waits for etcd: set the settings to what the machines run, restore, and change them afterwards`,
    );
  }
}

async function record(
  stack: Stack,
  target: RestoreTarget,
  { path, sha256, skipHashCheck }: SnapshotFacts,
  phase: BegunRestore["phase"],
): Promise<void> {
  const { begun } = target;
  const at = begun?.sha256 === sha256 ? begun.at : new Date().toISOString();
  const exported = await exportState(stack);
  const restoring = { path, sha256, skipHashCheck, at, phase };
  await importState(stack, withRestore(exported, target, restoring));
}

async function tellOfStrays(
  stack: Stack,
  instanceIds: readonly string[] | undefined,
  { say }: RestoreDialog,
): Promise<void> {
  const { machines, kubeconfig } = restoreTarget(
    stack.name,
    await stack.exportStack(),
    instanceIds,
  );
  const { size } = new Set(machines.map(({ name }) => name));
  say(`etcd of ${stack.name} is restored, on ${size} machine${size === 1 ? "" : "s"}.`);
  const strays =
    kubeconfig === undefined
      ? []
      : await nodesWithoutKubelet(
          kubeconfig,
          machines.map(({ node }) => node),
        );
  if (strays === undefined) {
    say('Kubernetes couldn\'t be asked for its nodes: see "kubectl get nodes".');
  } else if (strays.length > 0) {
    say(
      `Of the snapshot's nodes ${strays.join(", ")} ${strays.length === 1 ? "isn't" : "aren't"} ready. If the machine is gone: kubectl delete node ${strays.join(" ")}`,
    );
  }
  say("Delete the snapshot: it contains every secret of Kubernetes in clear.");
}

const TIMEOUT_MS = 10_000;

/**
 * Names of the nodes from the snapshot for which no kubelet reports; undefined if Kubernetes
 * doesn't answer.
 *
 * @param addresses of control plane machines
 */
async function nodesWithoutKubelet(
  kubeconfig: string,
  addresses: readonly string[],
): Promise<readonly string[] | undefined> {
  const { nodes, problems } = await readKubernetes(kubeconfig, addresses, TIMEOUT_MS);
  return problems.length > 0
    ? undefined
    : nodes.filter(({ isReady }) => !isReady).map(({ name }) => name);
}
