import * as messages from "@pulumi/pulumi/proto/provider_pb";
import { isMapping } from "../provider/base";
import { canonicalJson } from "../provider/config";
import type { Properties } from "../provider/rpc";

const { Kind } = messages.PropertyDiff;

/** What a diff needs to know of the properties that it compares. */
export interface DetailedDiffOptions {
  /** Whether a property is shown as a whole, because it is secret. */
  readonly isSecret: (name: string) => boolean;
  /** Names of properties whose change replaces the resource. */
  readonly replaces: readonly string[];
}

/**
 * The places that differ between inputs, by Pulumi's property paths such as `machine.sysctls["vm.max"]`.
 * Without them the engine prints each member of a property that changes, also those that stay (pulumi v3.230.0,
 * pkg/engine/detailedDiff.go). What is null is absent, because the engine may drop it.
 */
export function detailedDiff(
  olds: Properties,
  news: Properties,
  { isSecret, replaces }: DetailedDiffOptions,
): Map<string, messages.PropertyDiff> {
  const names = namesOf(olds, news);
  const places = names.flatMap((name): Place[] => {
    const [old, now] = [olds[name], news[name]];
    const found = isSecret(name) ? changedValue([name], old, now) : changes([name], old, now);
    return found.map((place) =>
      replaces.includes(name) ? { ...place, kind: REPLACING[place.kind] } : place,
    );
  });
  return new Map(places.map(({ path, kind }) => [pathText(path), inputDiff(kind)]));
}

type Key = string | number;

interface Place {
  readonly path: readonly Key[];
  readonly kind: messages.PropertyDiff.Kind;
}

const REPLACING: Readonly<Record<messages.PropertyDiff.Kind, messages.PropertyDiff.Kind>> = {
  [Kind.ADD]: Kind.ADD_REPLACE,
  [Kind.ADD_REPLACE]: Kind.ADD_REPLACE,
  [Kind.DELETE]: Kind.DELETE_REPLACE,
  [Kind.DELETE_REPLACE]: Kind.DELETE_REPLACE,
  [Kind.UPDATE]: Kind.UPDATE_REPLACE,
  [Kind.UPDATE_REPLACE]: Kind.UPDATE_REPLACE,
};

function changes(path: readonly Key[], old: unknown, now: unknown): Place[] {
  if (Array.isArray(old) && Array.isArray(now)) {
    const length = Math.max(old.length, now.length);
    return Array.from({ length }, (_, index) =>
      changes([...path, index], old[index], now[index]),
    ).flat();
  }
  if (isMapping(old) && isMapping(now)) {
    return namesOf(old, now).flatMap((name) => changes([...path, name], old[name], now[name]));
  }
  return changedValue(path, old, now);
}

function changedValue(path: readonly Key[], old: unknown, now: unknown): Place[] {
  const [before, after] = [textOf(old), textOf(now)];
  if (before === after) {
    return [];
  }
  if (before === ABSENT) {
    return [{ path, kind: Kind.ADD }];
  }
  return [{ path, kind: after === ABSENT ? Kind.DELETE : Kind.UPDATE }];
}

const ABSENT = textOf(null);

function textOf(value: unknown): string {
  return canonicalJson(value ?? null, { withoutNull: true });
}

/** Names of inputs that differ. The engine may drop what is null. */
export function changedNames(olds: Properties, news: Properties): string[] {
  return namesOf(olds, news).filter((name) => textOf(olds[name]) !== textOf(news[name]));
}

function namesOf(olds: Properties, news: Properties): string[] {
  return [...new Set([...Object.keys(olds), ...Object.keys(news)])];
}

function pathText(path: readonly Key[]): string {
  return path
    .map((key, index) => {
      const isWord = typeof key === "string" && /^[A-Za-z_][A-Za-z0-9_]*$/.test(key);
      return isWord ? `${index === 0 ? "" : "."}${key}` : `[${JSON.stringify(key)}]`;
    })
    .join("");
}

function inputDiff(kind: messages.PropertyDiff.Kind): messages.PropertyDiff {
  const found = new messages.PropertyDiff();
  found.setKind(kind);
  found.setInputdiff(true);
  return found;
}
