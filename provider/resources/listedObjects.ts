import { createHmac, randomBytes } from "node:crypto";
import { isUnknown } from "../base/unknown";
import { canonicalJson } from "../config/canonicalJson";
import type { InlineManifest } from "../config/generate/inlineManifest";
import { quoteValue } from "../config/secrets/quote";
import type { CheckFailure } from "../engine/handler";
import { inventoryKey, referenceOf } from "../kubernetes/inventory";
import { describeObject, type KubernetesObject } from "../kubernetes/kubernetesObject";
import { readObjects } from "../kubernetes/readObjects";
import { CONTAINERS } from "../lifecycle/objects/pruneManifests";

/**
 * The objects of each manifest, by their names: `Deployment kube-system/x`, each with a digest of what it
 * says, or with what others have done to it. A text in place of the objects says why they are not known.
 */
export type ListedObjects = Readonly<Record<string, Readonly<Record<string, string>> | string>>;

/** The list of a resource, and what is wrong with it. */
export interface ObjectList {
  /** Undefined while all manifests are unknown. */
  readonly objects: ListedObjects | undefined;
  readonly parsed: readonly KubernetesObject[];
  readonly failures: readonly CheckFailure[];
}

/** In place of the objects of a manifest that a preview doesn't know. */
const LATER = "known when applied";

/** A key of digests. */
export function newSalt(): string {
  return randomBytes(16).toString("hex");
}

/** Reads the manifests of a list. */
export function listObjects(
  {
    manifests,
    kubernetesVersion,
  }: {
    readonly manifests: readonly InlineManifest[] | string;
    readonly kubernetesVersion?: string | undefined;
  },
  salt: string,
): ObjectList {
  if (typeof manifests === "string") {
    return { objects: undefined, parsed: [], failures: [] };
  }
  const version = isUnknown(kubernetesVersion) ? undefined : kubernetesVersion;
  const failures: CheckFailure[] = [];
  const parsed: KubernetesObject[] = [];
  const objects: Record<string, Record<string, string> | string> = {};
  const places = new Map<string, string>();
  for (const [index, manifest] of manifests.entries()) {
    const property = `manifests[${index}]`;
    const say = (reason: string) => failures.push({ property, reason });
    const { name, contents } = manifest;
    if (isUnknown(name)) {
      continue;
    }
    if (typeof name !== "string" || name === "") {
      say("the manifest has no name: give each a unique one");
      continue;
    }
    if (Object.hasOwn(objects, name)) {
      say(`there are two manifests ${quoteValue(name)}: give each a unique name`);
      continue;
    }
    if (isUnknown(contents)) {
      objects[name] = LATER;
      continue;
    }
    const read = readObjects(contents, version);
    read.problems.forEach((problem) => say(`the manifest ${quoteValue(name)}: ${problem}`));
    for (const object of read.objects) {
      const key = inventoryKey(referenceOf(object));
      const other = places.get(key);
      if (other !== undefined) {
        say(
          `${describeObject(object)} is in the manifests ${quoteValue(other)} and ${quoteValue(name)}: leave one out`,
        );
      }
      places.set(key, name);
    }
    parsed.push(...read.objects);
    objects[name] = Object.fromEntries(
      read.objects.map((object) => [describeObject(object), digestOf(object, salt)]),
    );
  }
  return { objects, parsed, failures };
}

/** The list whose objects count as unchanged where they are recorded already, whatever they say. */
export function asRecorded(
  before: ListedObjects = {},
  after: ListedObjects | undefined,
): ListedObjects | undefined {
  return (
    after &&
    Object.fromEntries(
      Object.entries(after).map(([name, listed]) => {
        const former = before[name];
        return [
          name,
          typeof listed === "string" || typeof former !== "object"
            ? listed
            : Object.fromEntries(
                Object.entries(listed).map(([object, digest]) => [
                  object,
                  former[object] ?? digest,
                ]),
              ),
        ];
      }),
    )
  );
}

/** What a preview says of objects that leave the list. */
export function removedObjects(
  before: ListedObjects | undefined,
  after: ListedObjects | undefined,
  deleteContainers: boolean,
): readonly string[] {
  if (before === undefined || after === undefined) {
    return [];
  }
  const isLater = Object.values(after).includes(LATER);
  const [old, now] = [namesIn(before), new Set(namesIn(after))];
  const gone = isLater ? [] : old.filter((name) => !now.has(name));
  const isKept = (name: string) =>
    !deleteContainers && CONTAINERS.some((kind) => name.startsWith(`${kind} `));
  const [kept, deleted] = [gone.filter(isKept), gone.filter((name) => !isKept(name))];
  return [
    ...(deleted.length === 0 ? [] : [`deletes ${deleted.join(", ")}, which left the list`]),
    ...(kept.length === 0
      ? []
      : [`keeps ${kept.join(", ")}, which left the list, with all that is in them`]),
  ];
}

/** The list as others have left it. What they deleted is not in it. */
export function withDrift(
  objects: ListedObjects,
  drift: Readonly<Record<string, string>>,
): ListedObjects {
  return Object.fromEntries(
    Object.entries(objects).map(([name, listed]) => [
      name,
      typeof listed === "string"
        ? listed
        : Object.fromEntries(
            Object.entries(listed).map(([object, digest]) => [object, drift[object] ?? digest]),
          ),
    ]),
  );
}

/** The problem of a list's name. */
export function checkInventoryName(former: string | undefined, given: string): CheckFailure[] {
  if (isUnknown(given)) {
    return [];
  }
  const property = "inventory";
  if (typeof given !== "string" || !/^[a-z0-9]([a-z0-9-]{0,60}[a-z0-9])?$/.test(given)) {
    const reason = `${quoteValue(given)} is no name of a list: use lower-case letters, digits and "-", at most 62`;
    return [{ property, reason }];
  }
  const isOther = former !== undefined && !isUnknown(former) && former !== given;
  const reason = `the objects belong to ${quoteValue(former)}, and this can't change to ${quoteValue(given)}: set it back, or declare another resource`;
  return isOther ? [{ property, reason }] : [];
}

function namesIn(objects: ListedObjects): readonly string[] {
  return Object.values(objects).flatMap((listed) =>
    typeof listed === "string" ? [] : Object.keys(listed),
  );
}

function digestOf(object: KubernetesObject, salt: string): string {
  return `hmac:${createHmac("sha256", salt).update(canonicalJson(object)).digest("hex").slice(0, 12)}`;
}
