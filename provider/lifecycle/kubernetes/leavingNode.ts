import type { KubernetesNode } from "../../kubernetes/node";
import { isOtherInstance } from "../leaving/isOtherInstance";
import { type Machine, withMachine } from "../machine";
import { unlessSilent } from "../silence";
import { type DrainRequest, drainNode } from "./drainNode";
import { waitForKubernetes } from "./kubernetesAccess";
import { deleteNode, findNode, uncordonNode } from "./kubernetesNode";

/** A machine that is deleted. */
export interface LeavingMachine extends Machine {
  /** Its EC2 instance id. Another instance at its address is another machine. */
  readonly machineId: string;
}

/** A machine that is off must not delay the rest. */
const LOOK_TIMEOUT_MS = 5_000;

/**
 * The node of a machine that is deleted. The node of another machine with its address is left
 * alone.
 */
export class LeavingNode {
  private isAnothers: boolean | undefined;
  private isDrained = false;

  constructor(
    private readonly machine: LeavingMachine,
    private readonly request: DrainRequest,
  ) {}

  /**
   * Drains it.
   *
   * @throws what `drainNode` throws
   */
  async drain(): Promise<void> {
    if (!(await this.hasAnothersAddress())) {
      await drainNode(this.request);
      this.isDrained = true;
    }
  }

  /** Uncordons a drained node, because the machine stays. */
  async keep(): Promise<void> {
    if (this.isDrained) {
      await uncordonNode(this.request);
    }
  }

  /**
   * Deletes it from Kubernetes. Otherwise it would stay, not ready, until a cloud controller or a
   * person deletes it.
   *
   * @throws WaitTimeoutError if Kubernetes doesn't answer in time
   * @throws KubernetesApiError if the server refuses the administrator
   */
  async remove(): Promise<void> {
    if (await this.hasAnothersAddress()) {
      return;
    }
    const { privateAddress, controlPlanes, timeoutSeconds, progress } = this.request;
    await waitForKubernetes({
      what: `the node of machine ${privateAddress} to be removed from Kubernetes`,
      deadlineMs: timeoutSeconds * 1_000,
      controlPlanes,
      progress,
      look: async (access, signal) => {
        const node = await findNode(access, privateAddress, signal);
        if (node !== undefined && !this.isOther(node)) {
          await deleteNode(access, node, signal);
        }
        return { done: true, value: undefined };
      },
    });
  }

  /** By the id that a cloud controller has recorded, if any. */
  private isOther({ providerId }: KubernetesNode): boolean {
    return providerId !== undefined && !providerId.endsWith(`/${this.machine.machineId}`);
  }

  /** Asked once. If the machine is silent, no other owner of its address is known. */
  private async hasAnothersAddress(): Promise<boolean> {
    const { machineId } = this.machine;
    this.isAnothers ??=
      (await unlessSilent(
        withMachine(this.machine, (client) =>
          isOtherInstance(client, machineId, { timeoutMs: LOOK_TIMEOUT_MS }),
        ),
      )) ?? false;
    return this.isAnothers;
  }
}
