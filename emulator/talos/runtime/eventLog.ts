import { EventIds } from "./eventId";
import type { EventBody, MachineEvent } from "./machineEvent";

/** The start of a reader of events. Default: the next event. */
export interface EventStart {
  /** The number of past events. All for a negative number. */
  readonly tailEvents?: number;
  /** Only events after the one with this id. */
  readonly afterId?: string;
  /** Only events after this time. */
  readonly since?: Date;
}

/**
 * Talos keeps a ring of 1000 events, with a gap of 10 between writer and readers (`NewEvents(1000,
 * 10)`).
 */
const MAX_EVENTS = 990;

/** The events of a machine since its kernel started. */
export class EventLog {
  private readonly ids = new EventIds();
  private readonly listeners = new Set<(event: MachineEvent) => void>();
  private events: MachineEvent[] = [];

  /** Adds an event and notifies all readers. */
  publish(body: EventBody, actorId = ""): void {
    const at = new Date();
    const event: MachineEvent = { id: this.ids.next(at), at, body, actorId };
    this.events.push(event);
    // Trimmed in batches: a shift per event would move the whole ring each time.
    if (this.events.length > 2 * MAX_EVENTS) {
      this.events = this.events.slice(-MAX_EVENTS);
    }
    for (const listener of [...this.listeners]) {
      listener(event);
    }
  }

  /** Past events from the start, oldest first. */
  history({ tailEvents = 0, afterId, since }: EventStart): readonly MachineEvent[] {
    const kept = this.events.slice(-MAX_EVENTS);
    if (tailEvents !== 0) {
      return tailEvents < 0 ? kept : kept.slice(-tailEvents);
    }
    if (afterId !== undefined) {
      return kept.filter(({ id }) => id > afterId);
    }
    if (since !== undefined) {
      return kept.filter(({ at }) => at > since);
    }
    return [];
  }

  /** Calls the listener for each new event, until the returned function is called. */
  subscribe(listener: (event: MachineEvent) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }
}
