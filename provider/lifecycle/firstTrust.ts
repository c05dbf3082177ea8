import { MaintenanceServers } from "../api/maintenanceServers";
import type { TalosApiError } from "../api/talosApiError";
import type { Machine } from "./machine";

/**
 * Decides which server may get a machine's first configuration, with all its keys, without mutual
 * TLS. Once one server may have received it, no other one gets it. Servers in maintenance mode are
 * identified only by the key of their certificate.
 */
export class FirstTrust {
  private currentHandedTo: string | undefined;
  private attempt: MaintenanceServers | undefined;

  /**
   * @param fingerprints fingerprints of the accepted certificates. An empty list accepts none.
   *   Default: the first server that answers in maintenance mode
   * @param isFirst whether nothing was sent before, according to the state
   */
  constructor(
    private readonly fingerprints: readonly string[] | undefined,
    private readonly isFirst = true,
  ) {}

  /** The servers that an attempt may use. */
  beginAttempt(): MaintenanceServers {
    const { handedTo } = this;
    this.attempt = new MaintenanceServers(handedTo === undefined ? this.fingerprints : [handedTo]);
    return this.attempt;
  }

  /** Ends an attempt. Nothing was sent if `mayHaveArrived` is false. */
  endAttempt(mayHaveArrived: boolean): void {
    this.currentHandedTo ??= mayHaveArrived ? this.attempt?.met : undefined;
    this.attempt = undefined;
  }

  /**
   * The fingerprint of the server that may have received the configuration. During an attempt, that
   * of the current server.
   */
  get handedTo(): string | undefined {
    return this.currentHandedTo ?? this.attempt?.met;
  }

  /** The message for a refusal; `error` contains the fingerprint of the server. */
  explain({ node }: Machine, error: TalosApiError): Error {
    const isGiven = this.isFirst && this.handedTo === undefined;
    const before = isGiven
      ? "Another server may have its address, or it has restarted since its fingerprint was read."
      : "Its first configuration was sent before. Either the machine has restarted and lost it, or another server has its address: that can't be determined from here.";
    return new Error(
      `${error.message}. ${before} Nothing was sent. Replace the machine ("pulumi up --replace" with the URN of its instance); or, if the console of ${node} shows the same fingerprint, add it to maintenanceFingerprints`,
      { cause: error },
    );
  }
}
