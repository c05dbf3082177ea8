import { stripVTControlCharacters } from "node:util";
import type { EngineEvent, StepEventMetadata } from "@pulumi/pulumi/automation";
import { isPluginWarning } from "../preview";

/** How long a resource must be at work before a line says what it waits for, and between two such lines. */
const SILENCE_MS = 10_000;

/** How an operation is called once it is done. Others change nothing in the cloud. */
const DONE: Readonly<Record<string, string>> = {
  create: "created",
  "create-replacement": "created",
  update: "updated",
  delete: "deleted",
  "delete-replaced": "deleted",
};

/**
 * Types of which every resource has a line. AWS has many others, which are counted. A machine's first
 * contact is followed at once by its configuration, which has one.
 */
const SHOWN = /^pulumi-nodejs:dynamic\/talos:(?!FirstContact$)|^aws:ec2\/instance:/;

interface Work {
  /** When a line last said something of it. */
  saidMs: number;
  /** What it last reported. */
  report: string;
}

/**
 * Shows an operation of the engine in few lines: each finished Talos resource and machine, the number
 * of the others, and what a resource waits for that takes longer than ten seconds. Warnings are
 * shown as they come. The errors of a failure are in its message.
 */
export class CompactProgress {
  private readonly atWork = new Map<string, Work>();
  private readonly warned = new Set<string>();
  private others = new Map<string, number>();

  /**
   * @param say gets each line
   * @param now milliseconds of a clock
   */
  constructor(
    private readonly say: (line: string) => void,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** For the option `onEvent` of an operation. */
  readonly add = ({ resourcePreEvent, resOutputsEvent, diagnosticEvent }: EngineEvent): void => {
    if (resourcePreEvent !== undefined) {
      const { urn } = resourcePreEvent.metadata;
      this.atWork.set(urn, { saidMs: this.now(), report: "" });
    }
    if (diagnosticEvent !== undefined) {
      const { urn = "", message, severity, ephemeral = false } = diagnosticEvent;
      const text = stripVTControlCharacters(message.replaceAll(/<\{%.*?%\}>/g, "")).trim();
      if (severity === "warning") {
        this.warn(text);
      } else if (ephemeral && text !== "") {
        this.reported(urn, text);
      }
    }
    if (resOutputsEvent !== undefined) {
      this.done(resOutputsEvent.metadata);
    }
  };

  /** Says how many other resources were changed, when the operation has ended. */
  end(): void {
    const counts = [...this.others].map(([what, count]) => `${count} ${what}`);
    if (counts.length > 0) {
      this.say(`  other resources: ${counts.join(", ")}`);
    }
    this.others = new Map();
  }

  private warn(text: string): void {
    if (!isPluginWarning(text) && !this.warned.has(text)) {
      this.warned.add(text);
      this.say(`  warning: ${text}`);
    }
  }

  private reported(urn: string, report: string): void {
    const work = this.atWork.get(urn);
    if (work === undefined) {
      return;
    }
    work.report = report;
    if (this.now() - work.saidMs >= SILENCE_MS) {
      work.saidMs = this.now();
      this.say(`  ${nameOf(urn)}: ${report}`);
    }
  }

  private done({ op, urn, type, new: made }: StepEventMetadata): void {
    const { report = "" } = this.atWork.get(urn) ?? {};
    this.atWork.delete(urn);
    const what = DONE[op];
    if (what === undefined || made?.custom === false) {
      return;
    }
    if (SHOWN.test(type)) {
      this.say(`  ${nameOf(urn)} ${what}${report === "" ? "" : `: ${report}`}`);
    } else {
      this.others.set(what, (this.others.get(what) ?? 0) + 1);
    }
  }
}

/** `ConfigurationApply local-control-plane-1`. */
function nameOf(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  return `${types.split(":").at(-1) ?? ""} ${name.join("::")}`;
}
