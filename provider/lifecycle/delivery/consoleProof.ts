import type { CallOptions } from "../../api/talosClient";
import { WaitTimeoutError } from "../../api/waitFor";
import { clock } from "../../base/clock";
import { messageOfError } from "../../base/messageOfError";
import { maintenanceOutput } from "../../console/maintenanceOutput";
import { ConsoleError, type InstanceConsole, readConsole } from "../../console/readConsole";
import type { Machine } from "../machine";

/** How long what EC2 shows of a live console may be behind the certificate that the machine uses. */
const LAG_MS = 15_000;

/** The pause between two questions to EC2, which limits how often it is asked. */
const PAUSE_MS = 3_000;

const REPLACE = 'replace the machine ("pulumi up --replace" with the URN of its instance)';

/** What to do about a machine that its console doesn't prove. */
const WAYS_ON = {
  /** EC2 can't be asked. */
  unasked:
    'Let who runs this read the console: the permission is "ec2:GetConsoleOutput", and "talos-aws permissions" prints all. Or give the machine\'s maintenanceFingerprints; or set firstContact to "firstAnswer", with which an impostor gets the configuration',
  /** It shows none. */
  silent: `Either it has not booted, or its image doesn't print to the serial console ("console=ttyS0"): give its maintenanceFingerprints, or ${REPLACE}`,
  /** It shows others. */
  other: `Either ${REPLACE}; or, if its console shows the same fingerprint later, run this again`,
} as const;

/**
 * Fingerprints that consoles have shown to this process, by ARN. A machine keeps its keys in memory, so they stay its own.
 */
const proven = new Map<string, ReadonlySet<string>>();

/**
 * Proves by EC2's console output whether a certificate in maintenance mode is a machine's own. Only the machine, and AWS,
 * write to its console. No impostor at its address can, and nobody on the way to it.
 */
export class ConsoleProof {
  private askedAt = Number.NEGATIVE_INFINITY;
  private seen = "EC2 has not been asked for its console output";
  private isMissing = false;
  private wayOn: keyof typeof WAYS_ON = "unasked";
  private refused: { readonly fingerprint: string; readonly since: number } | undefined;

  constructor(
    private readonly machine: Machine,
    private readonly source: InstanceConsole,
  ) {}

  /** The fingerprints that are proven so far. */
  get proven(): readonly string[] {
    return [...(proven.get(this.source.instanceArn) ?? [])];
  }

  /**
   * Judges a certificate that a server has shown at the machine's address.
   *
   * @returns undefined if it is the machine's; otherwise what is still missing, in a few words
   * @throws Error if it isn't, or if EC2 refuses to show the console
   */
  async judge(fingerprint: string, { signal }: CallOptions): Promise<string | undefined> {
    const isProven = () => this.proven.includes(fingerprint);
    this.isMissing = !isProven();
    if (!this.isMissing) {
      return undefined;
    }
    if (clock.now() - this.askedAt < PAUSE_MS) {
      return this.seen;
    }
    try {
      await this.look(fingerprint, signal);
    } catch (error) {
      if (error instanceof ConsoleError && error.isLasting) {
        throw this.explain(error.message, error);
      }
      this.seen = messageOfError(error);
    }
    this.askedAt = clock.now();
    this.isMissing = !isProven();
    return this.isMissing ? this.seen : undefined;
  }

  /** The error of a wait, with what to do if only the proof was missing. */
  explainWait(error: unknown): unknown {
    return error instanceof WaitTimeoutError && this.isMissing
      ? this.explain(error.message, error)
      : error;
  }

  private async look(fingerprint: string, signal: AbortSignal | undefined): Promise<void> {
    const { text, isLive } = await this.read(signal);
    const { fingerprints, hasLeft } = maintenanceOutput(text);
    const { instanceArn } = this.source;
    proven.set(instanceArn, new Set([...this.proven, ...fingerprints]));
    if (fingerprints.includes(fingerprint)) {
      return;
    }
    const source = `EC2's console output of ${instanceArn}`;
    if (fingerprints.length === 0 && !hasLeft) {
      this.wayOn = "silent";
      this.seen = `${source} shows no fingerprint yet`;
      return;
    }
    const shown = hasLeft
      ? "that the machine has taken a configuration already"
      : `"${fingerprints.join('", "')}"`;
    this.wayOn = "other";
    this.seen = `its certificate has the fingerprint "${fingerprint}", but ${source} shows ${shown}`;
    if (this.refused?.fingerprint !== fingerprint) {
      this.refused = { fingerprint, since: clock.now() };
    }
    // What isn't live may be older than the certificate, and then only the deadline ends the wait.
    if (isLive && clock.now() - this.refused.since >= LAG_MS) {
      const reason = "another server answers at its address, or on the way to it";
      throw new ConsoleError(`${this.seen}: ${reason}`, true);
    }
  }

  private async read(signal: AbortSignal | undefined) {
    try {
      return await readConsole(this.source, signal);
    } catch (error) {
      // At the deadline, what was seen before is still what is wrong.
      if (signal?.aborted !== true) {
        this.wayOn = "unasked";
      }
      throw error;
    }
  }

  private explain(problem: string, cause: Error): Error {
    return new Error(
      `machine ${this.machine.node} in maintenance mode is not proven to be ${this.source.instanceArn}: ${problem}. Nothing was sent to it. ${WAYS_ON[this.wayOn]}`,
      { cause },
    );
  }
}
