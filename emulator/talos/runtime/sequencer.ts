import { setImmediate } from "node:timers/promises";
import { messageOfError } from "../../../provider/base";
import { goDuration } from "../rpc/times";
import type { EventLog } from "./eventLog";
import type { LogBook } from "./logBook";
import type { Phase, SequenceName } from "./sequences";

/** A sequence to run. */
export interface SequenceRun {
  readonly name: SequenceName;
  readonly phases: readonly Phase[];
  /** The call that started it. Undefined when the machine started it. */
  readonly actorId?: string;
  /** Cancels the running sequence. */
  readonly takeover?: boolean;
  /** Performs a task. Throws an `Error` if it fails. */
  readonly perform: (task: string, signal: AbortSignal) => Promise<void> | void;
}

/** The outcome of a sequence; `locked` if it did not begin. */
export type SequenceOutcome = "done" | "canceled" | "failed" | "locked";

/** The sequences that may interrupt a running one (talos v1.12.1, `sequenceTakeOver`). */
const givesWayTo: Readonly<Partial<Record<SequenceName, readonly SequenceName[]>>> = {
  boot: ["reboot", "reset", "upgrade"],
  reboot: ["reboot"],
  reset: ["reboot"],
};

interface Running {
  readonly name: SequenceName;
  readonly abort: AbortController;
  readonly over: Promise<unknown>;
}

/** Runs a machine's sequences, one at a time, with events of each step (talos v1.12.1, `Controller.Run`). */
export class Sequencer {
  private readonly events: EventLog;
  private readonly logs: LogBook;
  private running: Running | undefined;

  constructor(events: EventLog, logs: LogBook) {
    this.events = events;
    this.logs = logs;
  }

  /** Runs a sequence after the ones that it interrupts have ended. */
  async run(run: SequenceRun): Promise<SequenceOutcome> {
    const running = this.running;
    if (running) {
      const mayTakeOver = givesWayTo[running.name]?.includes(run.name) === true;
      if (!mayTakeOver && run.takeover !== true) {
        this.failed(run.name, "LOCKED", "sequence not started: locked");
        return "locked";
      }
      running.abort.abort();
    }
    const abort = new AbortController();
    const over = (running?.over ?? Promise.resolve()).then(() =>
      this.currentRun(run, abort.signal),
    );
    const mine: Running = { name: run.name, abort, over };
    this.running = mine;
    try {
      return await over;
    } finally {
      if (this.running === mine) {
        this.running = undefined;
      }
    }
  }

  private async currentRun(run: SequenceRun, signal: AbortSignal): Promise<SequenceOutcome> {
    const { name, phases, actorId } = run;
    const sequence = (action: "START" | "STOP") => {
      this.events.publish({ name: "SequenceEvent", value: { sequence: name, action } }, actorId);
    };
    sequence("START");
    this.logs.talos(`${name} sequence: ${phases.length} phase(s)`);
    const startedAt = Date.now();
    try {
      for (const [index, phase] of phases.entries()) {
        await this.phase(run, phase, index, signal);
        if (signal.aborted) {
          throw new Error("context canceled");
        }
      }
    } catch (error) {
      this.logs.talos(`${name} sequence: failed`);
      sequence("STOP");
      const reason = messageOfError(error);
      this.failed(
        name,
        signal.aborted ? "CANCELED" : "FATAL",
        `sequence failed: ${reason}`,
        actorId,
      );
      return signal.aborted ? "canceled" : "failed";
    }
    this.logs.talos(`${name} sequence: done: ${goDuration(Date.now() - startedAt)}`);
    sequence("STOP");
    return "done";
  }

  private async phase(
    run: SequenceRun,
    { name, tasks }: Phase,
    index: number,
    signal: AbortSignal,
  ): Promise<void> {
    const { actorId } = run;
    const progress = `${index + 1}/${run.phases.length}`;
    const event = (action: "START" | "STOP") => {
      this.events.publish({ name: "PhaseEvent", value: { phase: name, action } }, actorId);
    };
    this.logs.talos(`phase ${name} (${progress}): ${tasks.length} tasks(s)`);
    event("START");
    const startedAt = Date.now();
    try {
      await Promise.all(
        tasks.map((task, number) => this.task(run, task, `${number + 1}/${tasks.length}`, signal)),
      );
    } catch (error) {
      event("STOP");
      this.logs.talos(`phase ${name} (${progress}): failed`);
      const reason = messageOfError(error);
      throw new Error(`error running phase ${index + 1} in ${run.name} sequence: ${reason}`, {
        cause: error,
      });
    }
    event("STOP");
    this.logs.talos(`phase ${name} (${progress}): done, ${goDuration(Date.now() - startedAt)}`);
    // Readers must get the last events before their connections close.
    await setImmediate();
  }

  private async task(
    { actorId, perform }: SequenceRun,
    task: string,
    progress: string,
    signal: AbortSignal,
  ): Promise<void> {
    const event = (action: "START" | "STOP") => {
      this.events.publish({ name: "TaskEvent", value: { task, action } }, actorId);
    };
    event("START");
    this.logs.talos(`task ${task} (${progress}): starting`);
    const startedAt = Date.now();
    try {
      await perform(task, signal);
    } catch (error) {
      const reason = messageOfError(error);
      event("STOP");
      this.logs.talos(`task ${task} (${progress}): failed: ${reason}`);
      throw new Error(`task ${progress}: failed, ${reason}`, { cause: error });
    }
    event("STOP");
    this.logs.talos(`task ${task} (${progress}): done, ${goDuration(Date.now() - startedAt)}`);
  }

  private failed(
    sequence: SequenceName,
    code: "LOCKED" | "CANCELED" | "FATAL",
    message: string,
    actorId?: string,
  ): void {
    this.events.publish(
      { name: "SequenceEvent", value: { sequence, action: "NOOP", error: { code, message } } },
      actorId,
    );
  }
}
