import { parse } from "yaml";
import { waitFor, WaitTimeoutError } from "../api/waitFor";
import { clock } from "../clock";
import { judgeAuthorities } from "../config/authorityPath";
import { decodeDocuments } from "../config/encode";
import type { ConfigDocument } from "../config/machineConfig";
import type { Progress } from "../progress";
import { outlineMachineConfiguration } from "../renderMachineConfiguration";
import { type Machine, withMachine } from "./machine";
import { readMachineConfig } from "./machineConfigs";

/**
 * The members of a cluster that a machine has discovered. Source: Talos v1.12.1, `cluster`
 * resources.
 */
const MEMBERS = { namespace: "cluster", type: "Members.cluster.talos.dev" };

/** How long a machine must be silent to count as gone. */
const GONE_MS = 30_000;

/**
 * Asks every machine of a cluster whether its CAs are ready for another stage, including machines
 * of auto scaling groups. The first machine reports the others that it has discovered. Discovery
 * remembers lost machines for half an hour, so a silent machine only causes a warning.
 *
 * @param machine a control plane machine
 * @param target the outline of the control plane's configuration in that stage
 * @param deadline in milliseconds since 1970
 * @throws Error that names each machine that isn't ready, and what to do
 */
export async function readyForStage(
  machine: Machine,
  target: ConfigDocument,
  deadline: number,
  progress: Progress,
): Promise<void> {
  const nodes = await ask(machine, "the machines of its cluster", deadline, progress, (client) =>
    client.listResources(MEMBERS),
  );
  const others = nodes.flatMap(({ spec }) => {
    const { addresses = [] } = parse(spec) as { readonly addresses?: readonly string[] };
    return addresses.slice(0, 1);
  });
  const problems: string[] = [];
  for (const node of others.length === 0 ? [machine.node] : others) {
    const until = Math.min(deadline, clock.now() + GONE_MS);
    const text = await ask({ ...machine, node }, "its configuration", until, progress, (client) =>
      readMachineConfig(client, "v1alpha1"),
    ).catch((error: unknown) => {
      if (error instanceof Error && error.cause instanceof WaitTimeoutError) {
        progress.warn(
          `machine ${node} doesn't answer, so it was not asked: ${error.cause.message}`,
        );
        return undefined;
      }
      throw error;
    });
    if (text === undefined) {
      continue;
    }
    const before = outlineMachineConfiguration(decodeDocuments(text));
    const found = judgeAuthorities(before, target).problems;
    problems.push(...found.map((problem) => `machine ${node}: ${problem}`));
  }
  if (problems.length > 0) {
    throw new Error(`no machine was changed: ${problems.join("; ")}`);
  }
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
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `no machine was changed, because it is unknown whether machine ${machine.node} is ready for this stage: ${reason}. Set the previous stage and run "pulumi up"; replace a lost machine`,
      { cause: error },
    );
  }
}
