import { isDeepStrictEqual } from "node:util";
import type { Input } from "@pulumi/pulumi";
import { messageOfError } from "../../base/messageOfError";
import type { Progress } from "../../base/progress";
import { isUnknown } from "../../base/unknown";
import { checkWord } from "../../engine/checkWord";
import type { CheckFailure } from "../../engine/handler";
import { readStatus } from "../../lifecycle/delivery/deliverConfiguration";
import type { Delivery } from "../../lifecycle/delivery/delivery";
import { findControlPlanes } from "../../lifecycle/findControlPlanes";
import {
  type DrainRequest,
  drainNode,
  WHEN_BLOCKED,
  type WhenBlocked,
} from "../../lifecycle/kubernetes/drainNode";
import { CORDONED_ANNOTATION, uncordonNode } from "../../lifecycle/kubernetes/kubernetesNode";
import { type LeavingMachine, LeavingNode } from "../../lifecycle/kubernetes/leavingNode";
import { type Machine, machinesAt, withMachine } from "../../lifecycle/machine";
import { unlessSilent } from "../../lifecycle/silence";
import type { ClientCredentials } from "../../pki/clientCredentials";

/** How a node is drained before its machine restarts. */
export interface Drain {
  /**
   * Addresses of control plane machines, asked one after another for access to Kubernetes. Default,
   * which works in the control plane: those that the machine names, and last the machine itself. If
   * no API server runs on any of them for a minute, such a machine is changed without a drain.
   */
  readonly controlPlanes?: readonly string[];
  /**
   * The Talos API that forwards to them, such as a load balancer's. Default: each machine is
   * dialled directly.
   */
  readonly endpoint?: string;
  /** How long the drain may take, with PodDisruptionBudgets respected. Seconds. Default: 300. */
  readonly timeoutSeconds?: number;
  /**
   * What happens if pods can't leave in time. `fail` stops before the machine is touched and
   * uncordons the node. `proceed` warns, and the restart ends the pods, whatever their
   * PodDisruptionBudgets say. Default: `fail`.
   */
  readonly whenBlocked?: WhenBlocked;
  /**
   * Whether the delete drains the node and removes it from Kubernetes, for a machine that is
   * terminated next. Default: false; the node stays until a cloud controller or a person deletes
   * it.
   */
  readonly removeNode?: boolean;
}

/** A `Drain` as programs give it. */
export type DrainArgs = { readonly [Key in keyof Drain]: Input<Drain[Key]> };

/** Long enough for pods that end gracefully; Talos itself waits as long (Talos v1.12.1, `DrainTimeout`). */
export const DEFAULT_DRAIN_TIMEOUT_SECONDS = 300;

/** The state of a machine's Kubernetes node. Source: Talos v1.12.1, `k8s` resources. */
const NODE_STATUSES = { namespace: "k8s", type: "NodeStatuses.kubernetes.talos.dev" };

/** All problems of a drain's settings. */
export function checkDrain(drain: Drain | undefined): CheckFailure[] {
  if (drain === undefined || isUnknown(drain)) {
    return [];
  }
  const { timeoutSeconds = DEFAULT_DRAIN_TIMEOUT_SECONDS, whenBlocked = "fail" } = drain;
  const isTime = isUnknown(timeoutSeconds) || (timeoutSeconds >= 1 && timeoutSeconds <= 86_400);
  return [
    ...(isTime
      ? []
      : [
          {
            property: "drain.timeoutSeconds",
            reason: `${timeoutSeconds} is no valid time to drain a node: give 1 to 86400 seconds`,
          },
        ]),
    ...checkWord("drain.whenBlocked", whenBlocked, WHEN_BLOCKED),
  ];
}

/**
 * Whether a drain's settings must be recorded again. An older release recorded none: that alone
 * changes nothing. The same holds for an added or removed control plane machine, as long as one
 * recorded address remains. Unknown addresses count as unchanged.
 */
export function isOtherDrain(recorded: Drain | undefined, given: Drain | undefined): boolean {
  if (recorded === undefined) {
    return false;
  }
  if (given === undefined || typeof given !== "object") {
    return true;
  }
  const { controlPlanes: before, ...choices } = recorded;
  const { controlPlanes: after, ...others } = given;
  const stays =
    before === undefined || after === undefined
      ? before === after
      : isUnknown(after) || before.some((address) => after.includes(address));
  return !stays || isUnknown(others) || !isDeepStrictEqual(choices, others);
}

/** A machine whose node may be drained. */
interface DrainedMachine extends Machine {
  readonly credentials: ClientCredentials;
  readonly drain?: Drain | undefined;
}

/** Without given machines, the machine is one of the control plane and names the others. */
async function requestOf(machine: DrainedMachine, progress: Progress): Promise<DrainRequest> {
  const { credentials, drain = {} } = machine;
  const given = drain.controlPlanes && machinesAt(drain.controlPlanes, drain.endpoint, credentials);
  return {
    ...drainRequest(machine, given ?? (await findControlPlanes(machine)), drain, progress),
    whenDown: given === undefined ? "proceed" : "fail",
  };
}

/** The request to drain a node through these control plane machines. */
export function drainRequest(
  { node, privateAddress = node }: Machine,
  controlPlanes: readonly Machine[],
  drain: Drain,
  progress: Progress,
): DrainRequest {
  const { timeoutSeconds = DEFAULT_DRAIN_TIMEOUT_SECONDS, whenBlocked = "fail" } = drain;
  return { privateAddress, controlPlanes, timeoutSeconds, whenBlocked, progress };
}

/** The drain of one machine's node in one update, at most once. */
export class NodeDrain {
  private hasBegun = false;
  private hasCordoned = false;
  /** Found out once, while the machine answers. */
  private request: Promise<DrainRequest> | undefined;

  /** @param wasUp whether the machine is recorded as healthy once, so that it has a node */
  constructor(
    private readonly machine: DrainedMachine,
    private readonly wasUp: boolean,
    private readonly progress: Progress,
  ) {}

  /**
   * Drains the node if a drain is set and the machine was up.
   *
   * @throws what `drainNode` throws. The machine must not be changed then.
   */
  async begin(): Promise<void> {
    if (this.machine.drain === undefined || this.hasBegun) {
      return;
    }
    const status = await unlessSilent(
      withMachine(this.machine, (client) => readStatus(client, {})),
    );
    // A machine that isn't up has no pods to evict.
    if (status?.stage === "running") {
      this.hasBegun = true;
      this.hasCordoned = await drainNode(await this.requested());
    }
  }

  /**
   * Uncordons the node, also after a failure: a node that isn't ready gets no pods anyway. A killed
   * run may have left the node cordoned; the machine reports that. If it reports nothing, Kubernetes
   * is asked.
   */
  async end(): Promise<void> {
    const isOurs =
      this.hasCordoned || (this.machine.drain !== undefined && (await this.mayBeCordoned()));
    if (isOurs) {
      await uncordonNode(await this.requested());
    }
  }

  private requested(): Promise<DrainRequest> {
    this.request ??= requestOf(this.machine, this.progress);
    return this.request;
  }

  private async mayBeCordoned(): Promise<boolean> {
    const statuses = await unlessSilent(
      withMachine(this.machine, (client) => client.listResources(NODE_STATUSES)),
    );
    const [status] = statuses ?? [];
    return status === undefined ? this.wasUp : status.spec.includes(CORDONED_ANNOTATION);
  }
}

/** Whether a machine reports that it would restart for a configuration. */
export async function restartsFor({ machine, text, mode }: Delivery): Promise<boolean> {
  if (mode !== "auto" && mode !== "reboot") {
    return false;
  }
  const answer = await unlessSilent(
    withMachine(machine, (client) =>
      client.applyConfiguration({ data: text, mode: "AUTO", dryRun: true }),
    ),
  );
  return answer?.mode === "REBOOT" || (answer !== undefined && mode === "reboot");
}

/** The node of a machine that is terminated next, if the drain removes it. */
async function leavingNode(
  machine: DrainedMachine & LeavingMachine,
  progress: Progress,
): Promise<LeavingNode | undefined> {
  return machine.drain?.removeNode === true
    ? new LeavingNode(machine, await requestOf(machine, progress))
    : undefined;
}

/**
 * Drains the node of a machine that is terminated next and removes it from Kubernetes, if the drain
 * says so.
 *
 * @throws Error if that fails, with what to do
 */
export async function removeMachineNode(
  machine: DrainedMachine & LeavingMachine,
  progress: Progress,
): Promise<void> {
  const leaving = await leavingNode(machine, progress);
  try {
    await leaving?.drain();
    await leaving?.remove();
  } catch (error) {
    const { node, machineId } = machine;
    const message = messageOfError(error);
    throw new Error(
      `the node of machine ${node} (${machineId}) was not removed: ${message}. To continue without that, run "pulumi state delete" with the URN of this ConfigurationApply, then the command again`,
      { cause: error },
    );
  }
}
