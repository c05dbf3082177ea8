import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import type { RawSettings } from "../../environments/settings";

/** The environments that this project ships settings for. */
export const STACKS = ["local", "sandbox", "staging", "production"] as const;

/** What the file of a stack holds, as `pulumi.runtime.allConfig()` would hand it out. */
export function configOf(stack: string): Record<string, string> {
  const file = join(__dirname, `../../environments/Pulumi.${stack}.yaml`);
  const { config } = parse(readFileSync(file, "utf8")) as { config: Record<string, unknown> };
  return Object.fromEntries(
    Object.entries(config).map(([key, value]) => [
      key,
      typeof value === "string" ? value : JSON.stringify(value),
    ]),
  );
}

/** The settings of a stack, some of them changed, or left out when undefined. */
export function rawSettings(
  stack: string,
  changes: Record<string, unknown> = {},
  region: string | undefined = "us-east-1",
): RawSettings {
  const prefix = "talos-aws:";
  const shipped = Object.entries(configOf(stack))
    .filter(([key]) => key.startsWith(prefix))
    .map(([key, value]) => [key.slice(prefix.length), value] as const);
  const values = new Map<string, string>(shipped);
  for (const [key, value] of Object.entries(changes)) {
    if (value === undefined) {
      values.delete(key);
    } else {
      values.set(key, typeof value === "string" ? value : JSON.stringify(value));
    }
  }
  return { stack, region, values: Object.fromEntries(values) };
}
