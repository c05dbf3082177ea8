import { readFileSync } from "node:fs";
import { join } from "node:path";
import { ConfigError, type ConfigProblem } from "../../../provider/config/configError";
import { decodeDocuments } from "../../../provider/config/yaml/encode";

/** Where what talosctl made of patches of `patchBase` is recorded. */
export const patchFolder = join(__dirname, "testdata/patch");

/** A configuration to patch. */
export const patchBase = decodeDocuments(readFileSync(join(patchFolder, "base.yaml"), "utf8"));

/** All that is said to be wrong; nothing when it succeeds. */
export function problemsOf(action: () => unknown): readonly ConfigProblem[] {
  try {
    action();
  } catch (error) {
    if (error instanceof ConfigError) {
      return error.problems;
    }
    throw error;
  }
  return [];
}
