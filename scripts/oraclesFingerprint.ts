import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { paths } from "./paths";

/** The sources of the oracles: a program that answers what Talos' own code does. */
export const oracleSources = join(paths.root, "test/conformance/oracle");

/** Tells apart oracles that are built from other sources, so also from other releases of Talos. */
export function oraclesFingerprint(): string {
  const hash = createHash("sha256");
  for (const name of readdirSync(oracleSources).sort()) {
    hash.update(name).update(readFileSync(join(oracleSources, name)));
  }
  return hash.digest("hex").slice(0, 12);
}
