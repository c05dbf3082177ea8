import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

/**
 * The seed of random inputs, made of what they try out: one state of the sources gets the same
 * inputs, so the same verdict, on every computer, and each change of it gets inputs that none had
 * before.
 *
 * @param folders whose TypeScript is taken, with the folders inside
 * @returns a whole number of 31 bits
 */
export function sourceSeed(folders: readonly string[]): number {
  const hash = createHash("sha256");
  for (const folder of folders) {
    const names = readdirSync(folder, { recursive: true, encoding: "utf8" });
    for (const name of names.filter((file) => file.endsWith(".ts")).sort()) {
      hash.update(name).update(readFileSync(join(folder, name)));
    }
  }
  return hash.digest().readUInt32BE() >>> 1;
}
