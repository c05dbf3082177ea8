import { basename } from "node:path";
import type { Damage } from "./findDamage";
import type { FoundLock } from "./findLocks";

/** The documentation of what a killed engine leaves. */
const STATE_PAGE = "docs/state.md of pulumi-talos-aws";

/** Whether a cut-off state has no complete copy. Pure. */
export function isLost(damage: Damage): boolean {
  return damage.kind === "state" && damage.copy === undefined;
}

/** What is wrong with a file, and what mends it. Pure. */
export function describeDamage(damage: Damage): string {
  const { file } = damage;
  switch (damage.kind) {
    case "metadata":
      return `"${file}" is cut off: it is deleted, as it holds nothing that is needed`;
    case "version":
      return `"${file}" is empty: it gets the version of the backend back`;
    case "lock":
      return `the lock "${file}" ${damage.owner}: it is deleted`;
    case "draft":
      return `the state "${file}" lacks its last step: "${basename(damage.copy.file)}" of ${damage.copy.writtenAt.toISOString()} has it and takes its place, and the older one is kept beside it`;
    case "state":
      return damage.copy === undefined
        ? `the state "${file}" is cut off, and there is no complete copy of it: put one from a backup of that folder in its place`
        : `the state "${file}" is cut off: "${basename(damage.copy.file)}" of ${damage.copy.writtenAt.toISOString()} takes its place, and the cut-off one is kept beside it`;
  }
}

/** What a command that failed because of damaged files says besides the engine's reason. Pure. */
export function hintOfDamage(
  stack: string,
  damages: readonly Damage[],
  activeLocks: readonly FoundLock[],
): string {
  const lines = [
    "a killed run or a computer that went down has left damaged files:",
    ...damages.map((each) => `  ${describeDamage(each)}`),
    ...activeLocks.map(
      ({ file, owner }) => `  another run may be active: the lock "${file}" ${owner}`,
    ),
    ...(activeLocks.length === 0 ? [] : [`if it isn't, run "pulumi cancel --stack ${stack}"`]),
    damages.some(isLost)
      ? `then run "talos-aws repair ${stack}". See "File" in ${STATE_PAGE}`
      : `run "talos-aws repair ${stack}" for that, while no other run is active. See "File" in ${STATE_PAGE}`,
  ];
  return lines.join("\n");
}
