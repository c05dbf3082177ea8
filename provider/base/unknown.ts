/**
 * The strings that the engine sends in a preview for values that are unknown until the update runs,
 * one per type of value. Source: pulumi v3.230.0, sdk/go/common/resource/plugin/rpc.go.
 */
const SENTINELS: ReadonlySet<string> = new Set([
  "04da6b54-80e4-46f7-96ec-b56ff0331ba9",
  "1c4a061d-8072-4f0a-a4cb-0ff528b18fe7",
  "3eeb2bf0-c639-47a8-9e75-3b44932eb421",
  "6a19a0b0-7e62-4c92-b797-7f8e31da9cc2",
  "030794c1-ac77-496b-92df-f27374a8bd58",
  "e48ece36-62e2-4504-bad9-02848725956a",
  "dd056dcd-154b-4c76-9bd3-c8f88648b5ff",
]);

/** A handler returns this for a value that it can't compute yet. */
export const UNKNOWN = "04da6b54-80e4-46f7-96ec-b56ff0331ba9";

/** Whether a value, or any part of it, is unknown until the update runs. */
export function isUnknown(value: unknown): boolean {
  if (typeof value === "string") {
    return SENTINELS.has(value);
  }
  if (Array.isArray(value)) {
    return value.some(isUnknown);
  }
  return typeof value === "object" && value !== null && Object.values(value).some(isUnknown);
}
