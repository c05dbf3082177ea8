import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";

/** What a run did to resources that aren't components, as its steps that came to their end tell. */
export interface SeenOperations {
  /** `update Instance m-1 of ControlPlane m (instanceType)`; nothing of what stayed. */
  readonly changes: readonly string[];
  readonly counts: Readonly<Record<string, number>>;
  /** Steps that didn't end well. */
  readonly problems: readonly string[];
}

/** The engine's steps of which each operation is made. */
const steps = new Map([
  ["same", "same"],
  ["create", "create"],
  ["update", "update"],
  ["delete", "delete"],
  ["create-replacement,delete-replaced,replace", "replace"],
]);

/** Reads what a run did. */
export function seenOperations(events: readonly EngineEvent[]): SeenOperations {
  const own = (metadata: StepEventMetadata | undefined): metadata is StepEventMetadata =>
    (metadata?.new ?? metadata?.old)?.custom === true &&
    metadata?.type.startsWith("pulumi:providers:") === false;
  const ended = events.map(({ resOutputsEvent }) => resOutputsEvent?.metadata).filter(own);
  const begun = events.map(({ resourcePreEvent }) => resourcePreEvent?.metadata).filter(own);
  const failed = events.map(({ resOpFailedEvent }) => resOpFailedEvent?.metadata).filter(own);
  const counts: Record<string, number> = { create: 0, update: 0, replace: 0, delete: 0, same: 0 };
  const changes: string[] = [];
  for (const urn of new Set(ended.map((metadata) => metadata.urn))) {
    const ofResource = ended.filter((metadata) => metadata.urn === urn);
    const taken = ofResource.map(({ op }) => op).sort();
    const operation = steps.get(taken.join(",")) ?? taken.join(" and ");
    counts[operation] = (counts[operation] ?? 0) + 1;
    if (operation !== "same") {
      // What ended no longer tells of whose parts it was, when it was deleted.
      const whole = [...begun.filter((metadata) => metadata.urn === urn), ...ofResource];
      changes.push(describe(operation, urn, whole));
    }
  }
  const isOver = (one: StepEventMetadata) =>
    ended.some(({ urn, op }) => urn === one.urn && op === one.op);
  return {
    changes,
    counts,
    problems: [
      ...begun.filter((one) => !isOver(one)).map(({ urn, op }) => `${op} of ${urn} has no end`),
      ...failed.map(({ urn, op }) => `${op} of ${urn} failed`),
    ],
  };
}

function describe(
  operation: string,
  urn: string,
  ofResource: readonly StepEventMetadata[],
): string {
  const states = ofResource.flatMap(({ old, new: now }) => [now, old]);
  const parent = states.map((state) => state?.parent ?? "").find((one) => one !== "") ?? "";
  const component = parent.includes("::pulumi:pulumi:Stack::")
    ? (urn.split("::")[0]?.replace("urn:pulumi:", "") ?? "")
    : `${kindOf(parent)} ${nameOf(parent)}`;
  // An address that a machine gets anew is no reason, but follows from one.
  const following = ["publicDns", "publicIp", "defaultVersion", "latestVersion"];
  const reasons = ofResource.flatMap(({ op, diffs = [], keys = [] }) =>
    op === "update"
      ? diffs.filter((name) => !following.includes(name))
      : op === "replace"
        ? keys
        : [],
  );
  const isRenewed =
    operation === "update" &&
    reasons.length === 0 &&
    ofResource.some(({ old: before, new: after }) => ends(before) !== ends(after));
  const because = isRenewed
    ? "its certificate is renewed"
    : [...new Set(reasons)].sort().join(", ");
  return `${operation} ${kindOf(urn)} ${nameOf(urn)} of ${component} (${because})`;
}

function ends(state: StepEventMetadata["old"]): unknown {
  return state?.outputs.notAfter;
}

function kindOf(urn: string): string {
  return urn.split("::")[2]?.split(":").at(-1) ?? "";
}

function nameOf(urn: string): string {
  return urn.split("::").slice(3).join("::");
}
