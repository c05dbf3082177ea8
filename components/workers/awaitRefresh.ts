import * as pulumi from "@pulumi/pulumi";
import { waitFor, type ProbeResult } from "../../provider/api/waitFor";
import { isKubernetesRefusal } from "../../provider/lifecycle/askKubernetes";
import type { KubernetesNode } from "../../provider/lifecycle/readNodes";
import type { PoolMachines } from "./poolMachines";

/** What is waited for, and how. */
export interface RefreshWait {
  /** Name of the auto scaling group. */
  readonly groupName: string;
  /** Looks which machines the group has. */
  readonly find: () => Promise<PoolMachines>;
  /** Asks Kubernetes for its nodes. Undefined: EC2's word counts alone. */
  readonly nodes: ((signal: AbortSignal) => Promise<readonly KubernetesNode[]>) | undefined;
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
        const { old, current } = await find();
        if (old.length > 0) {
          const seen = `${old.length} of ${old.length + current.length} machines still have the old launch template version`;
          return { done: false, seen };
        }
        const nodes = await wait.nodes?.(signal);
        const missing = current.filter(
          ({ privateAddress }) =>
            nodes !== undefined &&
            !nodes.some(({ isReady, addresses }) => isReady && addresses.includes(privateAddress)),
        );
        const names = missing.map(({ instanceId }) => instanceId).join(", ");
        return missing.length === 0
          ? { done: true, value: undefined }
          : { done: false, seen: `no Ready node in Kubernetes for ${names}` };
      },
    });
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    throw new pulumi.RunError(
      `${message}. Groups after it keep their machines. "aws autoscaling describe-instance-refreshes --auto-scaling-group-name ${groupName}" says how far AWS is; when it gave up, mend the cause and start again with "aws autoscaling start-instance-refresh"`,
    );
  }
}
