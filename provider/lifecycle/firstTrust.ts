import { MaintenanceServers } from "../api/maintenanceServers";
import type { TalosApiError } from "../api/talosApiError";
import type { Machine } from "./machine";

/**
 * Decides which server may get a machine's first configuration, with all its keys, without mutual
 * TLS. Once one server may have received it, no other one gets it. Servers in maintenance mode are
 * identified only by the key of their certificate.
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

  /** The servers that an attempt may use. */
  beginAttempt(): MaintenanceServers {
    const { handedTo } = this;
    this.#attempt = new MaintenanceServers(handedTo === undefined ? this.fingerprints : [handedTo]);
    return this.#attempt;
  }

  /** Ends an attempt. Nothing was sent if `mayHaveArrived` is false. */
  endAttempt(mayHaveArrived: boolean): void {
    this.#handedTo ??= mayHaveArrived ? this.#attempt?.met : undefined;
    this.#attempt = undefined;
  }

  /**
   * The fingerprint of the server that may have received the configuration. During an attempt, that
   * of the current server.
   */
  get handedTo(): string | undefined {
    return this.#handedTo ?? this.#attempt?.met;
  }

  /** The message for a refusal; `error` contains the fingerprint of the server. */
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
