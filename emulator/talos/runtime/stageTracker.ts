import type { MachineStage } from "../machine/machineStatus";
import type { EventBody } from "./machineEvent";

const sequenceStages: Readonly<Record<string, MachineStage>> = {
  initialize: "booting",
  boot: "booting",
  shutdown: "shutting down",
  upgrade: "upgrading",
  stageUpgrade: "upgrading",
  reset: "resetting",
  reboot: "rebooting",
};

/** Sequences in which loading the next kernel means a restart. */
const kexecSequences: ReadonlySet<string> = new Set(["install", "upgrade", "stageUpgrade"]);

/**
 * The stage of a machine, from its events alone (talos v1.12.1, `MachineStatusController.watchEvents`).
 */
export class StageTracker {
  private currentStage: MachineStage = "booting";
  private sequence = "";

  /** The current stage. */
  get stage(): MachineStage {
    return this.currentStage;
  }

  /** Follows an event. Returns whether the stage has changed. */
  follow(body: EventBody): boolean {
    const next = this.next(body);
    if (next === undefined || next === this.currentStage) {
      return false;
    }
    this.currentStage = next;
    return true;
  }

  private next(body: EventBody): MachineStage | undefined {
    switch (body.name) {
      case "SequenceEvent": {
        const { sequence = "", action, error } = body.value;
        this.sequence = action === "STOP" ? "" : sequence;
        if (action === "START") {
          return sequenceStages[sequence];
        }
        if (action === "STOP") {
          return sequence === "boot" ? "running" : undefined;
        }
        return error?.code === "FATAL" ? "rebooting" : undefined;
      }
      case "PhaseEvent":
        return body.value.phase === "kexec" && kexecSequences.has(this.sequence)
          ? "rebooting"
          : undefined;
      case "TaskEvent":
        if (body.value.task !== "runningMaintenance") {
          return undefined;
        }
        return body.value.action === "START" ? "maintenance" : "booting";
      default:
        return undefined;
    }
  }
}
