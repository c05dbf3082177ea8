import type { PendingOperation, RecordedStack } from "./pendingOperations";

/** What was looked for and found of the create of a resource. */
export type Finding =
  /** All that fits what was asked for. */
  | { readonly ids: readonly string[] }
  /** Making it again does no harm. */
  | { readonly repeatable: true }
  /** It could not be found out, or what is there may be somebody else's. */
  | { readonly unsure: string; readonly ids: readonly string[] };

/** What is done about one resource. */
export type RepairStep =
  /** What was made becomes the resource, in the state. */
  | { readonly kind: "adopt"; readonly urn: string; readonly id: string }
  /** What was made is one too many: it goes with the next `up` or `destroy`. */
  | { readonly kind: "remove"; readonly urn: string; readonly id: string }
  /** Nothing was made, or making it again does no harm: the next `up` makes it. */
  | { readonly kind: "makeAgain"; readonly urn: string }
  /** The resource is recorded; what became of its change is asked of the cloud. */
  | { readonly kind: "refresh"; readonly urn: string }
  /** A person has to say. */
  | {
      readonly kind: "undecided";
      readonly urn: string;
      readonly reason: string;
      readonly ids: readonly string[];
    };

/** What a person has decided, by URN. */
export interface Decisions {
  /** Ids that become the resources. */
  readonly adopt: Readonly<Record<string, string>>;
  /** Resources of which nothing was made, or whose remains a person removes. */
  readonly forget: ReadonlySet<string>;
}

/** No decisions. */
export const UNDECIDED: Decisions = { adopt: {}, forget: new Set() };

/**
 * Plans what becomes of everything that was begun and not recorded. Pure.
 *
 * A create that was cut off made one thing at most. So of as many fitting things as there were such
 * creates, the first becomes the resource, unless it is recorded already, and the others go; of more,
 * some are somebody else's, and nothing is done about any.
 *
 * @param findings by URN, for each resource that was being created
 */
export function planRepair(
  { resources, pending }: RecordedStack,
  findings: Readonly<Record<string, Finding>>,
  decisions: Decisions = UNDECIDED,
): readonly RepairStep[] {
  const recorded = new Set(resources.flatMap(({ id }) => (id === undefined ? [] : [id])));
  const live = new Set(resources.filter((each) => each.delete !== true).map(({ urn }) => urn));
  const urns = [...new Set(pending.map(({ resource }) => resource.urn))];
  return urns.flatMap((urn): readonly RepairStep[] => {
    const operations = pending.filter(({ resource }) => resource.urn === urn);
    const creates = operations.filter(isCreate).length;
    if (creates === 0) {
      return [{ kind: "refresh", urn }];
    }
    const adopted = decisions.adopt[urn];
    if (adopted !== undefined) {
      return [{ kind: live.has(urn) ? "remove" : "adopt", urn, id: adopted }];
    }
    if (decisions.forget.has(urn)) {
      return [{ kind: "makeAgain", urn }];
    }
    const finding = findings[urn] ?? { unsure: "it was not looked for", ids: [] };
    if ("repeatable" in finding) {
      return [{ kind: "makeAgain", urn }];
    }
    const ids = finding.ids.filter((id) => !recorded.has(id));
    if ("unsure" in finding) {
      return [{ kind: "undecided", urn, reason: finding.unsure, ids }];
    }
    return stepsFor(urn, ids, { creates, isLive: live.has(urn) });
  });
}

/** Whether the engine was making something, of which it knows no id. */
export function isCreate({ type }: PendingOperation): boolean {
  return type === "creating";
}

function stepsFor(
  urn: string,
  ids: readonly string[],
  { creates, isLive }: { readonly creates: number; readonly isLive: boolean },
): readonly RepairStep[] {
  const [first, ...others] = [...ids].sort();
  if (first === undefined) {
    return [{ kind: "makeAgain", urn }];
  }
  if (ids.length > creates) {
    const reason = `${ids.length} fit, and ${creates} at most ${creates === 1 ? "is" : "are"} of this stack`;
    return [{ kind: "undecided", urn, reason, ids }];
  }
  return [
    { kind: isLive ? "remove" : "adopt", urn, id: first },
    ...others.map((id) => ({ kind: "remove" as const, urn, id })),
  ];
}
