import { supportByTalosMinor, supportedKubernetes, type SupportTable } from "./supportTable";
import { talosMinor } from "./talosMinor";

/** A Talos release and the Kubernetes release on it: `v1.12.1` and `v1.35.0`. */
export interface Releases {
  readonly talos: string;
  readonly kubernetes: string;
}

/** Minors of major 1 of both. */
export interface Minors {
  readonly talos: number;
  readonly kubernetes: number;
}

/** Which of two releases changes first, or why they can't change in one update. */
export type ReleaseOrder =
  { readonly first: "either" | "talos" | "kubernetes" } | { readonly refusal: string };

/**
 * The order in which Talos and Kubernetes change, so that each Talos supports the Kubernetes on it
 * all the time. A release that the table doesn't know is not judged.
 *
 * @param table default: `supportByTalosMinor`
 */
export function orderReleases(
  current: Releases,
  wanted: Releases,
  table: SupportTable = supportByTalosMinor,
): ReleaseOrder {
  const isTalosFirst = runsKubernetes(wanted.talos, current.kubernetes, table);
  const isKubernetesFirst = runsKubernetes(current.talos, wanted.kubernetes, table);
  if (isTalosFirst && isKubernetesFirst) {
    return { first: "either" };
  }
  if (isTalosFirst || isKubernetesFirst) {
    return { first: isTalosFirst ? "talos" : "kubernetes" };
  }
  const neither = `Talos ${wanted.talos} does not run Kubernetes ${current.kubernetes}, and Talos ${current.talos} does not run Kubernetes ${wanted.kubernetes}, so neither can change first`;
  const between = stepsBetween(current, wanted, table)
    .slice(0, -1)
    .map(({ talos, kubernetes }) => `of Talos v1.${talos} and Kubernetes v1.${kubernetes}`);
  return {
    refusal:
      between.length === 0
        ? `${neither}, and no releases between them are known: make another cluster`
        : `${neither}: go step by step, with an "up" for the newest releases ${between.join(", ")}, then Talos ${wanted.talos} and Kubernetes ${wanted.kubernetes}`,
  };
}

/**
 * Whether a Talos release supports a Kubernetes release. True for releases that the table doesn't
 * know, and for texts that are no release.
 */
export function runsKubernetes(
  talos: string,
  kubernetes: string,
  table: SupportTable = supportByTalosMinor,
): boolean {
  const support = supportedKubernetes(talos, table);
  const minor = kubernetesMinor(kubernetes);
  return (
    support === undefined ||
    minor === undefined ||
    (minor >= support.oldestMinor && minor <= support.newestMinor)
  );
}

/**
 * The fewest updates from one pair of releases to another. Each update changes either by at most one
 * minor, and ends with a supported pair. The last one is the wanted pair. No Talos is outside the two.
 * Empty if there is no way, or if a release is unknown.
 */
export function stepsBetween(
  current: Releases,
  wanted: Releases,
  table: SupportTable = supportByTalosMinor,
): readonly Minors[] {
  const [from, to] = [minorsOf(current), minorsOf(wanted)];
  if (from === undefined || to === undefined) {
    return [];
  }
  const [oldest, newest] = [Math.min(from.talos, to.talos), Math.max(from.talos, to.talos)];
  const seen = new Set([keyOf(from)]);
  let ways: readonly (readonly Minors[])[] = [[from]];
  while (ways.length > 0) {
    const longer = ways.flatMap((way) =>
      nextOf(way.at(-1) ?? from, table)
        .filter(({ talos }) => talos >= oldest && talos <= newest)
        .map((next) => [...way, next]),
    );
    ways = longer.filter((way) => {
      const key = keyOf(way.at(-1) ?? from);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    });
    const found = ways.find((way) => keyOf(way.at(-1) ?? from) === keyOf(to));
    if (found !== undefined) {
      return found.slice(1);
    }
  }
  return [];
}

/** The pairs that one update reaches. Talos changes first where that is possible. */
function nextOf(from: Minors, table: SupportTable): Minors[] {
  const steps = [1, 0, -1];
  return steps
    .flatMap((up) =>
      steps.map((more) => ({ talos: from.talos + up, kubernetes: from.kubernetes + more })),
    )
    .filter((to) => {
      const isKnown = table.has(`1.${to.talos}`);
      return (
        isKnown &&
        runs(table, to) &&
        (runs(table, { ...to, talos: from.talos }) ||
          runs(table, { ...to, kubernetes: from.kubernetes }))
      );
    });
}

function runs(table: SupportTable, { talos, kubernetes }: Minors): boolean {
  return runsKubernetes(`v1.${talos}`, `v1.${kubernetes}`, table);
}

function minorsOf({ talos, kubernetes }: Releases): Minors | undefined {
  const [ofTalos, ofKubernetes] = [talosMinor(talos), kubernetesMinor(kubernetes)];
  return ofTalos === undefined || ofKubernetes === undefined
    ? undefined
    : { talos: ofTalos, kubernetes: ofKubernetes };
}

function kubernetesMinor(version: string): number | undefined {
  const minor = /^v?1\.(\d+)(?:\.|$)/.exec(version)?.[1];
  return minor === undefined ? undefined : Number(minor);
}

function keyOf({ talos, kubernetes }: Minors): string {
  return `${talos} ${kubernetes}`;
}
