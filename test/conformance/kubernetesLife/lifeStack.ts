import { mkdir } from "node:fs/promises";
import type { EngineEvent, PulumiFn, Stack } from "@pulumi/pulumi/automation";
import { openStack } from "../../../scripts/openStack";
import { engineFromEnvironment } from "../../engine/support/engineFromEnvironment";
import { exportedOutputs } from "../../engine/support/exportedOutputs";
import { killedWhile } from "../../engine/support/killedWhile";
import { readLater } from "../../engine/support/readLater";

/** A warning of every run, as plugins come from this checkout. */
const OF_ENGINE = "using pulumi-resource-pulumi-nodejs from $PATH";

/** How one run of the engine ended. */
export interface LifeRun {
  readonly succeeded: boolean;
  /** All warnings and errors, in their order. */
  readonly said: string;
  /** The resources that it made, changed or removed: `update EtcdMember cp1`, in the order in which that began. */
  readonly steps: readonly string[];
}

/** A stack of the real engine, which starts its plugins anew with each run and writes its state at each step. */
export class LifeStack {
  private constructor(readonly stack: Stack) {}

  /** @param folder in the checkout; holds the state */
  static async open(folder: string, program: PulumiFn): Promise<LifeStack> {
    await mkdir(folder, { recursive: true });
    const stack = await openStack({
      stack: "local",
      program,
      stateDir: folder,
      settings: "config: {}",
      engine: await engineFromEnvironment(),
      environment: {},
      pluginDirs: [],
    });
    return new LifeStack(readLater(stack));
  }

  /** An ordinary `up`, without a refresh. It never throws. */
  up(): Promise<LifeRun> {
    return hear((onEvent) => this.stack.up({ onEvent }));
  }

  /** A preview. It never throws. */
  preview(): Promise<LifeRun> {
    return hear((onEvent) => this.stack.preview({ onEvent }));
  }

  /** A refresh alone. It never throws. */
  refresh(): Promise<LifeRun> {
    return hear((onEvent) => this.stack.refresh({ onEvent }));
  }

  /**
   * An `up` whose engine is killed at a moment.
   *
   * @param isMoment asked at each event, and every few milliseconds without one
   */
  async killedUp(isMoment: (event: EngineEvent) => boolean): Promise<void> {
    await killedWhile(({ onEvent }, stack) => stack.up({ onEvent }), isMoment, {
      ordinaryStack: () => Promise.resolve(this.stack),
      record: { onEvent: () => undefined, onOutput: () => undefined },
    });
  }

  /** The outputs of the program, secrets in clear. */
  async outputs<Values>(): Promise<Values> {
    const outputs = exportedOutputs(await this.stack.exportStack());
    const values = Object.entries(outputs).map(([name, { value }]) => [name, value as unknown]);
    return Object.fromEntries(values) as Values;
  }
}

async function hear(
  run: (onEvent: (event: EngineEvent) => void) => Promise<unknown>,
): Promise<LifeRun> {
  const said: string[] = [];
  const steps: string[] = [];
  const onEvent = ({ diagnosticEvent, resourcePreEvent }: EngineEvent) => {
    const { severity = "", message = "" } = diagnosticEvent ?? {};
    if (["warning", "error"].includes(severity) && !message.includes(OF_ENGINE)) {
      said.push(message);
    }
    const { op = "same", urn = "" } = resourcePreEvent?.metadata ?? {};
    if (op !== "same") {
      const [type = "", name = ""] = urn.split("::").slice(-2);
      steps.push(`${op} ${type.split(":").at(-1) ?? ""} ${name}`);
    }
  };
  try {
    await run(onEvent);
    return { succeeded: true, said: said.join(""), steps };
  } catch (error) {
    said.push(said.length === 0 ? String(error) : "");
    return { succeeded: false, said: said.join(""), steps };
  }
}

/** Whether an event is the begin of a resource's change. */
export function beginsChangeOf(name: string): (event: EngineEvent) => boolean {
  return ({ resourcePreEvent }) => {
    const { op = "same", urn = "" } = resourcePreEvent?.metadata ?? {};
    return op !== "same" && urn.endsWith(`ConfigurationApply::${name}`);
  };
}
