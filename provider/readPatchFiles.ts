import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import * as pulumi from "@pulumi/pulumi";
import type { Patch } from "./config/patch";
import { fileProblem } from "./fileProblem";

/**
 * The patches with the files read that they name, in texts like `@patches/worker.yaml`, relative to
 * the program's working folder; all others as they are.
 *
 * @throws RunError naming patch, file and reason of every file that can't be read; or saying that it
 * is no list
 */
export function readPatchFiles(patches: readonly Patch[]): Patch[] {
  if (!isList(patches)) {
    throw new pulumi.RunError(
      `patches: has to be a list of patches, not ${describe(patches)}: a single one goes into brackets too, as in ["@patches/worker.yaml"]`,
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
      failures.push(`patches[${index}]: there is no patch in ${path}: ${fileProblem(error)}`);
      return patch;
    }
  });
  if (failures.length > 0) {
    throw new pulumi.RunError(failures.join("\n"));
  }
  return read;
}

/** Programs that nobody has type-checked give a single patch too. */
function isList(patches: unknown): patches is readonly unknown[] {
  return Array.isArray(patches);
}

/** Not the value itself: patches may hold secrets. */
function describe(value: unknown): string {
  if (value === null || value === undefined) {
    return String(value);
  }
  return typeof value === "object" ? "a mapping" : `a ${typeof value}`;
}

/**
 * `readPatchFiles` of a resource's argument. It happens in the program, so that what stands in the
 * files is an input: wherever the resource is looked at, a changed file is a change of it.
 */
export function readPatchArgument(
  patches: pulumi.Input<pulumi.Input<Patch>[]>,
): pulumi.Output<Patch[]> {
  return pulumi.output(patches as pulumi.Input<Patch[]>).apply(readPatchFiles);
}
