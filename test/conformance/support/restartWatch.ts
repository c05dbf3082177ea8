import { messageOfError } from "../../../provider/base/messageOfError";
import { eventually } from "../../emulator/support/eventually";
import { Probe } from "../../engine/support/probe";

/** How long answers must come again until a server counts as started. */
const ANSWERING_MS = 3_000;

/** Asks a server that is about to restart, over and over. */
export class RestartWatch {
  private readonly outages: { readonly reasons: Set<string>; to?: number }[] = [];
  private readonly probe: Probe;

  /** @param ask rejects where there is no right answer */
  constructor(ask: () => Promise<unknown>) {
    this.probe = new Probe(async () => {
      const current = this.outages.at(-1);
      try {
        await ask();
      } catch (error) {
        const reason = messageOfError(error);
        if (current === undefined || current.to !== undefined) {
          this.outages.push({ reasons: new Set([reason]) });
        } else {
          current.reasons.add(reason);
        }
        return;
      }
      if (current !== undefined) {
        current.to ??= Date.now();
      }
    });
  }

  /** Waits until it has been away, and answers again. */
  async awaitRestart(): Promise<void> {
    await eventually(() => {
      const { to = Infinity } = this.outages.at(-1) ?? {};
      expect(Date.now() - to).toBeGreaterThan(ANSWERING_MS);
    }, 240_000);
  }

  /** The reasons of each time without a right answer. */
  async stop(): Promise<readonly (readonly string[])[]> {
    await this.probe.stop();
    return this.outages.map(({ reasons }) => [...reasons]);
  }
}
