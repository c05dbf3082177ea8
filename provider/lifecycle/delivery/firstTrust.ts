import { MaintenanceServers } from "../../api/maintenanceServers";
import type { TalosApiError } from "../../api/talosApiError";
import type { CallOptions } from "../../api/talosClient";
import type { Machine } from "../machine";
import type { ConsoleProof } from "./consoleProof";

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
 * identified only by the key of their certificate. With a proof, only keys that are proven to be the
 * machine's own count, and all of them: it makes several.
 */
export class FirstTrust {
  private currentHandedTo: string | undefined;
  private attempt: MaintenanceServers | undefined;

  /**
   * @param fingerprints fingerprints of the accepted certificates. An empty list accepts none.
   *   Default: the first server that answers in maintenance mode
   * @param before whether something was sent before. Default: the state says that nothing was
   * @param proof accepts what it proves, besides `fingerprints`; without these, nothing else
   */
  constructor(
    private readonly fingerprints: readonly string[] | undefined,
    private readonly before: keyof typeof BEFORE = "first",
    private readonly proof?: ConsoleProof,
  ) {}

  /** The servers that an attempt may use. */
  beginAttempt(): MaintenanceServers {
    const { handedTo, proof } = this;
    const named = handedTo === undefined ? this.fingerprints : [handedTo];
    this.attempt = new MaintenanceServers(proof ? [...(named ?? []), ...proof.proven] : named);
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

  /**
   * Judges a server that an attempt has refused.
   *
   * @returns what is still missing to trust it, or that it can be trusted in the next attempt
   * @throws Error if it can't be trusted
   */
  async judge(
    machine: Machine,
    { error, refused }: { readonly error: TalosApiError; readonly refused: string | undefined },
    call: CallOptions,
  ): Promise<string> {
    if (this.proof === undefined || refused === undefined) {
      throw this.explain(machine, error);
    }
    return (await this.proof.judge(refused, call)) ?? "its console proves its certificate";
  }

  /** Says what to do after a wait that ended without a proof. */
  explainWait(error: unknown): unknown {
    return this.proof?.explainWait(error) ?? error;
  }

  /** The message for a refusal; `error` contains the fingerprint of the server. */
  private explain({ node }: Machine, error: TalosApiError): Error {
    const before = BEFORE[this.handedTo === undefined ? this.before : "sent"];
    return new Error(
      `${error.message}. ${before} Nothing was sent. Replace the machine ("pulumi up --replace" with the URN of its instance); or, if the console of ${node} shows the same fingerprint, add it to maintenanceFingerprints`,
      { cause: error },
    );
  }
}
