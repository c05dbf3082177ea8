import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceTexts } from "./citations";

/** The folders whose code rests on Talos, and the tests that ask Talos' own code. */
const FOLDERS = [
  "provider",
  "components",
  "policies",
  "preview",
  "cli",
  "environments",
  "plugin",
  "emulator",
  "scripts",
  "test/conformance",
];

/** What is generated names its source for nobody to decide; this tool names files of no meaning to the product. */
const NOT_OURS = /(?:^|\/)(?:node_modules|dist|gen|recorded)\/|^scripts\/adopt\//;

/** The code of a checkout, by its path in it. */
export function readOurSources(root: string): SourceTexts {
  const paths = FOLDERS.flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((name) => `${folder}/${name}`)
      .filter((path) => /\.(?:ts|mjs|go)$/.test(path) && !NOT_OURS.test(path)),
  );
  return Object.fromEntries(
    paths.sort().map((path) => [path, readFileSync(join(root, path), "utf8")]),
  );
}
