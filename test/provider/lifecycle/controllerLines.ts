/** A line of Talos' log of controllers, as a machine with Talos v1.12.1 writes it. */
export function logLine(
  at: string,
  level: "DEBUG" | "INFO" | "ERROR",
  message: string,
  fields: Readonly<Record<string, unknown>> = {},
): string {
  const colour = { DEBUG: 35, INFO: 34, ERROR: 31 }[level];
  const all = { component: "controller-runtime", ...fields };
  return `${at} \u001b[${colour}m${level}\u001b[0m ${message} ${JSON.stringify(all)}`;
}

/** The two lines of a failure. */
export function failure(
  at: string,
  controller: string,
  error: string,
  again = "1m4.1s",
): readonly string[] {
  return [
    logLine(at, "ERROR", "controller failed", { controller, error }),
    logLine(at, "DEBUG", `restarting controller in ${again}`, { controller }),
  ];
}

/** The line of a controller that begins again. */
export function beginning(at: string, controller: string): string {
  return logLine(at, "DEBUG", "controller starting", { controller });
}
