import { nameOf } from "./pendingOperations";
import type { RepairStep } from "./planRepair";

type Undecided = Extract<RepairStep, { readonly kind: "undecided" }>;

export function describeRepair(steps: readonly RepairStep[]): string {
  return steps.map((step) => `  ${titleOf(step.urn)}: ${describeStep(step)}`).join("\n");
}

/**
 * Why a repair can't continue, and what to do.
 *
 * @returns undefined if everything is decided
 */
export function undecidedProblem(stack: string, steps: readonly RepairStep[]): string | undefined {
  const open = steps.filter((step): step is Undecided => step.kind === "undecided");
  const [first] = open;
  if (first === undefined) {
    return undefined;
  }
  const lines = open.map(({ urn, reason, ids }) => {
    const found = ids.length === 0 ? "" : ` (${ids.join(", ")})`;
    return `  ${urn}: ${reason}${found}`;
  });
  const example = first.ids[0] ?? "<id>";
  return [
    `the stack "${stack}" was killed while it created ${open.length === 1 ? "a resource" : `${open.length} resources`} whose state is unclear:`,
    ...lines,
    "check each one in AWS, then run one of these:",
    `  it was created:     talos-aws repair ${stack} --adopt '${first.urn}=${example}'`,
    `  it was not created: talos-aws repair ${stack} --forget '${first.urn}'`,
  ].join("\n");
}

function describeStep(step: RepairStep): string {
  switch (step.kind) {
    case "adopt":
      return step.isAssumed === true
        ? `AWS' provider can't look for it: it is added to the state as ${step.id}, and removed again if AWS does not have it`
        : `${step.id} was created and not recorded: it is added to the state`;
    case "remove":
      return `${step.id} was created once too often: the next up deletes it`;
    case "makeAgain":
      return "nothing was created: the next up creates it";
    case "refresh":
      return "its change was interrupted: a refresh reads its state";
    case "undecided":
      return `${step.reason}${step.ids.length === 0 ? "" : ` (${step.ids.join(", ")})`}`;
  }
}

function titleOf(urn: string): string {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  return `${type.split(":").at(-1) ?? ""} ${nameOf(urn)}`;
}
