import type { FaultTarget, ParameterValue, StartedFault } from "./faultKind";
import { type FaultKind, faultKinds } from "./faultKinds";
import { checkFaultRequest, type FaultRequest } from "./faultRequest";

/** A fault as data. */
export interface FaultDescription {
  /** Names it until it is lifted: `fault-1`. */
  readonly id: string;
  readonly kind: FaultKind;
  /** Instance ids of the machines that have it. */
  readonly machines: readonly string[];
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** What came of it so far, added up over its machines: `calls`, `connections`, `receivedBytes`. */
  readonly observed: Readonly<Record<string, number>>;
}

/** A fault that is there until it is lifted. */
export interface InjectedFault extends FaultDescription {
  /** Ends it; harmless when it has ended. Resolves when the machines are as they were without it. */
  lift(): Promise<void>;
}

/**
 * Faults on demand: puts them into machines and lifts them. Those of different kinds, and of one kind,
 * can be there together. A fault belongs to a machine that is on: it does not come back with an
 * instance that was stopped and started.
 */
export class Faults {
  readonly #machines: () => readonly FaultTarget[];
  readonly #injected = new Map<string, InjectedFault>();
  #count = 0;

  /** @param machines gives those that are switched on */
  constructor(machines: () => readonly FaultTarget[]) {
    this.#machines = machines;
  }

  /**
   * Puts a fault into one machine, or into all of a zone. Resolves when it is there.
   *
   * @param request also from elsewhere, as it is checked
   * @throws FaultRequestError with everything that is wrong with the request
   */
  async inject(request: FaultRequest): Promise<InjectedFault> {
    const { kind, targets, forMs, parameters } = checkFaultRequest(request, this.#machines());
    const started = await Promise.all(
      targets.map((target) => faultKinds[kind].start(target, parameters)),
    );
    this.#count += 1;
    const id = `fault-${this.#count}`;
    let lifted: Promise<void> | undefined;
    const lift = async () => {
      clearTimeout(timer);
      this.#injected.delete(id);
      await Promise.all(started.map((each) => each.lift()));
    };
    const timer = forMs === undefined ? undefined : setTimeout(() => void fault.lift(), forMs);
    timer?.unref();
    const fault: InjectedFault = {
      id,
      kind,
      machines: targets.map((target) => target.id),
      parameters: parameters.values,
      get observed() {
        return sum(started);
      },
      lift: () => (lifted ??= lift()),
    };
    this.#injected.set(id, fault);
    return fault;
  }

  /** Those that are there, in the order in which they came. */
  list(): InjectedFault[] {
    return [...this.#injected.values()];
  }

  /** Lifts one by its id. Gives false if there is none. */
  async lift(id: string): Promise<boolean> {
    const fault = this.#injected.get(id);
    await fault?.lift();
    return fault !== undefined;
  }

  /** Lifts all. */
  async liftAll(): Promise<void> {
    await Promise.all(this.list().map((fault) => fault.lift()));
  }
}

/** A fault as data that can be sent. */
export function describeFault(fault: InjectedFault): FaultDescription {
  const { id, kind, machines, parameters, observed } = fault;
  return { id, kind, machines, parameters, observed };
}

function sum(faults: readonly StartedFault[]): Record<string, number> {
  const total: Record<string, number> = {};
  for (const fault of faults) {
    for (const [name, count] of Object.entries(fault.observed?.() ?? {})) {
      total[name] = (total[name] ?? 0) + count;
    }
  }
  return total;
}
