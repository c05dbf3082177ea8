import { readFileSync } from "node:fs";
import { join } from "node:path";
import { packageFolder } from "./packageFolder";

/** The version of this package, from its `package.json`. */
export function packageVersion(): string {
  const text = readFileSync(join(packageFolder(), "package.json"), "utf8");
  return (JSON.parse(text) as { readonly version: string }).version;
}
