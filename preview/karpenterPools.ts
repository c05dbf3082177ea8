import { isMapping } from "../provider/base";
import { talosKind } from "../provider/engine";
import type { DescribedMachines } from "./describeMachines";
import { describeLine } from "./describeMachines";
import type { ChangedLine } from "./lineDiff";
import { outlineDiff } from "./outlines";
import { compareNames, documentAt, type PreviewedResource } from "./previewedResource";

/**
 * What happens to the machines of a pool of Karpenter:
 * - `launched`: the pool is new, and has machines once pods need some;
 * - `replaced`: what its machines are made of changes, and Karpenter replaces them within the pool's budgets;
 * - `judged`: what they may be changes, and Karpenter replaces those that no longer fit;
 * - `ended`: Karpenter drains and ends them, and the update waits for that.
 */
export type KarpenterEffect = "launched" | "replaced" | "judged" | "ended";

/** What a preview shows for a pool of Karpenter. */
export interface KarpenterPoolChange {
  readonly name: string;
  readonly effect: KarpenterEffect;
  /** The changed lines of its machines' configuration. */
  readonly lines: readonly ChangedLine[];
}

/** The component of a pool of Karpenter, whose inputs are the pool's arguments. */
export const KARPENTER_POOL = "talos-aws:index:KarpenterWorkerPool";

/** The beginning of the names of pools' manifests. */
const MANIFEST = "karpenter-pool-";

/** The pools of Karpenter whose machines change, by name. */
export function karpenterPoolChanges(
  resources: readonly PreviewedResource[],
): readonly KarpenterPoolChange[] {
  return resources
    .filter(
      ({ type, oldInputs, newInputs }) =>
        talosKind(type) === "KubernetesObjects" &&
        [oldInputs, newInputs].some(({ inventory }) => inventory === "karpenter"),
    )
    .flatMap((list) => changesOf(list, resources))
    .sort((one, other) => compareNames(one.name, other.name));
}

function changesOf(
  { operation, parent, oldInputs, newInputs }: PreviewedResource,
  resources: readonly PreviewedResource[],
): readonly KarpenterPoolChange[] {
  const before = documentAt(oldInputs, "objects") ?? {};
  const after = operation === "delete" ? {} : (documentAt(newInputs, "objects") ?? {});
  const manifests = new Set([...Object.keys(before), ...Object.keys(after)]);
  return [...manifests]
    .filter((name) => name.startsWith(MANIFEST))
    .flatMap((manifest): KarpenterPoolChange[] => {
      const name = manifest.slice(MANIFEST.length);
      const effect = effectOf(name, before[manifest], after[manifest]);
      const lines = effect === "replaced" ? linesOf(name, parent, resources) : [];
      return effect === undefined ? [] : [{ name, effect, lines }];
    });
}

function effectOf(name: string, before: unknown, after: unknown): KarpenterEffect | undefined {
  if (before === undefined || after === undefined) {
    return before === undefined ? "launched" : "ended";
  }
  const [old, now] = [before, after].map((listed) =>
    isMapping(listed) ? listed : { unknown: listed },
  );
  const differs = (kind: string) => old?.[`${kind} ${name}`] !== now?.[`${kind} ${name}`];
  if (differs("EC2NodeClass") || old?.unknown !== now?.unknown) {
    return "replaced";
  }
  return differs("NodePool") ? "judged" : undefined;
}

/** What of the machines' configuration changes, which is the cause of most replacements. */
function linesOf(
  name: string,
  parent: string,
  resources: readonly PreviewedResource[],
): readonly ChangedLine[] {
  const cluster = parent.split("::").slice(3).join("::");
  const configuration = resources.find(
    (each) =>
      talosKind(each.type) === "MachineConfiguration" &&
      each.operation === "update" &&
      each.parent === parent &&
      each.name === `${cluster}-${name}`,
  );
  return configuration === undefined ? [] : outlineDiff(configuration);
}

const WORDS: Readonly<Record<KarpenterEffect, string>> = {
  launched: "Karpenter launches machines for pods that have no place",
  replaced: "Karpenter replaces its machines within its budgets, after this update",
  judged: "Karpenter replaces those of its machines that no longer fit, within its budgets",
  ended: "Karpenter drains and ends its machines, and this update waits for that",
};

/** Describes the changes of pools of Karpenter. */
export function describeKarpenterPools(
  pools: readonly KarpenterPoolChange[],
): readonly DescribedMachines[] {
  return pools.map(({ name, effect, lines }) => ({
    names: [name],
    what: WORDS[effect],
    lines: lines.flatMap(describeLine),
  }));
}
