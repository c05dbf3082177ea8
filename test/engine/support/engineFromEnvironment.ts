import { dirname } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";

let found: Promise<PulumiCommand> | undefined;

/** The engine that the tests are given in PULUMI_ENGINE, else the one on PATH. */
export function engineFromEnvironment(): Promise<PulumiCommand> {
  const engine = process.env.PULUMI_ENGINE;
  const options =
    engine === undefined || engine === "pulumi" ? {} : { root: dirname(dirname(engine)) };
  // It is asked for its version, which takes it a fifth of a second.
  found ??= PulumiCommand.get(options);
  return found;
}
