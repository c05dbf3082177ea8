import { nameOf } from "./pendingOperations";
import type { RepairStep } from "./planRepair";

type Undecided = Extract<RepairStep, { readonly kind: "undecided" }>;

/** Says in words what a repair does: one line a resource. */
export function describeRepair(steps: readonly RepairStep[]): string {
  return steps.map((step) => `  ${titleOf(step.urn)}: ${whatBecomes(step)}`).join("\n");
}

/**
 * Why a repair can't go on, and what to do.
 *
 * @returns nothing when all is decided
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
    `the stack "${stack}" was killed while it made ${open.length === 1 ? "something" : `${open.length} things`} of which it can't be told what became:`,
    ...lines,
    "look in AWS, then say for each what is true:",
    `  it was made:     talos-aws repair ${stack} --adopt '${first.urn}=${example}'`,
    `  it was not made: talos-aws repair ${stack} --forget '${first.urn}'`,
  ].join("\n");
}

function whatBecomes(step: RepairStep): string {
  switch (step.kind) {
    case "adopt":
      return `${step.id} was made and not recorded: it is taken into the state`;
    case "remove":
      return `${step.id} was made and is one too many: the next up deletes it`;
    case "makeAgain":
      return "nothing is there that is in the way: the next up makes it";
    case "refresh":
      return "its change was cut off: AWS or the machine is asked how it is";
    case "undecided":
      return `${step.reason}${step.ids.length === 0 ? "" : ` (${step.ids.join(", ")})`}`;
  }
}

/** The type without its package's path, and the name. */
function titleOf(urn: string): string {
  const type = urn.split("::")[2]?.split("$").at(-1) ?? "";
  return `${type.split(":").at(-1) ?? ""} ${nameOf(urn)}`;
}
