import { type ControllerDuty, dutyOf } from "./controllerDuties";
import type { ControllerFacts } from "./controllerFacts";
import { type ControllerFailure, failedControllers } from "./controllerLog";

/** What failing controllers of Talos mean for the machine's configuration. */
export interface ControllerVerdict {
  /** What keeps the configuration from being applied, as ends of sentences. */
  readonly problems: readonly string[];
  /** What may have failed already before the configuration changed. */
  readonly doubts: readonly string[];
}

/** An error of Talos can go on for pages. */
const LONGEST_QUOTE = 400;

/**
 * Judges a machine by its failing controllers. Talos accepts a configuration before its controllers
 * derive anything from it. A controller that fails leaves what it derives as it was, so everything
 * that runs still looks healthy. It tries again after a back-off of up to 90 s, which nothing cuts
 * short: until then, even a corrected configuration isn't applied.
 *
 * Errors of controllers that need others, or only observe, don't count (`ControllerDuty`).
 */
export function judgeControllers(facts: ControllerFacts): ControllerVerdict {
  const { lines = [], configuredAtMs = 0 } = facts;
  const failedBefore = new Set(
    failedControllers(lines, configuredAtMs).map(({ controller }) => controller),
  );
  const isHistoryKnown = lines.some((line) => timeOf(line) < configuredAtMs);
  const problems: string[] = [];
  const doubts: string[] = [];
  for (const failure of failedControllers(lines)) {
    // A newer Talos has controllers that this package doesn't know.
    const duty: ControllerDuty = dutyOf(failure.controller) ?? "asks";
    if (duty === "asks" || duty === "observes") {
      continue;
    }
    const isTried = Date.parse(failure.at) >= configuredAtMs;
    const isNew = isHistoryKnown && !failedBefore.has(failure.controller);
    const line = isTried ? describe(failure, duty, facts) : describeWait(failure);
    (duty === "renders" || !isTried || isNew ? problems : doubts).push(line);
  }
  return { problems, doubts };
}

function describe(
  { controller, error }: ControllerFailure,
  duty: ControllerDuty,
  { conceal }: ControllerFacts,
): string {
  const consequence = duty === "renders" ? ", so what runs is from an older configuration" : "";
  return `Talos' controller ${controller} fails${consequence}: ${quote(conceal(error))}`;
}

function describeWait({ controller, againAt }: ControllerFailure): string {
  const when = againAt === undefined ? "soon" : `at ${againAt}`;
  return `Talos' controller ${controller} failed with the configuration before, and tries again ${when}`;
}

/** One line, without the stack of a panic. */
function quote(error: string): string {
  const [text = ""] = error.split(/\n\s*\n/);
  const line = text.trim().replace(/\s*\n\s*/g, "; ");
  return line.length <= LONGEST_QUOTE ? line : `${line.slice(0, LONGEST_QUOTE)}…`;
}

/** When a line was written, in milliseconds since 1970; never for a line without a time. */
function timeOf(line: string): number {
  const at = Date.parse(/^\S+/.exec(line)?.[0] ?? "");
  return Number.isFinite(at) ? at : Number.POSITIVE_INFINITY;
}
