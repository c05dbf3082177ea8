import { dirname } from "node:path";
import { PulumiCommand } from "@pulumi/pulumi/automation";

/** The engine that the tests are given in PULUMI_ENGINE, else the one on PATH. */
export function engineFromEnvironment(): Promise<PulumiCommand> {
  const engine = process.env.PULUMI_ENGINE;
  if (engine === undefined || engine === "pulumi") {
    return PulumiCommand.get();
  }
  return PulumiCommand.get({ root: dirname(dirname(engine)) });
}
