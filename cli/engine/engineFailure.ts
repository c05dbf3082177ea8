import { stripVTControlCharacters } from "node:util";
import type { EngineEvent } from "@pulumi/pulumi/automation";
import { plainMessage } from "../../preview";
import { messageOfError } from "../../provider/base";
import { CommandFailure } from "../commandFailure";

const MAX_LINES = 40;

/** What to do after an operation that failed in the middle. */
export const RUN_AGAIN = "Run the same command again: it continues from here.";

/**
 * Errors with which the engine only reports that an operation failed; its causes are separate
 * errors.
 */
const CONSEQUENCES = [
  /^(preview|update|refresh|destroy) failed$/,
  /^(an unhandled error occurred: )?program exited with non-zero exit code: -?\d+$/i,
  /^resource monitor shut down while waiting/,
  /^One or more errors occurred/,
];

/**
 * Collects the events of an engine's run, except debug messages: an SDK logs each message there that it
 * sends or receives, secrets in clear (`runtime/resource.ts` of @pulumi/pulumi v3.230.0).
 */
export class EngineEvents {
  private readonly collected: EngineEvent[] = [];

  get all(): readonly EngineEvent[] {
    return this.collected;
  }

  /** For the option `onEvent` of an operation. */
  readonly add = (event: EngineEvent): void => {
    // The SDK's types don't know of `debug`.
    const severity: string | undefined = event.diagnosticEvent?.severity;
    if (severity !== "debug") {
      this.collected.push(event);
    }
  };
}

/**
 * Why an operation of the engine failed, in one message that names each cause once.
 *
 * @param error from Pulumi's SDK; its message repeats the engine's whole output
 * @param events of the operation. Default: the error's own text is read
 */
export function engineFailure(error: unknown, events: readonly EngineEvent[] = []): CommandFailure {
  if (error instanceof CommandFailure) {
    return error;
  }
  const causes = causesOf(events);
  if (causes.length === 0) {
    return new CommandFailure(messageOf(error));
  }
  const isPartlyDone = events.some(({ resOpFailedEvent }) => resOpFailedEvent !== undefined);
  return new CommandFailure([...causes, ...(isPartlyDone ? [RUN_AGAIN] : [])].join("\n"));
}

/** The errors among events, each once; an error of a resource names it. Pure. */
function causesOf(events: readonly EngineEvent[]): readonly string[] {
  const errors = events.flatMap(({ diagnosticEvent }) =>
    diagnosticEvent?.severity === "error"
      ? [{ message: plainMessage(diagnosticEvent.message), urn: diagnosticEvent.urn ?? "" }]
      : [],
  );
  const causes = errors.filter(({ message }) => !CONSEQUENCES.some((one) => one.test(message)));
  const told = causes.length > 0 ? causes : errors;
  return [...new Set(told.map(({ message, urn }) => `${resourceLabel(urn)}${message}`))];
}

/** `control-plane-1 (ConfigurationApply): `; empty for the stack itself. */
function resourceLabel(urn: string): string {
  const [, , types = "", ...name] = urn.split("::");
  const type = types.split("$").at(-1) ?? "";
  return type === "" || type === "pulumi:pulumi:Stack"
    ? ""
    : `${name.join("::")} (${type.split(":").at(-1) ?? ""}): `;
}

/** What the engine wrote as its errors, else on standard error, else the message as it is. */
function messageOf(error: unknown): string {
  const text = stripVTControlCharacters(messageOfError(error));
  // As @pulumi/pulumi v3.230.0 puts it together in `automation/cmd.ts`.
  const [, written] = /^code: [^]*?\n stderr: ([^]*?)\n err\?: /.exec(text) ?? [];
  const stderr = (written ?? text).replace(/^Command failed with .*\n/, "").trim();
  const [, ...found] = stderr.split(/^error: /m);
  const messages = found.map((each) => each.trimEnd().split("\n").slice(0, MAX_LINES).join("\n"));
  return messages.length === 0 ? stderr || text : [...new Set(messages)].join("\n");
}
