import type { Progress } from "../../provider/base";
import { talosKind } from "../../provider/engine";
import { blockedEvictions, drainNode, type Machine, uncordonNode } from "../../provider/lifecycle";
import { DEFAULT_DRAIN_TIMEOUT_SECONDS } from "../../provider/resources";
import { nameOf, type WrittenResource } from "../repair/pendingOperations";
import { type ClusterAccess, wayTo } from "../status/clusterAccess";
import type { AwsAccount } from "./awsAccount";
import { callUnhealthy } from "./scalingGroups";
import { DRAINED_FOR_REPAIR, type WorkerFacts } from "./workerFacts";

export interface ClusterReach {
  readonly access: ClusterAccess;
  readonly aws: AwsAccount;
  readonly progress: Progress;
  /** How long a drain may take. Seconds. Default: 300. */
  readonly drainSeconds?: number | undefined;
}

/**
 * Drains the node of a group's machine, then has the group replace it. Both may be done twice, so a run after a killed
 * one goes on. A node that isn't ready is not drained: nothing on it would end its pods, and Kubernetes moves them when
 * the node goes.
 *
 * @throws Error if a budget of pods blocks the drain; the node takes pods again then
 * @throws CommandFailure if AWS refuses the call
 */
export async function repairInGroup(
  { privateAddress, instanceId }: WorkerFacts,
  { access, aws, progress, drainSeconds = DEFAULT_DRAIN_TIMEOUT_SECONDS }: ClusterReach,
): Promise<void> {
  await drainNode({
    privateAddress,
    progress,
    timeoutSeconds: drainSeconds,
    whenBlocked: "fail",
    controlPlanes: controlPlanesOf(access),
    reason: DRAINED_FOR_REPAIR,
  });
  await callUnhealthy(aws, instanceId);
}

/**
 * Why the engine could not drain a fixed machine's node before it ends: a budget keeps its pods. Nothing is changed.
 *
 * @param resources of the exported state, which has the machine's drain
 * @returns undefined if nothing keeps it, or the machine's pool goes on at the drain's time limit
 */
export async function blockedDrain(
  { name, privateAddress }: WorkerFacts,
  { access, progress }: ClusterReach,
  resources: readonly WrittenResource[],
  signal: AbortSignal,
): Promise<string | undefined> {
  const apply = resources.find(
    ({ urn, type }) => talosKind(type) === "ConfigurationApply" && nameOf(urn) === name,
  );
  const { drain } = (apply?.inputs ?? {}) as { readonly drain?: { readonly whenBlocked?: string } };
  const controlPlanes = controlPlanesOf(access);
  return drain?.whenBlocked === "proceed"
    ? undefined
    : blockedEvictions({ privateAddress, progress, controlPlanes }, signal);
}

/** Lets pods onto the node of a machine that is healthy again. */
export async function release(
  { privateAddress }: WorkerFacts,
  { access, progress }: ClusterReach,
): Promise<void> {
  await uncordonNode({ privateAddress, progress, controlPlanes: controlPlanesOf(access) });
}

/** The control plane machines, each dialled directly where its address is an endpoint. */
function controlPlanesOf(access: ClusterAccess): Machine[] {
  return access.machines
    .filter(({ role }) => role === "controlplane")
    .map((machine) => {
      const {
        node,
        endpoints: [endpoint = node],
      } = wayTo(machine, access);
      return { node, endpoint, credentials: access.credentials };
    });
}
