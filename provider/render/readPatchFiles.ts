import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import { fileProblem } from "../base/fileProblem";
import type { Patch } from "../config/patches/patch";

/**
 * Patches with the content of the files that they name, as in `@patches/worker.yaml`, relative to
 * the program's working folder. Other patches are returned unchanged.
 *
 * @throws RunError that names patch, file and reason of every unreadable file, or says that
 *   `patches` is not a list
 */
export function readPatchFiles(patches: readonly Patch[]): Patch[] {
  if (!isList(patches)) {
    throw new pulumi.RunError(
      `patches: must be a list of patches, not ${describe(patches)}: write a single one in brackets too, as in ["@patches/worker.yaml"]`,
    );
  }
  const failures: string[] = [];
  const read = patches.map((patch, index): Patch => {
    if (typeof patch !== "string" || !patch.startsWith("@")) {
      return patch;
    }
    const file = patch.slice(1).trim();
    const path = resolve(file);
    try {
      return { file, text: readFileSync(path, "utf8") };
    } catch (error) {
      failures.push(
        `patches[${index}]: the patch file ${path} can't be used: ${fileProblem(error)}`,
      );
      return patch;
    }
  });
  if (failures.length > 0) {
    throw new pulumi.RunError(failures.join("\n"));
  }
  return read;
}

/** JavaScript programs may pass a single patch. */
function isList(patches: unknown): patches is readonly unknown[] {
  return Array.isArray(patches);
}

/** Only the kind of the value, because patches may contain secrets. */
function describe(value: unknown): string {
  if (value === null || value === undefined) {
    return String(value);
  }
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}

/**
 * `readPatchFiles` for an argument of a resource. The program runs it, so the content of the files
 * is an input: a changed file is a change of the resource.
 */
export function readPatchArgument(
  patches: pulumi.Input<pulumi.Input<Patch>[]>,
): pulumi.Output<Patch[]> {
  return pulumi.output(patches as pulumi.Input<Patch[]>).apply(readPatchFiles);
}
