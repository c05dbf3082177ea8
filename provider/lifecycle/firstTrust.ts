import { MaintenanceServers } from "../api/maintenanceServers";
import type { TalosApiError } from "../api/talosApiError";
import type { Machine } from "./machine";

/**
 * To whom a machine's first configuration, with all its keys, may be sent without mutual TLS. Once it
 * may have been sent to somebody, nobody else gets it: a server in maintenance mode is told from another
 * by the key of its certificate alone.
 */
export class FirstTrust {
  #handedTo: string | undefined;
  #attempt: MaintenanceServers | undefined;

  /**
   * @param fingerprints of the certificates that may get it; none gets it of an empty list, and the
   *   first to answer in maintenance mode when it is left out
   * @param isFirst whether nothing was ever sent, as far as is recorded
   */
  constructor(
    private readonly fingerprints: readonly string[] | undefined,
    private readonly isFirst = true,
  ) {}

  /** Which servers an attempt to send it may go to. */
  beginAttempt(): MaintenanceServers {
    const { handedTo } = this;
    this.#attempt = new MaintenanceServers(handedTo === undefined ? this.fingerprints : [handedTo]);
    return this.#attempt;
  }

  /** Ends an attempt; nothing was sent when `mayHaveArrived` is false. */
  endAttempt(mayHaveArrived: boolean): void {
    this.#handedTo ??= mayHaveArrived ? this.#attempt?.met : undefined;
    this.#attempt = undefined;
  }

  /**
   * The fingerprint of the server that may have got the configuration, if there is one. Of an attempt
   * that hasn't ended, as when its time is over, the server that was met.
   */
  get handedTo(): string | undefined {
    return this.#handedTo ?? this.#attempt?.met;
  }

  /** What a refusal to send is to people: `error` names the fingerprint that was found. */
  explain({ node }: Machine, error: TalosApiError): Error {
    const isGiven = this.isFirst && this.handedTo === undefined;
    const before = isGiven
      ? "Somebody else may have its address, or it has restarted since its fingerprint was read."
      : "The machine has had its first configuration sent before. It may have restarted and lost it, or somebody else has its address: from here they can't be told apart.";
    return new Error(
      `${error.message}. ${before} Nothing was sent. Replace the machine ("pulumi up --replace" with the URN of its instance); or, if the console of ${node} shows that very fingerprint, give it in maintenanceFingerprints`,
      { cause: error },
    );
  }
}
