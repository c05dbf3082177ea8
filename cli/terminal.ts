/** What is known of where output goes. */
export interface Terminal {
  /** Whether a person sits there. */
  readonly isInteractive: boolean;
  readonly color: boolean;
  /** Characters in a line; undefined where lines have no end, as in a file. */
  readonly width: number | undefined;
}

/** A stream as Node has it. */
interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * How to write to a stream. `NO_COLOR` and `FORCE_COLOR` decide about colours (no-color.org,
 * force-color.org), the first before the second; else a terminal that isn't `dumb` has them, and files,
 * pipes and logs of CI don't. `COLUMNS` decides about the width where the stream has none.
 */
export function terminalOf(
  stream: OutputStream,
  env: Readonly<Record<string, string | undefined>>,
): Terminal {
  const isTerminal = stream.isTTY === true;
  const columns = Number(env.COLUMNS);
  const given = Number.isInteger(columns) && columns > 0 ? columns : undefined;
  return {
    isInteractive: isTerminal && !isSet(env.CI),
    color: hasColor(isTerminal, env),
    width: (isTerminal ? stream.columns : undefined) ?? given,
  };
}

function hasColor(isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): boolean {
  if (isSet(env.NO_COLOR)) {
    return false;
  }
  const forced = env.FORCE_COLOR;
  if (forced !== undefined && forced !== "") {
    return forced !== "0" && forced !== "false";
  }
  return isTerminal && env.TERM !== "dumb";
}

function isSet(value: string | undefined): boolean {
  return value !== undefined && value !== "" && value !== "0" && value !== "false";
}
