import { inspect } from "node:util";
import * as pulumi from "@pulumi/pulumi";

/** Ends a program with a message for its user, without a stack trace. */
export class ProgramError extends pulumi.RunError {
  /**
   * Pulumi attaches the failed promise to the error and then inspects both. That reaches the whole
   * program and takes half a minute (pulumi v3.230.0, sdk/nodejs/cmd/run/error.ts).
   */
  [inspect.custom](): string {
    return this.message;
  }
}
