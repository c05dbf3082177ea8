export interface Terminal {
  /** Whether it is a terminal with a person. */
  readonly isInteractive: boolean;
  readonly color: boolean;
  /** Characters per line; undefined for unlimited, for example in a file. */
  readonly width: number | undefined;
}

interface OutputStream {
  readonly isTTY?: boolean;
  readonly columns?: number;
}

/**
 * How to write to a stream. `NO_COLOR` and then `FORCE_COLOR` decide about colours (no-color.org,
 * force-color.org). Otherwise terminals except `dumb` have colours, and files, pipes and CI logs
 * don't. `COLUMNS` is the width of a stream without one.
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
