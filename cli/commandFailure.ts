/** A failure of a command, with a message for its user. It is shown without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  constructor(
    message: string,
    /** The exit code of the process. Default: 1. */
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
