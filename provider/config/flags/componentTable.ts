import kubernetesFile from "../gen/kubernetesComponents.json";

/** A component of Kubernetes whose flags are part of the configuration. */
export type KubernetesComponent =
  "apiServer" | "controllerManager" | "scheduler" | "kubelet" | "proxy";

/** The minors that have something. Default: all of the table, from its oldest or to its newest. */
export interface Minors {
  readonly since?: number;
  readonly until?: number;
}

/** A flag of a program. */
export interface FlagEntry extends Minors {
  /** The type of its value, as the flag library names it: `bool`, `duration`, `stringSlice`. */
  readonly type: string;
}

/** A feature gate, which all components of a minor share. */
export interface GateEntry extends Minors {
  /** The first minor that accepts no value other than `lockedTo`. Default: none. */
  readonly lockedSince?: number;
  readonly lockedTo?: boolean;
  /** Components that don't have it. Default: none. */
  readonly without?: readonly string[];
}

/** The flags of programs, by program and name without dashes. */
type FlagsOf<Program extends string> = Readonly<
  Record<Program, Readonly<Record<string, FlagEntry>>>
>;

/** What the components of several Kubernetes minors accept. */
export interface ComponentTable {
  /** The release that was read of each minor: `37` → `v1.37.2`. */
  readonly releases: Readonly<Record<string, string>>;
  readonly flags: FlagsOf<KubernetesComponent>;
  readonly featureGates: Readonly<Record<string, GateEntry>>;
}

/**
 * Written by `scripts/recordComponents`, which runs the code that defines the flags and gates of each
 * release; tests compare with its source, and with the binaries where they are.
 */
export const componentTable: ComponentTable = kubernetesFile;

const known = Object.keys(componentTable.releases).map(Number);

/** The oldest and the newest Kubernetes minor whose flags and gates are known. */
export const knownMinors = { oldest: Math.min(...known), newest: Math.max(...known) } as const;

/** Whether flags and gates of a Kubernetes minor are known. */
export function isKnownMinor(minor: number): boolean {
  return minor >= knownMinors.oldest && minor <= knownMinors.newest;
}

/** Whether a minor is one of those that have something. */
export function isInMinors({ since = 0, until = Infinity }: Minors, minor: number): boolean {
  return minor >= since && minor <= until;
}

/**
 * Since or until which other minor there is something that a minor doesn't have: "exists since v1.36";
 * undefined for an unknown name.
 */
export function otherMinors(entry: Minors | undefined, minor: number): string | undefined {
  const { since, until } = entry ?? {};
  if (since !== undefined && minor < since) {
    return `exists since v1.${since}`;
  }
  return until !== undefined && minor > until ? `was removed in v1.${until + 1}` : undefined;
}

/** The minor in a component's image: 35 of `registry.k8s.io/kube-scheduler:v1.35.0`; NaN without one. */
export function minorOfImage(image: string | undefined): number {
  return Number(/:v?1\.(\d+)\./.exec(image ?? "")?.[1]);
}
