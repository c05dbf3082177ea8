import type { Stack } from "@pulumi/pulumi/automation";
import { clusterAccess } from "../../../cli/status/clusterAccess";
import { type ClusterStatus, judgeStatus } from "../../../cli/status/clusterStatus";
import { readStatus } from "../../../cli/status/readStatus";
import { outputsIn, storedResources } from "./storedResources";

/** What `talos-aws status` says of a stack: its verdict, all problems and notes, and its machines. */
export async function statusOf(stack: Stack) {
  const outputs = Object.entries(outputsIn(await storedResources(stack)));
  const plain = Object.fromEntries(outputs.map(([name, value]) => [name, inClear(value)] as const));
  const status = await readStatus(stack.name, clusterAccess(stack.name, plain));
  return {
    verdict: judgeStatus(status),
    machines: status.machines.map(({ name }) => name),
    problems: problemsOf(status),
    notes: status.notes,
  };
}

function problemsOf({ machines, problems }: ClusterStatus): readonly string[] {
  const own = machines.flatMap((each) =>
    each.problems.map((problem) => `${each.name}: ${problem}`),
  );
  return [...own, ...problems];
}

function inClear(value: unknown): unknown {
  const { plaintext } = (value ?? {}) as { readonly plaintext?: string };
  return plaintext === undefined ? value : (JSON.parse(plaintext) as unknown);
}
