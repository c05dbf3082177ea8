import type { Stack } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";
import { describeDamage, hintOfDamage, isLost } from "./describeDamage";
import { type Damage, findDamage } from "./findDamage";
import { findLocks, type FoundLock } from "./findLocks";
import { isHarmless, mendFiles } from "./mendFiles";
import { filesOfStack } from "./stackFiles";

export interface Mending {
  /** Whether consent to the command includes what may lose a step of the state, or another run's lock. */
  readonly consentsToAll: boolean;
  readonly say: (line: string) => void;
  readonly confirm: () => Promise<boolean>;
}

interface Condition {
  readonly damages: readonly Damage[];
  /** Locks of runs that may be active. */
  readonly locks: readonly FoundLock[];
}

/** The condition of a stack's files; without damage if the backend isn't a folder. It never throws. */
async function conditionOf(stack: Stack): Promise<Condition> {
  try {
    const files = await filesOfStack(stack);
    if (files !== undefined) {
      const [damages, locks] = await Promise.all([findDamage(files), findLocks(files)]);
      return { damages, locks: locks.filter(({ isActive }) => isActive) };
    }
  } catch {
    // What can't be looked at isn't mended either: the engine has said why it fails.
  }
  return { damages: [], locks: [] };
}

/** What a command that failed at a stack's files says besides the engine's reason; undefined without damage. */
export async function hintFor(stack: Stack): Promise<string | undefined> {
  const { damages, locks } = await conditionOf(stack);
  return damages.length === 0 ? undefined : hintOfDamage(stack.name, damages, locks);
}

/**
 * Mends the damaged files of a stack's backend, after saying what that is.
 *
 * @returns `declined` if a person refused
 * @throws CommandFailure if the state can't be mended, or another run may be active
 */
export async function mendBackend(
  stack: Stack,
  { consentsToAll, say, confirm }: Mending,
): Promise<"whole" | "mended" | "declined"> {
  const { damages, locks } = await conditionOf(stack);
  if (damages.length === 0) {
    return "whole";
  }
  if (damages.some(isLost) || locks.length > 0) {
    throw new CommandFailure(hintOfDamage(stack.name, damages, locks));
  }
  say(`A killed run or a computer that went down has left damaged files of "${stack.name}":`);
  damages.forEach((damage) => {
    say(`  ${describeDamage(damage)}`);
  });
  if (!consentsToAll && !damages.every(isHarmless) && !(await confirm())) {
    return "declined";
  }
  await mendFiles(damages);
  if (damages.some(({ kind }) => kind === "state")) {
    say(
      `The last step of that run may be missing in the state. Compare it with AWS: "talos-aws up ${stack.name} --refresh"`,
    );
  }
  return "mended";
}
