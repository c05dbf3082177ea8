import { type DaemonHandle, findDaemon, noEmulator } from "./daemon";
import { table } from "./table";
import type { ParameterValue } from "./talos/faults/faultKind";
import { type FaultKind, faultKinds } from "./talos/faults/faultKinds";
import type { FaultRequest } from "./talos/faults/faultRequest";

/** Arguments of the fault commands. */
export interface FaultCommandSettings {
  readonly stateDir: string;
  /** Words after the command. */
  readonly words: readonly string[];
  /** Value of `--for`. */
  readonly forSeconds: string | undefined;
}

type Command = (settings: FaultCommandSettings) => Promise<void>;

/**
 * The commands `fault`, `faults` and `lift` of the command line.
 *
 * @param say prints a line
 */
export function faultCommands(
  say: (line: string) => void,
): Readonly<Record<"fault" | "faults" | "lift", Command>> {
  return {
    fault: async ({ stateDir, words, forSeconds }) => {
      const daemon = await runningDaemon(stateDir);
      const request = await faultRequestOf(words, forSeconds, daemon);
      const { id, machines } = await daemon.injectFault(request);
      say(`${id} is in ${machines.join(", ")}`);
    },

    faults: async ({ stateDir }) => {
      const daemon = await findDaemon(stateDir);
      const rows = ((await daemon?.faults()) ?? []).map((fault) => ({
        fault: fault.id,
        kind: fault.kind,
        machines: fault.machines.join(", "),
        parameters: pairs(fault.parameters),
        observed: pairs(fault.observed),
      }));
      say(table(["fault", "kind", "machines", "parameters", "observed"], rows));
      say("");
      say(kindsText());
    },

    lift: async ({ stateDir, words }) => {
      const daemon = await runningDaemon(stateDir);
      const ids =
        words[0] === "all" ? (await daemon.faults()).map(({ id }) => id) : [words[0] ?? ""];
      for (const id of ids) {
        if (!(await daemon.liftFault(id))) {
          throw new Error(`there is no fault "${id}": \`emulator faults\` shows those there are`);
        }
        say(`${id} is lifted`);
      }
    },
  };
}

/** A readable list of the kinds of fault, with effects and parameters. */
function kindsText(): string {
  return Object.entries(faultKinds)
    .map(([kind, { does, standsFor, parameters }]) =>
      [
        kind,
        `  ${does}`,
        `  stands for: ${standsFor}`,
        ...Object.entries(parameters).map(
          ([name, each]) => `  ${name}=${JSON.stringify(each.default)}  ${each.meaning}`,
        ),
      ].join("\n"),
    )
    .join("\n");
}

async function runningDaemon(stateDir: string): Promise<DaemonHandle> {
  const daemon = await findDaemon(stateDir);
  if (daemon === undefined) {
    throw new Error(noEmulator(stateDir));
  }
  return daemon;
}

async function faultRequestOf(
  [kind, where = "", ...settings]: readonly string[],
  forSeconds: string | undefined,
  daemon: DaemonHandle,
): Promise<FaultRequest> {
  const zones = (await daemon.nodes()).map(({ zone }) => zone);
  return {
    // The emulator refuses an unknown kind, together with all other problems.
    kind: kind as FaultKind,
    ...(zones.includes(where) ? { zone: where } : { machine: where }),
    ...(forSeconds !== undefined && { forMs: Number(forSeconds) * 1_000 }),
    parameters: Object.fromEntries(settings.map(parameterOf)),
  };
}

/** Parses `latencyMs=200`. The value becomes a number or a boolean where possible. */
function parameterOf(setting: string): [string, ParameterValue] {
  const [name = "", ...rest] = setting.split("=");
  const text = rest.join("=");
  if (text === "true" || text === "false") {
    return [name, text === "true"];
  }
  return [name, text !== "" && Number.isFinite(Number(text)) ? Number(text) : text];
}

function pairs(values: Readonly<Record<string, ParameterValue>>): string {
  return Object.entries(values)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join(" ");
}
