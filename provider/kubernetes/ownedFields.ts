import { createHash } from "node:crypto";
import { canonicalJson } from "../config/canonicalJson";
import type { KubernetesObject } from "./kubernetesObject";

type Data = Readonly<Record<string, unknown>>;

/**
 * A digest of the fields that a manager has applied to an object, and of their values. It changes as soon
 * as others change one of these fields, and with no other change. Undefined if the manager has applied
 * none, for example because others have recreated the object.
 *
 * Source: Kubernetes, structured-merge-diff v6, `fieldpath/serialize-pe.go`: the form of `fieldsV1`.
 */
export function appliedDigest(object: KubernetesObject, owner: string): string | undefined {
  const entry = (object.metadata.managedFields ?? []).find(
    ({ manager, operation, subresource }) =>
      manager === owner && operation === "Apply" && subresource === undefined,
  );
  return entry?.fieldsV1 === undefined
    ? undefined
    : createHash("sha256")
        .update(canonicalJson(valuesIn(object, entry.fieldsV1)))
        .digest("hex")
        .slice(0, 32);
}

/**
 * Managers that have changed an object after another one applied it, for messages. Those that only write
 * its status aren't named; `kubectl scale` writes by a subresource too.
 */
export function otherManagers(object: KubernetesObject, owner: string): readonly string[] {
  const others = (object.metadata.managedFields ?? []).flatMap(
    ({ manager = "", operation, subresource }) =>
      (subresource !== undefined && subresource !== "scale") ||
      (manager === owner && operation === "Apply")
        ? []
        : [manager],
  );
  return [...new Set(others)].sort();
}

/** The values at a set of fields: whole ones where the set has nothing below. */
function valuesIn(value: unknown, fields: Data): unknown {
  const below = Object.entries(fields).filter(([key]) => key !== ".");
  if (below.length === 0) {
    // Of a mapping or a list that has its own entry, only its existence is meant.
    return "." in fields ? true : (value ?? null);
  }
  return below.map(([key, inner]) => [key, valuesIn(memberAt(value, key), inner as Data)]);
}

function memberAt(value: unknown, key: string): unknown {
  const [kind, name] = [key.slice(0, 2), key.slice(2)];
  if (kind === "f:") {
    return typeof value === "object" && value !== null ? (value as Data)[name] : undefined;
  }
  if (!Array.isArray(value)) {
    return undefined;
  }
  if (kind === "i:") {
    return value[Number(name)];
  }
  const wanted = JSON.parse(name) as unknown;
  return value.find((item) =>
    kind === "k:"
      ? Object.entries(wanted as Data).every(
          ([member, text]) => canonicalJson((item as Data)[member]) === canonicalJson(text),
        )
      : canonicalJson(item) === canonicalJson(wanted),
  );
}
