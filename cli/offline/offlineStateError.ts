import { CommandFailure } from "../commandFailure";

/** A state that can't be previewed from; its message says why, and what to do. */
export class OfflineStateError extends CommandFailure {
  constructor(reason: string) {
    super(`the state can't be previewed from: ${reason}`);
  }
}
