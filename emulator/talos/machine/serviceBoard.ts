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

/** Something that happened to a service. */
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

/** As many events as machined keeps of a service. */
const maxEvents = 64;

/** The services of a running node: their states, events and health. */
export class ServiceBoard {
  readonly #services = new Map<string, Service>();
  readonly #onChange: () => void;
  readonly #now: () => Date;

  constructor(onChange: () => void, now: () => Date = () => new Date()) {
    this.#onChange = onChange;
    this.#now = now;
  }

  /** By id. */
  list(): readonly Service[] {
    return [...this.#services.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
  }

  /** The service of that id, if the node has it. */
  find(id: string): Service | undefined {
    return this.#services.get(id);
  }

  /** Records an event; the first one of an id makes the service known. A stopped service has no health. */
  transition(id: string, state: ServiceState, message: string): void {
    const at = this.#now();
    const known = this.#services.get(id);
    const events = [...(known?.events ?? []), { message, state, at }].slice(-maxEvents);
    const health =
      known && state === "Running"
        ? known.health
        : { unknown: true, healthy: false, message: "", changedAt: at };
    this.#services.set(id, { id, state, events, health });
    this.#onChange();
  }

  /** Records what a health check found: `failure` is its error, `undefined` is success. */
  checked(id: string, failure?: string): void {
    const service = this.#services.get(id);
    if (!service) return;
    const { health } = service;
    const healthy = failure === undefined;
    const message = failure ?? "";
    if (!health.unknown && health.healthy === healthy && health.message === message) return;
    const changedAt = this.#now();
    const event: ServiceEvent = {
      message: healthy ? "Health check successful" : `Health check failed: ${message}`,
      state: service.state,
      at: changedAt,
    };
    this.#services.set(id, {
      ...service,
      events: [...service.events, event].slice(-maxEvents),
      health: { unknown: false, healthy, message, changedAt },
    });
    this.#onChange();
  }

  /** Forgets every service, as a reboot does. */
  clear(): void {
    this.#services.clear();
  }
}
