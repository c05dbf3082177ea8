/** What a command couldn't do, in words for whoever typed it; shown without a stack trace. */
export class CommandFailure extends Error {
  override readonly name = "CommandFailure";

  constructor(
    message: string,
    /** What the process ends with. Default: 1. */
    readonly exitCode = 1,
  ) {
    super(message);
  }
}
