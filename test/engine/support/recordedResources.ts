import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** A resource in a recorded state. */
export interface RecordedResource {
  readonly type: string;
  readonly urn: string;
  readonly id?: string;
}

/**
 * The resources in a stack's state as its backend has them, secrets encrypted. An engine that exports
 * them takes half a second for it.
 *
 * @param stateDir the folder of the state, as `openStack` has it
 */
export async function recordedResources(
  stateDir: string,
  stack: string,
): Promise<readonly RecordedResource[]> {
  const file = join(stateDir, "backend/.pulumi/stacks/talos-aws", `${stack}.json`);
  const { checkpoint } = JSON.parse(await readFile(file, "utf8")) as {
    readonly checkpoint: { readonly latest?: { readonly resources?: RecordedResource[] } };
  };
  return checkpoint.latest?.resources ?? [];
}
