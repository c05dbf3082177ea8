import { createHash } from "node:crypto";
import type { Request } from "../oracle";

/** The same for the same request to the same Talos minor, whatever order its members have. */
export function requestKey(minor: string, request: Request): string {
  return createHash("sha256")
    .update(JSON.stringify([minor, inOrder(request)]))
    .digest("base64");
}

function inOrder(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.map(inOrder);
  }
  if (typeof value !== "object" || value === null) {
    return value;
  }
  return Object.fromEntries(
    Object.entries(value)
      .sort(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, child]) => [key, inOrder(child)]),
  );
}
