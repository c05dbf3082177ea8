import * as pulumi from "@pulumi/pulumi";
import { type ProbeResult, waitFor } from "../../provider/api";
import { messageOfError } from "../../provider/base";
import type { KubernetesNode } from "../../provider/kubernetes";
import { isKubernetesRefusal } from "../../provider/lifecycle";
import type { OldMachinesDrain } from "./oldMachinesDrain";
import type { PoolMachines } from "./poolMachines";

/** How long uncordoning may take after AWS has given up. */
const GIVE_UP_TIMEOUT_MS = 30_000;

type SeenNode = Pick<KubernetesNode, "isReady" | "addresses">;

/** The refresh to wait for. */
export interface RefreshWait {
  readonly groupName: string;
  readonly find: () => Promise<PoolMachines>;
  /** Asks Kubernetes for its nodes. Undefined: only EC2's state counts. */
  readonly nodes: ((signal: AbortSignal) => Promise<readonly SeenNode[]>) | undefined;
  /** Moves pods off machines that are replaced. Default: no drain. */
  readonly drain?: Pick<OldMachinesDrain, "look" | "end" | "giveUp"> | undefined;
  readonly timeoutSeconds: number;
  /** Pause between two checks. Default: 5 s, because AWS limits the number of requests. */
  readonly intervalMs?: number;
  readonly report?: (line: string) => void;
}

/**
 * Waits until a group has no machine of an older launch template version and, if Kubernetes can be
 * asked, each machine is a Ready node. The AWS provider starts an instance refresh and doesn't wait
 * for its end.
 *
 * @throws Error at the deadline, with the last state and what to do
 */
export async function awaitRefresh(wait: RefreshWait): Promise<void> {
  const { groupName, find, timeoutSeconds, intervalMs = 5_000, report } = wait;
  try {
    await waitFor<undefined>({
      what: `the auto scaling group ${groupName} to replace its machines`,
      deadlineMs: timeoutSeconds * 1_000,
      intervalMs,
      ...(report && { report }),
      isFatal: isKubernetesRefusal,
      probe: async ({ signal }): Promise<ProbeResult<undefined>> => {
        const machines = await find();
        const { old, current } = machines;
        if (old.length > 0) {
          const seen = `${old.length} of ${old.length + current.length} machines still have the old launch template version`;
          const pods = (await wait.drain?.look(machines, signal)) ?? "";
          return { done: false, status: pods === "" ? seen : `${seen}; pods ${pods}` };
        }
        const nodes = await wait.nodes?.(signal);
        const missing = current.filter(
          ({ privateAddress }) =>
            nodes !== undefined &&
            !nodes.some(({ isReady, addresses }) => isReady && addresses.includes(privateAddress)),
        );
        const names = missing.map(({ instanceId }) => instanceId).join(", ");
        if (missing.length > 0) {
          return { done: false, status: `no Ready node in Kubernetes for ${names}` };
        }
        await wait.drain?.end(machines, signal);
        return { done: true, value: undefined };
      },
    });
  } catch (error) {
    const message = messageOfError(error);
    await wait.drain?.giveUp(AbortSignal.timeout(GIVE_UP_TIMEOUT_MS)).catch(() => undefined);
    throw new pulumi.RunError(
      `${message}. Groups after it keep their machines. "aws autoscaling describe-instance-refreshes --auto-scaling-group-name ${groupName}" says how far AWS is; if AWS gave up, fix the cause and start it again with "aws autoscaling start-instance-refresh"`,
    );
  }
}
