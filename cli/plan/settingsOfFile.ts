import { parse } from "yaml";
import type { RawSettings } from "../../environments/settings";

/** The settings in a stack's file, and what isn't read of it. */
export interface FileSettings extends RawSettings {
  /** A line for each part that isn't read. */
  readonly notes: readonly string[];
}

/**
 * The settings in a stack's file, as a program gets them. Secrets are left out: without their key, nobody can
 * read them here, and a plan shows none.
 *
 * @param project the namespace of the settings
 */
export function settingsOfFile(text: string, stack: string, project: string): FileSettings {
  const { config, environment } = (parse(text) ?? {}) as Readonly<Record<string, unknown>>;
  const prefix = `${project}:`;
  const given = Object.entries((config ?? {}) as Readonly<Record<string, unknown>>);
  const own = given.filter(([key]) => key.startsWith(prefix));
  const hidden = own.filter(([, value]) => hasSecret(value)).map(([key]) => key);
  const values = own.flatMap(([key, value]) =>
    isSecret(value) ? [] : [[key.slice(prefix.length), textOf(withoutSecrets(value))] as const],
  );
  const region = given.find(([key]) => key === "aws:region")?.[1];
  return {
    stack,
    region: typeof region === "string" ? region : undefined,
    values: Object.fromEntries(values),
    notes: [
      ...hidden.map((key) => `${key} has a secret, which is left out`),
      ...(environment === undefined
        ? []
        : ["the stack imports environments of Pulumi ESC, whose settings aren't read"]),
    ],
  };
}

/** Pulumi hands out lists and objects as JSON, and all else as text. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

function isSecret(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    "secure" in value &&
    typeof value.secure === "string"
  );
}

function hasSecret(value: unknown): boolean {
  return (
    typeof value === "object" &&
    value !== null &&
    (isSecret(value) || Object.values(value).some(hasSecret))
  );
}

function withoutSecrets(value: unknown): unknown {
  if (Array.isArray(value)) {
    return value.filter((item) => !isSecret(item)).map(withoutSecrets);
  }
  return typeof value === "object" && value !== null
    ? Object.fromEntries(
        Object.entries(value)
          .filter(([, item]) => !isSecret(item))
          .map(([key, item]) => [key, withoutSecrets(item)]),
      )
    : value;
}
