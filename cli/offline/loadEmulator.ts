import { packageVersion } from "../../provider/base";
import { CommandFailure } from "../commandFailure";

const NAME = "@pulumi-talos-aws/emulator";

const importEmulator = () => import("@pulumi-talos-aws/emulator");

/** The exports of the emulator's package. */
export type EmulatorPackage = Awaited<ReturnType<typeof importEmulator>>;

/**
 * Loads the emulated cloud. It is a package of its own, because only previews without an account
 * need it.
 *
 * @param load imports the package. Default: the installed one; tests pass another
 * @throws CommandFailure if the package isn't installed, with the command that installs it
 */
export async function loadEmulator(
  load: () => Promise<EmulatorPackage> = importEmulator,
): Promise<EmulatorPackage> {
  try {
    return await load();
  } catch (error) {
    if (!isMissing(error)) {
      throw error;
    }
    throw new CommandFailure(
      `a preview without an account needs the package "${NAME}", which isn't installed: npm install --save-dev ${NAME}@${packageVersion()}`,
    );
  }
}

/** Whether the package itself was not found. A missing dependency of it is another problem. */
function isMissing(error: unknown): boolean {
  const { code, message = "" } = error as Partial<NodeJS.ErrnoException>;
  const isNotFound = code === "ERR_MODULE_NOT_FOUND" || code === "MODULE_NOT_FOUND";
  return isNotFound && message.includes(`'${NAME}'`);
}
