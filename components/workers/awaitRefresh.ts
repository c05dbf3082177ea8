import * as pulumi from "@pulumi/pulumi";
import { waitFor, type ProbeResult } from "../../provider/api/waitFor";
import { isKubernetesRefusal } from "../../provider/lifecycle/askKubernetes";
import type { KubernetesNode } from "../../provider/lifecycle/readNodes";
import type { OldMachinesDrain } from "./oldMachinesDrain";
import type { PoolMachines } from "./poolMachines";

/** How long Kubernetes may take to let pods in again where AWS has given up. */
const GIVE_UP_TIMEOUT_MS = 30_000;

/** What is waited for, and how. */
export interface RefreshWait {
  /** Name of the auto scaling group. */
  readonly groupName: string;
  /** Looks which machines the group has. */
  readonly find: () => Promise<PoolMachines>;
  /** Asks Kubernetes for its nodes. Undefined: EC2's word counts alone. */
  readonly nodes: ((signal: AbortSignal) => Promise<readonly KubernetesNode[]>) | undefined;
  /** Moves pods off machines that are replaced. Default: nobody does. */
  readonly drain?: Pick<OldMachinesDrain, "look" | "end" | "giveUp"> | undefined;
  readonly timeoutSeconds: number;
  /** Pause between two looks. Default: 5 s, as AWS limits how often it is asked. */
  readonly intervalMs?: number;
  readonly report?: (line: string) => void;
}

/**
 * Waits until a group has no machine of an older version of its launch template left and, where
 * Kubernetes can be asked, each of its machines is a Ready node. The AWS provider starts an instance
 * refresh and doesn't wait for its end.
 *
 * @throws Error when that doesn't come about in time, with what was last seen and what to do
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
          return { done: false, seen: pods === "" ? seen : `${seen}; pods ${pods}` };
        }
        const nodes = await wait.nodes?.(signal);
        const missing = current.filter(
          ({ privateAddress }) =>
            nodes !== undefined &&
            !nodes.some(({ isReady, addresses }) => isReady && addresses.includes(privateAddress)),
        );
        const names = missing.map(({ instanceId }) => instanceId).join(", ");
        if (missing.length > 0) {
          return { done: false, seen: `no Ready node in Kubernetes for ${names}` };
        }
        await wait.drain?.end(machines, signal);
        return { done: true, value: undefined };
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    await wait.drain?.giveUp(AbortSignal.timeout(GIVE_UP_TIMEOUT_MS)).catch(() => undefined);
    throw new pulumi.RunError(
      `${message}. Groups after it keep their machines. "aws autoscaling describe-instance-refreshes --auto-scaling-group-name ${groupName}" says how far AWS is; when it gave up, mend the cause and start again with "aws autoscaling start-instance-refresh"`,
    );
  }
}
