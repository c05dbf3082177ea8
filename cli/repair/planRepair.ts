import type { PendingOperation, RecordedStack } from "./pendingOperations";

export type Finding =
  /** The ids of everything that matches its inputs. */
  | { readonly ids: readonly string[] }
  /** Its id, if it was created. Only a refresh tells whether AWS has it. */
  | { readonly assumed: string }
  /** Creating it again does no harm. */
  | { readonly repeatable: true }
  /** The search failed, or the match may belong to another stack. */
  | { readonly unsure: string; readonly ids: readonly string[] };

export type RepairStep =
  /**
   * The created object becomes the resource in the state. If its creation is only assumed, the
   * refresh removes it again unless AWS has it.
   */
  | {
      readonly kind: "adopt";
      readonly urn: string;
      readonly id: string;
      readonly isAssumed?: boolean;
    }
  /** The created object is a duplicate: the next `up` or `destroy` deletes it. */
  | { readonly kind: "remove"; readonly urn: string; readonly id: string }
  /** Nothing was created, or creating it again does no harm: the next `up` creates it. */
  | { readonly kind: "makeAgain"; readonly urn: string }
  /** The resource is recorded; a refresh reads the result of its change. */
  | { readonly kind: "refresh"; readonly urn: string }
  | {
      readonly kind: "undecided";
      readonly urn: string;
      readonly reason: string;
      readonly ids: readonly string[];
    };

/** A person's decisions, by URN. */
export interface Decisions {
  /** Ids of objects that become the resources. */
  readonly adopt: Readonly<Record<string, string>>;
  /** Resources for which nothing was created, or whose remains a person deletes. */
  readonly forget: ReadonlySet<string>;
}

export const UNDECIDED: Decisions = { adopt: {}, forget: new Set() };

/**
 * Plans the repair of all pending operations. Pure.
 *
 * An interrupted create made one object at most. So if at most as many objects match as there were
 * such creates, the first becomes the resource, unless it is recorded already, and the others are
 * deleted. If more match, some belong to another owner, and nothing is done.
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
    const finding = findings[urn] ?? { unsure: "it was not searched for", ids: [] };
    if ("repeatable" in finding) {
      return [{ kind: "makeAgain", urn }];
    }
    if ("assumed" in finding) {
      return stepsForAssumed(urn, finding.assumed, recorded, live);
    }
    const ids = finding.ids.filter((id) => !recorded.has(id));
    if ("unsure" in finding) {
      return [{ kind: "undecided", urn, reason: finding.unsure, ids }];
    }
    return stepsFor(urn, ids, { creates, isLive: live.has(urn) });
  });
}

/** Whether the engine was creating something whose id it doesn't know. */
export function isCreate({ type }: PendingOperation): boolean {
  return type === "creating";
}

function stepsForAssumed(
  urn: string,
  id: string,
  recorded: ReadonlySet<string>,
  live: ReadonlySet<string>,
): readonly RepairStep[] {
  if (recorded.has(id)) {
    return [{ kind: "makeAgain", urn }];
  }
  return live.has(urn)
    ? [{ kind: "remove", urn, id }]
    : [{ kind: "adopt", urn, id, isAssumed: true }];
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
    const reason = `${ids.length} match, and at most ${creates} ${creates === 1 ? "belongs" : "belong"} to this stack`;
    return [{ kind: "undecided", urn, reason, ids }];
  }
  return [
    { kind: isLive ? "remove" : "adopt", urn, id: first },
    ...others.map((id) => ({ kind: "remove" as const, urn, id })),
  ];
}
