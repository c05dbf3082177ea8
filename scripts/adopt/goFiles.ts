import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { SourceTexts } from "./citations";
import type { TalosModules } from "./releaseFacts";

/** The code of a release without its tests, by the path in Talos' repository: both modules are one tree there. */
export function readGoFiles({ talos, machinery }: TalosModules): SourceTexts {
  return { ...goFilesIn(talos, ""), ...goFilesIn(machinery, "pkg/machinery/") };
}

function goFilesIn(folder: string, prefix: string): SourceTexts {
  const paths = readdirSync(folder, { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".go") && !path.endsWith("_test.go"),
  );
  return Object.fromEntries(
    paths.map((path) => [`${prefix}${path}`, readFileSync(join(folder, path), "utf8")]),
  );
}
