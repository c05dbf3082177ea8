import type { EngineEvent } from "@pulumi/pulumi/automation";

/** When within an operation the engine is killed. */
export const KILL_MOMENTS = ["begins", "changes a machine", "ends"] as const;

/** When within an operation the engine is killed. */
export type KillMoment = (typeof KILL_MOMENTS)[number];

/** `update ConfigurationApply c-control-plane-1 begins`. */
export type KillPoint = `${string} ${KillMoment}`;

/** Parts of a program that do nothing themselves. */
const PARTS = ["talos-aws:", "pulumi:"];

/** An operation of the engine's: `update ConfigurationApply c-control-plane-1`; undefined for none that changes. */
export function operationOf({
  resourcePreEvent,
  resOutputsEvent,
}: Pick<EngineEvent, "resourcePreEvent" | "resOutputsEvent">): string | undefined {
  const { op, type, urn } = (resourcePreEvent ?? resOutputsEvent)?.metadata ?? {};
  if (op === undefined || type === undefined || urn === undefined) {
    return undefined;
  }
  const isPart = PARTS.some((part) => type.startsWith(part));
  return isPart || op === "same" || op === "read" || op === "refresh"
    ? undefined
    : `${op} ${type.split(":").at(-1) ?? ""} ${urn.split("::").at(-1) ?? ""}`;
}

/** Watches runs of the engine for the first of some points, each of which counts once. */
export class KillPoints {
  readonly reached: KillPoint[] = [];
  private readonly waiting: Set<KillPoint>;
  /** Operations under way, with how the machines were when they began. */
  private readonly begun = new Map<string, string>();

  /** @param look how the machines are, as text that is another one once something has changed */
  constructor(
    points: readonly KillPoint[],
    private readonly look: () => string,
  ) {
    this.waiting = new Set(points);
  }

  /** Those that no run has come to. */
  get left(): readonly KillPoint[] {
    return [...this.waiting];
  }

  /** A new run begins. */
  restart(): void {
    this.begun.clear();
  }

  /** Whether a point is reached now; for `killedWhile`, which also asks between events. */
  isReached(event: EngineEvent): boolean {
    const operation = operationOf(event);
    if (operation === undefined) {
      return this.hasChanged();
    }
    if (event.resOutputsEvent !== undefined) {
      this.begun.delete(operation);
      // What changed nothing has no such moment.
      this.waiting.delete(`${operation} changes a machine`);
      return this.take(`${operation} ends`);
    }
    if (this.waiting.has(`${operation} changes a machine`)) {
      this.begun.set(operation, this.look());
    }
    return this.take(`${operation} begins`);
  }

  private hasChanged(): boolean {
    if (this.begun.size === 0) {
      return false;
    }
    const now = this.look();
    const [changed] = [...this.begun].find(([, before]) => before !== now) ?? [];
    return changed !== undefined && this.take(`${changed} changes a machine`);
  }

  private take(point: KillPoint): boolean {
    if (!this.waiting.delete(point)) {
      return false;
    }
    this.reached.push(point);
    return true;
  }
}
