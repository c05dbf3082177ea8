import type { CallOptions, ServiceStatus, TalosClient } from "../../api/talosClient";
import { clock } from "../../base/clock";
import { unlessSilent } from "../silence";
import { readLines } from "./controllerFacts";
import { failingPulls, isPulling } from "./imagePulls";

/** The log in which Talos reports that it can't pull an image. */
const LOG = "machined";

/**
 * How long a part of that log holds the newest error. Talos writes two lines of each call that it
 * answers there, which are some 40 a second while a run waits.
 */
const READ_AGAIN_MS = 10_000;
const TAIL_LINES = 2_000;

/**
 * Follows why images of a machine can't be pulled, in one wait. Talos logs each error once, among all
 * else, so the whole log is read first, and then its end from time to time.
 */
export class PullWatch {
  private pulls = "";
  private errors: readonly string[] = [];
  private readAtMs: number | undefined;

  /**
   * The errors of the pulls that these services wait for, as Talos logged them. They may contain a
   * secret.
   *
   * @throws TalosApiError never: without an answer nothing is known
   */
  async read(
    client: TalosClient,
    services: readonly ServiceStatus[],
    call: CallOptions,
  ): Promise<readonly string[]> {
    const pulls = services
      .filter(isPulling)
      .map(({ id, events }) => `${id} ${events.at(-1)?.at ?? ""}`)
      .join(", ");
    if (pulls !== this.pulls) {
      this.pulls = pulls;
      this.errors = [];
      this.readAtMs = undefined;
    }
    const { readAtMs } = this;
    const now = clock.now();
    if (pulls !== "" && (readAtMs === undefined || now - readAtMs >= READ_AGAIN_MS)) {
      const tail = readAtMs === undefined ? {} : { tailLines: TAIL_LINES };
      const lines = await unlessSilent(readLines(client, { id: LOG, ...tail }, call));
      if (lines !== undefined) {
        this.readAtMs = now;
        this.errors = [...new Set([...this.errors, ...failingPulls(services, lines)])];
      }
    }
    return this.errors;
  }
}
