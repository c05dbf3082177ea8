import { MaintenanceServers } from "../api/maintenanceServers";
import type { TalosApiError } from "../api/talosApiError";
import type { Machine } from "./machine";

/** What is known of the time before a trust: */
const BEFORE = {
  /** The state says that nothing was sent before. */
  first: "Another server may have its address, or it has restarted since its fingerprint was read.",
  /** A run was killed after it had recorded a first contact. */
  met: "A former run met it and recorded its fingerprint, and may have been killed when it had sent the configuration. Either the machine has restarted since, or another server has its address: that can't be determined from here.",
  /** The state says that it was sent. */
  sent: "Its first configuration was sent before. Either the machine has restarted and lost it, or another server has its address: that can't be determined from here.",
} as const;

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
   * @param before whether something was sent before. Default: the state says that nothing was
   */
  constructor(
    private readonly fingerprints: readonly string[] | undefined,
    private readonly before: keyof typeof BEFORE = "first",
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
    const before = BEFORE[this.handedTo === undefined ? this.before : "sent"];
    return new Error(
      `${error.message}. ${before} Nothing was sent. Replace the machine ("pulumi up --replace" with the URN of its instance); or, if the console of ${node} shows the same fingerprint, add it to maintenanceFingerprints`,
      { cause: error },
    );
  }
}
