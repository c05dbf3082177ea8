import type { FaultTarget, ParameterValue, StartedFault } from "./faultKind";
import { type FaultKind, faultKinds } from "./faultKinds";
import { checkFaultRequest, type FaultRequest } from "./faultRequest";

/** An active fault as plain data. */
export interface FaultDescription {
  /** Its id while it is active: `fault-1`. */
  readonly id: string;
  readonly kind: FaultKind;
  /** Instance ids of the machines that have it. */
  readonly machines: readonly string[];
  readonly parameters: Readonly<Record<string, ParameterValue>>;
  /** Its effects so far, summed over its machines: `calls`, `connections`, `receivedBytes`. */
  readonly observed: Readonly<Record<string, number>>;
}

/** An active fault, which can be lifted. */
export interface InjectedFault extends FaultDescription {
  /** Lifts the fault, if it is still active. Resolves when the machines are back to normal. */
  lift(): Promise<void>;
}

/**
 * Injects faults into machines and lifts them. Several faults, even of the same kind, can be active at once.
 * A fault belongs to a running machine: an instance that was stopped and started no longer has it.
 */
export class Faults {
  private readonly machines: () => readonly FaultTarget[];
  private readonly injected = new Map<string, InjectedFault>();
  private count = 0;

  /**
   * @param machines returns the running machines
   * @param onChange called when a machine got a fault or lost one. Default: nobody is told
   */
  constructor(
    machines: () => readonly FaultTarget[],
    private readonly onChange: () => void = () => undefined,
  ) {
    this.machines = machines;
  }

  /**
   * Injects a fault into one machine, or into all machines of a zone. Resolves when it is active.
   *
   * @param request may be untrusted, as it is checked
   * @throws FaultRequestError that lists every problem of the request
   */
  async inject(request: FaultRequest): Promise<InjectedFault> {
    const { kind, targets, forMs, parameters } = checkFaultRequest(request, this.machines());
    const started = await Promise.all(
      targets.map((target) => faultKinds[kind].start(target, parameters)),
    );
    this.count += 1;
    const id = `fault-${this.count}`;
    let lifted: Promise<void> | undefined;
    const lift = async () => {
      clearTimeout(timer);
      this.injected.delete(id);
      await Promise.all(started.map((each) => each.lift()));
      this.onChange();
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
    this.injected.set(id, fault);
    this.onChange();
    return fault;
  }

  /** The active faults, oldest first. */
  list(): InjectedFault[] {
    return [...this.injected.values()];
  }

  /** Lifts a fault by its id. Returns false when no fault has that id. */
  async lift(id: string): Promise<boolean> {
    const fault = this.injected.get(id);
    await fault?.lift();
    return fault !== undefined;
  }

  /** Lifts all faults. */
  async liftAll(): Promise<void> {
    await Promise.all(this.list().map((fault) => fault.lift()));
  }
}

/** A fault as serialisable data. */
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
