import { PulumiCommand } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";
import { engineFailure } from "./engineFailure";

/**
 * The engine: the command `pulumi` on PATH.
 *
 * @throws CommandFailure without a usable one
 */
export function findEngine(): Promise<PulumiCommand> {
  return PulumiCommand.get().catch((error: unknown) => {
    const text = error instanceof Error ? error.message : String(error);
    const reason = text.includes("ENOENT") ? "it is not on PATH" : engineFailure(error).message;
    throw new CommandFailure(
      `the command "pulumi" can't be run: ${reason}. Install Pulumi: https://www.pulumi.com/docs/install/`,
    );
  });
}
