import type { Timers } from "../machine/timers";
import type { LogBook } from "./logBook";

/** What a controller works with. */
export interface ControllerHost {
  /** For example `k8s.KubeletSpecController`. */
  readonly name: string;
  readonly timers: Pick<Timers, "after">;
  readonly logs: Pick<LogBook, "write">;
  /** How long it waits after a number of failures in a row, in milliseconds. */
  readonly backOffMs: (failures: number) => number;
  /** Derives its resources. Returns its error; undefined without one. */
  readonly run: () => string | undefined;
}

const LOG = "controller-runtime";

/** The colours of levels in Talos' logs. */
const COLOURS = { DEBUG: 35, ERROR: 31 } as const;

/**
 * A controller of Talos: it runs whenever something that it depends on has changed. After an error it
 * waits for its back-off, and nothing wakes it earlier. What it derives stays as it was until then.
 * Talos reports the error only in a log. Sources: cosi-project/runtime v1.12.0,
 * `internal/rruntime/run.go`; talos v1.12.1, `pkg/logging/zap.go`.
 */
export class Controller {
  private failures = 0;
  private isWaiting = false;
  private hasBegun = false;

  constructor(private readonly host: ControllerHost) {}

  /** Something that it depends on may have changed. */
  trigger(): void {
    if (this.isWaiting) {
      return;
    }
    if (!this.hasBegun) {
      this.begin();
    }
    const error = this.host.run();
    if (error === undefined) {
      this.failures = 0;
    } else {
      this.fail(error);
    }
  }

  private begin(): void {
    this.hasBegun = true;
    this.log("DEBUG", "controller starting");
  }

  private fail(error: string): void {
    const { timers, backOffMs } = this.host;
    this.failures += 1;
    this.hasBegun = false;
    this.isWaiting = true;
    const waitMs = backOffMs(this.failures);
    this.log("ERROR", "controller failed", { error });
    this.log("DEBUG", `restarting controller in ${waitMs / 1_000}s`);
    timers.after(waitMs, () => {
      this.isWaiting = false;
      this.trigger();
    });
  }

  private log(level: keyof typeof COLOURS, message: string, more: object = {}): void {
    const { name, logs } = this.host;
    const fields = JSON.stringify({ component: LOG, controller: name, ...more });
    const shown = `\u001b[${COLOURS[level]}m${level}\u001b[0m`;
    logs.write(LOG, `${new Date().toISOString()} ${shown} ${message} ${fields}`);
  }
}
