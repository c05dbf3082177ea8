import { createHmac } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { isUnknown } from "../base/unknown";
import { outlineDocuments } from "../config/effects/outline";
import { manifestInputs } from "../config/manifestInputs";
import type { Patch } from "../config/patches/patch";
import { installerOf } from "../config/settings/installer";
import { decodeDocuments } from "../config/yaml/encode";
import { imagesOf } from "../lifecycle/upgrade/controlPlaneImages";

/**
 * How often the state has recorded another content of a role's configuration, and of parts that
 * resources of their own apply. It is recorded before any of them changes a machine. So a change
 * that a killed run began, and that a later program takes back, shows as two steps, although the
 * content is the recorded one again.
 */
export interface ConfigurationRevision {
  /** Changes of the whole content. */
  readonly content: number;
  /** Changes of the control plane's images of Kubernetes. */
  readonly kubernetes: number;
  /** Changes of what Talos renders its manifests from. */
  readonly manifests: number;
  /** Changes of the installer, so of Talos. Absent while there was none, and in older states. */
  readonly talos?: number;
}

/** Each resource looks at its own part. */
export type RevisionPart = keyof ConfigurationRevision;

/** Of a configuration that was never changed, also by releases that recorded none. */
const FIRST: ConfigurationRevision = { content: 0, kubernetes: 0, manifests: 0 };

/**
 * The revision after a change of the text, or without one if nothing changed. Pure.
 *
 * @param before the recorded revision. Default: none, as after the create
 */
export function nextRevision(
  before: ConfigurationRevision | undefined,
  former: string,
  next: string,
): ConfigurationRevision | undefined {
  if (former === next) {
    return before;
  }
  const [keyedBy = [], documents = []] = [former, next].map((text) => decodeDocuments(text));
  const [was, is] = [keyedBy, documents].map((each) => outlineDocuments(each, { keyedBy }));
  if (was === undefined || is === undefined) {
    return before;
  }
  const { content, kubernetes, manifests, talos = 0 } = before ?? FIRST;
  const step = (one: unknown, other: unknown) => (isDeepStrictEqual(one, other) ? 0 : 1);
  const talosChanges = talos + step(installerOf(was), installerOf(is));
  return {
    content: content + 1,
    kubernetes: kubernetes + step(imagesOf(was), imagesOf(is)),
    manifests: manifests + step(manifestInputs(was), manifestInputs(is)),
    ...(talosChanges > 0 && { talos: talosChanges }),
  };
}

/** The patches of single machines, as they are counted. */
export interface CountedPatches {
  /** Keyed digests of those of each machine that has any, by its name. */
  readonly machinePatchHashes: Readonly<Record<string, string>>;
  /** How often they have changed, by the machine's name; none that never did. */
  readonly machineRevisions: Readonly<Record<string, number>>;
}

/**
 * Counts changes of single machines' patches. Machines without patches needn't be named. Pure.
 *
 * @param before as recorded. Without hashes, nothing is known of former patches, so nothing counts as
 *   changed
 * @param key a secret of the cluster: a patch may be a short secret, which a plain digest would give
 *   away
 */
export function countPatches(
  before: Partial<CountedPatches> | undefined,
  patches: Readonly<Record<string, readonly Patch[]>>,
  key: string,
): CountedPatches {
  const machinePatchHashes = Object.fromEntries(
    Object.entries(patches)
      .filter(([, own]) => own.length > 0)
      .map(([name, own]) => [name, digestOf(own, key)]),
  );
  const { machinePatchHashes: former, machineRevisions = {} } = before ?? {};
  const names =
    former === undefined
      ? []
      : [...new Set([...Object.keys(former), ...Object.keys(machinePatchHashes)])].filter(
          (name) => former[name] !== machinePatchHashes[name],
        );
  const changed = names.map((name) => [name, (machineRevisions[name] ?? 0) + 1] as const);
  return {
    machinePatchHashes,
    machineRevisions: { ...machineRevisions, ...Object.fromEntries(changed) },
  };
}

function digestOf(patches: readonly Patch[], key: string): string {
  return createHmac("sha256", key).update(JSON.stringify(patches)).digest("hex");
}

/** A resource's revision, as it was recorded or as a program gives it. */
interface Revised {
  readonly revision?: ConfigurationRevision | undefined;
  /** Changes of the machine's own patches. */
  readonly machineRevision?: number | undefined;
}

/** Whether a resource must record another revision of its part. An unknown one is the recorded one. Pure. */
export function isOtherRevision(part: RevisionPart, state: Revised, news: Revised): boolean {
  return stepsBetween(part, state, news) !== 0;
}

/**
 * Whether the content changed more than once since the resource recorded it: another run began a
 * change whose end is not recorded, and this one begins another or takes it back. What is recorded
 * of machines may then be wrong. Pure.
 */
export function isRevisedTwice(part: RevisionPart, state: Revised, news: Revised): boolean {
  return ![0, 1].includes(stepsBetween(part, state, news));
}

function stepsBetween(part: RevisionPart, state: Revised, news: Revised): number {
  const { revision, machineRevision } = news;
  const own = isUnknown(machineRevision)
    ? 0
    : (machineRevision ?? 0) - (state.machineRevision ?? 0);
  return isUnknown(revision) ? own : own + (revision?.[part] ?? 0) - (state.revision?.[part] ?? 0);
}
