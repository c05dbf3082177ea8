import { waitFor, WaitTimeoutError } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { messageOfError } from "../../base/messageOfError";
import type { Progress } from "../../base/progress";
import { judgeAuthorities } from "../../config/authorityPath";
import type { ConfigDocument } from "../../config/machineConfig";
import { trustdTokenProblem } from "../../config/trustdTokenPath";
import { decodeDocuments } from "../../config/yaml/encode";
import type { Rotation } from "../../pki/rotation/rotation";
import { outlineMachineConfiguration } from "../../render/renderMachineConfiguration";
import { readMachineConfig } from "../delivery/machineConfigs";
import {
  isOnlyRemembered,
  type NamedMachine,
  namedMachines,
  nodePoolOf,
} from "../etcd/memberRegisters";
import { readDiscovered, readRegisters } from "../etcd/readRegisters";
import { type Machine, withMachine } from "../machine";

/** How long a machine must be silent to count as gone. */
const GONE_MS = 30_000;

/** How long one must be silent that only discovery names. */
const REMEMBERED_MS = 5_000;

/** The stages that are to begin. */
export interface StageTarget {
  readonly rotation: Rotation;
  /** The outline of the control plane's configuration in them. */
  readonly outline: ConfigDocument;
}

/**
 * Asks every machine of a cluster whether its CAs are ready for another stage, and workers whether they have
 * the trustd token that stays. Discovery, etcd and Kubernetes name the machines, also those of auto scaling
 * groups and of Karpenter, which nothing else in a run waits for. A silent machine only causes a
 * warning. One that only discovery remembers causes none.
 *
 * @param machine a control plane machine
 * @param deadline in milliseconds since 1970
 * @throws Error that names each machine that isn't ready, and what to do
 */
export async function readyForStage(
  machine: Machine,
  { rotation, outline: target }: StageTarget,
  deadline: number,
  progress: Progress,
): Promise<void> {
  const discovered = await ask(machine, "its cluster's machines", deadline, progress, (client) =>
    readDiscovered(client),
  );
  const registers = await readRegisters(machine);
  const named = namedMachines(discovered, registers);
  const look = async (
    node: string,
    isRemembered: boolean,
    nodePool?: string,
  ): Promise<readonly string[]> => {
    const silenceMs = isRemembered ? REMEMBERED_MS : GONE_MS;
    const until = Math.min(deadline, clock.now() + silenceMs);
    try {
      const text = await ask({ ...machine, node }, "its configuration", until, progress, (client) =>
        readMachineConfig(client, "v1alpha1"),
      );
      if (text === undefined) {
        return [];
      }
      const before = outlineMachineConfiguration(decodeDocuments(text));
      const token =
        rotation.trustdToken?.stage === "drop" ? trustdTokenProblem(before, target) : undefined;
      const { problems } = judgeAuthorities(before, target);
      const way = nodePool === undefined ? "" : `. ${whenReplaced(nodePool)}`;
      return [...problems, ...(token === undefined ? [] : [token])].map(
        (problem) => `machine ${node}: ${problem}${way}`,
      );
    } catch (error) {
      if (!(error instanceof Error && error.cause instanceof WaitTimeoutError)) {
        throw error;
      }
      if (!isRemembered) {
        progress.warn(
          `machine ${node} doesn't answer, so it was not asked: ${error.cause.message}`,
        );
      }
      return [];
    }
  };
  const looks =
    named.length === 0
      ? [look(machine.node, false)]
      : named.map((each: NamedMachine) =>
          look(
            each.addresses[0] ?? "",
            isOnlyRemembered(each, registers),
            nodePoolOf(each, registers),
          ),
        );
  const problems = (await Promise.all(looks)).flat();
  if (problems.length > 0) {
    throw new Error(`no machine was changed: ${problems.join("; ")}`);
  }
}

/** Karpenter replaces its machines by itself, after the run that changed their configuration. */
function whenReplaced(nodePool: string): string {
  return `Karpenter launched it for the NodePool "${nodePool}" and has not replaced it yet, which its budgets and pods may delay: run the command again when "kubectl get nodeclaims" shows only younger machines of that pool, or delete this machine's NodeClaim`;
}

async function ask<Answer>(
  machine: Machine,
  what: string,
  deadline: number,
  { report }: Progress,
  question: Parameters<typeof withMachine<Answer>>[1],
): Promise<Answer> {
  try {
    return await waitFor<Answer>({
      what: `machine ${machine.node} to report ${what}`,
      deadlineMs: Math.max(0, deadline - clock.now()),
      report,
      probe: async () => ({ done: true, value: await withMachine(machine, question) }),
    });
  } catch (error) {
    const reason = messageOfError(error);
    throw new Error(
      `no machine was changed, because it is unknown whether machine ${machine.node} is ready for this stage: ${reason}. Set the previous stage and run "pulumi up"; replace a lost machine`,
      { cause: error },
    );
  }
}
