import { createHash } from "node:crypto";
import * as pulumi from "@pulumi/pulumi";
import { ImmutableArguments } from "../provider";
import { engineCall } from "../provider/engineCall";
import { logBeside } from "./logBeside";

/**
 * Fails a run for a problem that shows late: when AWS is asked, or when a value becomes known. A preview
 * shows everything else first. In an update, a resource that the engine refuses ends the run. A rejected value would not
 * end a program that runs inline: it waits forever for the resources that need the value (pulumi
 * v3.230.0, sdk/nodejs/runtime/resource.ts).
 *
 * @returns in an update never, so that nothing is made with the value that waits for it
 */
export async function failRun(problem: string, resource: pulumi.Resource): Promise<void> {
  if (pulumi.runtime.isDryRun()) {
    await logBeside(resource, problem, { severity: "error" });
    // A program fails by what it logs. The plugin has to say it.
    engineCall()?.fail?.(problem);
    return;
  }
  const name = `${await nameOf(resource)}-refused-${digest(problem)}`;
  new ImmutableArguments(
    name,
    { values: {}, reasons: {}, refusals: [problem] },
    { parent: resource },
  );
  await new Promise<never>(() => undefined);
}

/**
 * Finds what a program can't go on without: asks AWS for it, or computes it from values that are
 * known late. The run fails if that throws.
 *
 * @param resource beside which the problem is shown, and whose registration does not need the value
 * @returns in a preview that fails, an unknown value
 */
export async function orFailRun<Value>(
  resource: pulumi.Resource,
  find: () => Value | Promise<Value>,
): Promise<Value> {
  try {
    return await find();
  } catch (error) {
    await failRun(error instanceof Error ? error.message : String(error), resource);
    // An output of it is unknown, whatever its type.
    return pulumi.unknown as Value;
  }
}

function nameOf(resource: pulumi.Resource): Promise<string> {
  return new Promise((resolve) => {
    resource.urn.apply((urn) => resolve(urn.split("::").slice(3).join("::")));
  });
}

/** Keeps the names of several problems of one resource apart. */
function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}
