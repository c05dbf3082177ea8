import { clock } from "../base/clock";
import type { Progress } from "../base/progress";

/**
 * Runs work whose progress ends with what it has achieved, as a row keeps the last line that was said of
 * its resource: "etcd is up and healthy after 42 s". Work that reported nothing has no such line, nor
 * work whose last word is a warning.
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
