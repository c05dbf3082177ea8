import { join } from "node:path";
import { folderFingerprint } from "./folderFingerprint";
import { paths } from "./paths";

/** The sources of the oracles: a program that answers what Talos' own code does. */
export const oracleSources = join(paths.root, "test/conformance/oracle");

/** Tells apart oracles that are built from other sources, so also from other releases of Talos. */
export function oraclesFingerprint(): string {
  return folderFingerprint(oracleSources);
}
