import * as pulumi from "@pulumi/pulumi";
import { withoutUserinfo } from "../provider/config";

/** How a line is logged. */
export interface LogOptions {
  /** Default: `info`. */
  readonly severity?: "debug" | "info" | "warn" | "error";
  /** Whether it is progress, which is not among the diagnostics at the end. Default: false. */
  readonly ephemeral?: boolean;
}

/**
 * Logs a line beside a resource, once that is registered. No address in it has a password.
 *
 * Pulumi's log keeps its order for the whole process, and waits for the resource of each line (pulumi v3.230.0,
 * sdk/nodejs/log/index.ts). A line about a resource of a cancelled run would hold all later runs of the process.
 *
 * @returns when the engine has the line; never, if the resource is never registered
 */
export function logBeside(
  resource: pulumi.Resource,
  line: string,
  { severity = "info", ephemeral = false }: LogOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    resource.urn.apply(() => {
      pulumi.log[severity](withoutUserinfo(line), resource, undefined, ephemeral).then(
        resolve,
        reject,
      );
    });
  });
}
