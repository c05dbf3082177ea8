import { copyFile, mkdtemp } from "node:fs/promises";
import { join } from "node:path";
import type { PulumiFn } from "@pulumi/pulumi/automation";

/**
 * The program of an example, which runs anew each time, as `pulumi` does it: a module runs once, so each run
 * is of a copy.
 *
 * @param folder for the copies, in the checkout
 */
export function exampleProgram(example: string, folder: string): PulumiFn {
  const source = join(__dirname, "../../../examples", example, "index.ts");
  return async () => {
    const copy = join(await mkdtemp(join(folder, "run-")), "index.ts");
    await copyFile(source, copy);
    return { ...((await import(copy)) as Record<string, unknown>) };
  };
}
