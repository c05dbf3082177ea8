import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/** Every file in a folder, and in those in it, as text. */
export function readTree(folder: string): { name: string; text: string }[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .map((name) => ({ name, text: readFileSync(name, "utf8") }));
}
