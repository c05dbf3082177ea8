import * as pulumi from "@pulumi/pulumi";
import { ImmutableArguments } from "../provider";
import { engineCall, messageOfError } from "../provider/base";
import { logBeside } from "./logBeside";

/**
 * The exit code by which a program tells Pulumi's language host that it has said what is wrong, so that the
 * engine fails without a word of its own. Source: pulumi v3.230.0, sdk/nodejs/cmd/run/index.ts.
 */
const FAILED_AND_SAID_SO = 32;

/** How many resources were refused, for names that differ. The engine records none of them. */
let refused = 0;

/**
 * Fails a run for a problem that shows late: when AWS is asked, or when a value becomes known. A preview
 * shows everything else first, then ends with a failing exit code. In an update, a resource that the engine
 * refuses ends the run at once. A rejected value would not end a program that runs inline: it waits forever
 * for the resources that need the value (pulumi v3.230.0, sdk/nodejs/runtime/resource.ts).
 *
 * @returns in an update it never resolves, so no dependent resource is created
 */
export async function failRun(problem: string, resource: pulumi.Resource): Promise<void> {
  if (pulumi.runtime.isDryRun()) {
    await logBeside(resource, problem, { severity: "error" });
    failPreview(problem);
    return;
  }
  refused += 1;
  // Without a parent: the resource of the problem may wait for others, which would be created meanwhile.
  new ImmutableArguments(`refused-${refused}`, { values: {}, reasons: {}, refusals: [problem] });
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
    await failRun(messageOfError(error), resource);
    // An output of it is unknown, whatever its type.
    return pulumi.unknown as Value;
  }
}

/**
 * What is logged fails an inline program only (pulumi v3.230.0, sdk/nodejs/automation/server.ts). The plugin
 * fails its call. A program in a process of its own fails by its exit code.
 */
function failPreview(problem: string): void {
  const call = engineCall();
  if (call !== undefined) {
    call.fail?.(problem);
  } else if (isProcessOfItsOwn()) {
    process.exitCode = FAILED_AND_SAID_SO;
  }
}

/**
 * Whether Pulumi's runner started this process for the program. It puts the engine's address into the
 * environment, where an inline program's process has none (pulumi v3.230.0, sdk/nodejs/cmd/run/index.ts).
 */
function isProcessOfItsOwn(): boolean {
  return process.env.PULUMI_NODEJS_MONITOR !== undefined;
}
