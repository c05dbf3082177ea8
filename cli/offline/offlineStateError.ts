import { CommandFailure } from "../commandFailure";

/** A state that a preview can't use. The message says why, and what to do. */
export class OfflineStateError extends CommandFailure {
  constructor(reason: string) {
    super(`the state can't be used for a preview: ${reason}`);
  }
}
