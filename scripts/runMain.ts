import { messageOfError } from "../provider/base/messageOfError";

/**
 * Runs a script. An error becomes one message on standard error and the exit code 1.
 *
 * @param onError runs before the message
 */
export function runMain(main: () => Promise<void>, onError: () => void = () => undefined): void {
  main().catch((error: unknown) => {
    onError();
    process.stderr.write(`error: ${messageOfError(error)}\n`);
    process.exit(1);
  });
}
