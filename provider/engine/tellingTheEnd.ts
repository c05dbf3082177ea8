import { clock } from "../base/clock";
import type { Progress } from "../base/progress";

/**
 * Runs work, and ends its progress with what it achieved: "etcd is up and healthy after 42 s". The
 * engine's display keeps the last line of each resource. Work that reported nothing, or whose last line
 * is a warning, gets no such line.
 */
export async function tellingTheEnd<Result>(
  progress: Progress,
  achieved: string,
  work: (progress: Progress) => Promise<Result>,
): Promise<Result> {
  const startMs = clock.now();
  const last: { kind?: keyof Progress } = {};
  const result = await work({
    report: (line) => {
      last.kind = "report";
      progress.report(line);
    },
    warn: (line) => {
      last.kind = "warn";
      progress.warn(line);
    },
  });
  if (last.kind === "report") {
    const seconds = Math.max(1, Math.round((clock.now() - startMs) / 1_000));
    progress.report(`${achieved} after ${seconds} s`);
  }
  return result;
}
