import { parseDuration } from "../../config/schema/duration";

/**
 * The log in which Talos' controllers report, and how much of it is read. Its last 150 kB or so
 * hold more than the longest back-off, even while a machine boots.
 */
export const CONTROLLER_LOG = { id: "controller-runtime", tailLines: 1_000 } as const;

/** A controller of Talos that has failed and not begun again since. */
export interface ControllerFailure {
  /** For example `k8s.KubeletSpecController`. */
  readonly controller: string;
  /** Its error, as Talos logged it. It may contain a secret. */
  readonly error: string;
  /** When it failed last, RFC 3339, by the machine's clock. */
  readonly at: string;
  /** When Talos lets it begin again, RFC 3339, by the machine's clock; undefined if not said yet. */
  readonly againAt: string | undefined;
}

/** An event of a controller in the log. */
interface ControllerEvent {
  readonly controller: string;
  readonly at: string;
  readonly kind: "failed" | "waits" | "begins";
  readonly error?: string;
  readonly waitMs?: number;
}

/** Talos colours the levels. */
const COLOUR = /\p{Cc}\[\d+m/gu;

/** A line of the log without colours: a time, a level, a message, fields in JSON. */
const LINE = /^(\S+)\s+[A-Z]+\s+(.*?)\s+(\{.*\})\s*$/;

const RESTART = "restarting controller in ";

/**
 * The controllers that had failed at a time, by their lines in the log `controller-runtime`. After
 * an error, a controller waits for its back-off: half a second at first, 90 s at most. Nothing wakes
 * it earlier, not even another configuration. Then it begins again, and fails within moments if
 * nothing has changed.
 *
 * Controllers of a queue fail for one resource at a time, and count by that. Sources:
 * cosi-project/runtime v1.12.0, `internal/rruntime/run.go` and `internal/qruntime/qruntime.go`;
 * Talos v1.12.1, `pkg/logging/zap.go`, the same in v1.14.1.
 *
 * @param until only lines up to this time count, in milliseconds since 1970. Default: all
 */
export function failedControllers(
  lines: readonly string[],
  until = Number.POSITIVE_INFINITY,
): ControllerFailure[] {
  const failures = new Map<string, ControllerFailure>();
  for (const line of lines) {
    const found = eventIn(line);
    if (found === undefined || Date.parse(found.event.at) > until) {
      continue;
    }
    const { key, event } = found;
    const former = failures.get(key);
    if (event.kind === "failed") {
      const { controller, at, error = "" } = event;
      failures.set(key, { controller, at, error, againAt: later(at, event.waitMs) });
    } else if (event.kind === "waits" && former !== undefined) {
      failures.set(key, { ...former, againAt: later(event.at, event.waitMs) });
    } else if (event.kind === "begins") {
      failures.delete(key);
    }
  }
  return [...failures.values()];
}

/** The event in a line, with what identifies it: a controller, or one with its resource. */
function eventIn(
  line: string,
): { readonly key: string; readonly event: ControllerEvent } | undefined {
  const [, at = "", message = "", json = ""] = LINE.exec(line.replace(COLOUR, "")) ?? [];
  const fields = fieldsIn(json);
  const { controller } = fields;
  if (controller === undefined || !Number.isFinite(Date.parse(at))) {
    return undefined;
  }
  const common = { controller, at };
  const { error = "", namespace, type, id, interval = "" } = fields;
  const item = [controller, namespace, type, id].join(" ");
  if (message === "controller failed") {
    return { key: controller, event: { ...common, kind: "failed", error } };
  }
  if (message.startsWith(RESTART)) {
    const waitMs = goDurationMs(message.slice(RESTART.length));
    return { key: controller, event: { ...common, kind: "waits", ...given(waitMs) } };
  }
  if (message === "controller starting") {
    return { key: controller, event: { ...common, kind: "begins" } };
  }
  if (message === "reconcile failed") {
    const waitMs = goDurationMs(interval);
    return { key: item, event: { ...common, kind: "failed", error, ...given(waitMs) } };
  }
  return message === "reconcile succeeded"
    ? { key: item, event: { ...common, kind: "begins" } }
    : undefined;
}

function given(waitMs: number | undefined): { readonly waitMs?: number } {
  return waitMs === undefined ? {} : { waitMs };
}

/** The texts among the fields of a line; none if it was cut off. */
function fieldsIn(json: string): Partial<Readonly<Record<string, string>>> {
  try {
    const fields: unknown = JSON.parse(json);
    const entries = typeof fields === "object" && fields !== null ? Object.entries(fields) : [];
    return Object.fromEntries(entries.filter(([, value]) => typeof value === "string"));
  } catch {
    return {};
  }
}

/** A duration as Go prints it: `512.3ms`, `1m4.1s`. */
function goDurationMs(text: string): number | undefined {
  const nanoseconds = parseDuration(text);
  return nanoseconds === undefined ? undefined : Number(nanoseconds) / 1e6;
}

function later(at: string, ms: number | undefined): string | undefined {
  return ms === undefined ? undefined : new Date(Date.parse(at) + ms).toISOString();
}
