import type { PreviewSummary } from "../../preview";
import { seenOperations } from "./seenOperations";
import type { SeenRun } from "./seenRun";
import { seenTurns } from "./seenTurns";

/**
 * In what a run was not exactly what its preview said, a sentence each: a step too many or too few,
 * another reason, another fate of a machine, another order of the control plane's turns. It is read
 * from what happened, with no part of what makes summaries.
 */
export function unlikePreview(summary: PreviewSummary, run: SeenRun): readonly string[] {
  const done = seenOperations(run.events);
  const turns = seenTurns(run);
  return [
    ...differences(describeResources(summary), done.changes),
    ...differences(
      Object.entries(summary.counts).map(([operation, count]) => `${count} × ${operation}`),
      Object.entries(done.counts).map(([operation, count]) => `${count} × ${operation}`),
    ),
    ...done.problems,
    ...differences(describeMachines(summary), run.machines.map(describeMachine)),
    ...turns.problems,
    ...differences(numbered(describeQuorum(summary)), numbered(turns.turns)),
    ...differences([fewestOf(summary, run)], [`${run.fewestControlPlanes} ran when fewest did`]),
  ];
}

/** What is only in one of two lists, in which the same may stand twice. */
function differences(said: readonly string[], done: readonly string[]): readonly string[] {
  const rest = [...done];
  const missing = said.filter((one) => {
    const index = rest.indexOf(one);
    return index < 0 || rest.splice(index, 1).length === 0;
  });
  return [
    ...missing.map((one) => `said, and not done: ${one}`),
    ...rest.map((one) => `done, and not said: ${one}`),
  ];
}

function describeResources({ groups }: PreviewSummary): readonly string[] {
  return groups.flatMap(({ component, resources }) =>
    resources.map(
      ({ operation, kind, name, because }) =>
        `${operation} ${kind} ${name} of ${component} (${because.join(", ")})`,
    ),
  );
}

function describeMachines({ machines }: PreviewSummary): readonly string[] {
  return machines.map(({ lines, effect, ...machine }) =>
    describeMachine({
      ...machine,
      effect,
      lines: lines
        .map(
          ({ path, before, after }) =>
            `${path.join(".")}: ${JSON.stringify(before)} → ${JSON.stringify(after)}`,
        )
        .sort(),
    }),
  );
}

function describeMachine(machine: {
  readonly name: string;
  readonly role: string;
  readonly effect: string;
  readonly lines: readonly string[];
}): string {
  const { name, role, effect, lines } = machine;
  return `${role} ${name} ${effect} [${lines.join("; ")}]`;
}

function describeQuorum({ quorum }: PreviewSummary): readonly string[] {
  return quorum.map(
    ({ machine, what, members, healthy, needed, holds }) =>
      `${machine} ${what}: ${healthy} of ${members}, ${needed} needed, ${holds ? "holds" : "lost"}`,
  );
}

function numbered(lines: readonly string[]): readonly string[] {
  return lines.map((line, index) => `turn ${index + 1}: ${line}`);
}

function fewestOf({ quorum }: PreviewSummary, { controlPlanesBefore }: SeenRun): string {
  const fewest = Math.min(controlPlanesBefore, ...quorum.map(({ healthy }) => healthy));
  return `${fewest} ran when fewest did`;
}
