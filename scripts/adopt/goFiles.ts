import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceTexts } from "./citations";
import type { TalosModules } from "./releaseFacts";

/** What tests, or is generated from something that is compared itself. */
const NOT_SOURCES = /(?:_test|_doc|_enumer|_string|\.pb|\.generated)\.go$/;

/** The code of a release that people have written, without its tests, by the path in Talos' repository: both modules are one tree there. */
export function readGoFiles({ talos, machinery }: TalosModules): SourceTexts {
  return { ...goFilesIn(talos, ""), ...goFilesIn(machinery, "pkg/machinery/") };
}

function goFilesIn(folder: string, prefix: string): SourceTexts {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".go") && !NOT_SOURCES.test(path),
  );
  return Object.fromEntries(
    paths.map((path) => [`${prefix}${path}`, readFileSync(join(folder, path), "utf8")]),
  );
}
