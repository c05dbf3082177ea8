import { randomUUID } from "node:crypto";
import type { InstalledSystem } from "../machine/installerImage";
import type { MachineStage } from "../machine/machineStatus";
import { ServiceBoard, type ServiceState } from "../machine/serviceBoard";
import { startLogLine } from "../machine/serviceCatalog";
import { EventLog } from "./eventLog";
import { LogBook } from "./logBook";
import { Sequencer } from "./sequencer";
import { StageTracker } from "./stageTracker";

/** One run of a machine's kernel, from its start to the shutdown. */
export class Uptime {
  /** The boot id, new for each start; applying a first configuration does not change it. */
  readonly bootId = randomUUID();
  readonly startedAt = new Date();
  readonly events = new EventLog();
  readonly logs = new LogBook();
  readonly services: ServiceBoard;
  readonly sequencer = new Sequencer(this.events, this.logs);
  private readonly currentStage = new StageTracker();
  private readonly listeners = new Set<() => void>();

  constructor(
    /** The booted system. */
    readonly system: InstalledSystem,
  ) {
    this.services = new ServiceBoard({
      happened: (id, event, health) => {
        this.logs.talos(`service[${id}](${event.state}): ${event.message}`);
        const line = event.state === "Running" && !health ? startLogLine(id, event.at) : undefined;
        if (line !== undefined) {
          this.logs.write(id, line);
        }
        this.events.publish({
          name: "ServiceStateEvent",
          value: {
            service: id,
            action: actionOf(event.state),
            message: event.message,
            ...(health ? { health: { healthy: health.healthy, lastMessage: health.message } } : {}),
          },
        });
      },
      changed: () => this.changed(),
    });
    this.events.subscribe(({ body }) => {
      if (this.currentStage.follow(body)) {
        this.changed();
      }
    });
  }

  /** The stage of the machine. */
  get stage(): MachineStage {
    return this.currentStage.stage;
  }

  /**
   * Calls the listener at each change of services or stage, until the returned function is called.
   */
  watch(listener: () => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  private changed(): void {
    for (const listener of [...this.listeners]) {
      listener();
    }
  }
}

function actionOf(state: ServiceState) {
  const actions = {
    Initialized: "INITIALIZED",
    Preparing: "PREPARING",
    Waiting: "WAITING",
    Running: "RUNNING",
    Stopping: "STOPPING",
    Finished: "FINISHED",
    Failed: "FAILED",
    Skipped: "SKIPPED",
    Starting: "STARTING",
  } as const;
  return actions[state];
}
