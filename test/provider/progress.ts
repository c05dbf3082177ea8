import type { Progress } from "../../provider/base/progress";

/** A progress that nobody listens to. */
export const silent: Progress = { report: () => undefined, warn: () => undefined };

/** A progress with all that it was told. */
export function recordedProgress(): Progress & {
  readonly lines: string[];
  readonly warnings: string[];
} {
  const lines: string[] = [];
  const warnings: string[] = [];
  return {
    lines,
    warnings,
    report: (line) => lines.push(line),
    warn: (line) => warnings.push(line),
  };
}
