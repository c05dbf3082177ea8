import { PulumiCommand } from "@pulumi/pulumi/automation";
import { CommandFailure } from "../commandFailure";

/**
 * The engine: the command `pulumi` on PATH.
 *
 * @throws CommandFailure when there is none that can be used
 */
export function findEngine(): Promise<PulumiCommand> {
  return PulumiCommand.get().catch((error: unknown) => {
    const reason = error instanceof Error ? (error.message.split("\n")[0] ?? "") : String(error);
    throw new CommandFailure(
      `the command "pulumi" can't be used: ${reason}; install it as https://www.pulumi.com/docs/install/ says`,
    );
  });
}
