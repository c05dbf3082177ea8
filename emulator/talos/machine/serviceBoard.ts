/** States of a service (talos v1.12.1, `machine.ServiceStateEvent.Action`). */
export type ServiceState =
  | "Initialized"
  | "Preparing"
  | "Waiting"
  | "Running"
  | "Stopping"
  | "Finished"
  | "Failed"
  | "Skipped"
  | "Starting";

/** An event of a service. */
export interface ServiceEvent {
  readonly message: string;
  readonly state: ServiceState;
  readonly at: Date;
}

/** A service's health; `unknown` until its first check. */
export interface ServiceHealth {
  readonly unknown: boolean;
  readonly healthy: boolean;
  readonly message: string;
  readonly changedAt: Date;
}

/** A service as ServiceList shows it. */
export interface Service {
  readonly id: string;
  readonly state: ServiceState;
  /** Oldest first. */
  readonly events: readonly ServiceEvent[];
  readonly health: ServiceHealth;
}

/** An observer of the services. */
export interface ServiceObserver {
  /** A service has a new event; its health is only set if the event is a check. */
  happened(id: string, event: ServiceEvent, health: ServiceHealth | undefined): void;
  /** The state of the services has changed. */
  changed(): void;
}

/** The number of events that machined keeps per service. */
const MAX_EVENTS = 64;

/** The services of a running node: their states, events and health. */
export class ServiceBoard {
  private readonly services = new Map<string, Service>();
  private readonly observer: ServiceObserver;

  constructor(observer: ServiceObserver) {
    this.observer = observer;
  }

  /** All services, sorted by id. */
  list(): readonly Service[] {
    return [...this.services.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The service with that id, if the node has it. */
  find(id: string): Service | undefined {
    return this.services.get(id);
  }

  /**
   * Whether dependents of the service may start: it runs and is healthy, if that is checked, or it
   * has finished (talos v1.12.1, `system.StateEventUp`).
   */
  isUp(id: string, isChecked = true): boolean {
    const service = this.services.get(id);
    if (!service) {
      return false;
    }
    if (service.state === "Running") {
      return !isChecked || service.health.healthy;
    }
    return service.state === "Finished" || service.state === "Skipped";
  }

  /** Records an event. The first one creates the service. */
  transition(id: string, state: ServiceState, message: string): void {
    const event = { message, state, at: new Date() };
    const known = this.services.get(id);
    const events = [...(known?.events ?? []), event].slice(-MAX_EVENTS);
    this.services.set(id, { id, state, events, health: healthIn(state, known, event.at) });
    this.observer.happened(id, event, undefined);
    this.observer.changed();
  }

  /**
   * Records the result of a health check: `failure` is its error, `undefined` is success. Only a
   * changed result is an event.
   */
  checked(id: string, failure?: string): void {
    const service = this.services.get(id);
    if (service?.state !== "Running") {
      return;
    }
    const healthy = failure === undefined;
    const message = failure ?? "";
    const { health } = service;
    if (!health.unknown && health.healthy === healthy) {
      if (health.message === message) {
        return;
      }
      this.services.set(id, { ...service, health: { ...health, message } });
      return;
    }
    const at = new Date();
    const event: ServiceEvent = {
      message: healthy ? "Health check successful" : `Health check failed: ${message}`,
      state: service.state,
      at,
    };
    const next = { unknown: false, healthy, message, changedAt: at };
    this.services.set(id, {
      ...service,
      events: [...service.events, event].slice(-MAX_EVENTS),
      health: next,
    });
    this.observer.happened(id, event, next);
    this.observer.changed();
  }

  /** Removes a service that the node no longer needs. */
  remove(id: string): void {
    if (this.services.delete(id)) {
      this.observer.changed();
    }
  }
}

/** The health of a starting service is unknown. A checked service that has stopped is unhealthy. */
function healthIn(state: ServiceState, known: Service | undefined, at: Date): ServiceHealth {
  if (state === "Running") {
    return { unknown: true, healthy: false, message: "Unknown", changedAt: at };
  }
  if (!known || known.health.unknown) {
    return { unknown: true, healthy: false, message: "", changedAt: known?.health.changedAt ?? at };
  }
  return { unknown: false, healthy: false, message: "service not running", changedAt: at };
}
