import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { EtcdGate } from "./etcdGate";
import { Wire } from "./wire";

/** A call that has come to a machine. */
export interface FaultedCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly request: Buffer;
  /** Whether the machine has no configuration yet. */
  readonly inMaintenance: boolean;
  readonly signal: AbortSignal;
  /** Does what was asked. Raises `RpcError`. */
  readonly answer: () => AsyncIterable<Buffer>;
}

/** What happens to some calls in place of what should. */
export interface CallFault {
  /** Whether it happens to this call. */
  applies(call: FaultedCall): boolean;
  /** Answers in its way. Raises `RpcError`. */
  run(call: FaultedCall, faults: MachineFaults): AsyncIterable<Buffer>;
  /** To how many calls it still happens. Default: to all. */
  timesLeft?: number;
}

/** The name of a call's method: `Bootstrap`. */
export function methodOf({ path }: Pick<FaultedCall, "path">): string {
  return path.split("/")[2] ?? "";
}

/** Switches a machine's power off and on again. Its disk stays. */
export interface PowerSwitch {
  /** Off at once, nothing is ended or written. Resolves when it is off. */
  cut(): Promise<void>;
  /** On again. Resolves when its port is open, or never will be. */
  restore(): Promise<void>;
}

/** What is wrong with one machine at the moment, for the parts of the machine to go by. */
export class MachineFaults {
  readonly wire = new Wire();
  readonly etcd = new EtcdGate();
  readonly #calls = new Set<CallFault>();
  readonly #skews = new Map<symbol, number>();
  readonly #issueTimes = new Map<symbol, number>();
  readonly #fills = new Set<symbol>();
  readonly #kubeletHolds = new Set<symbol>();
  readonly #brokenInstallations = new Set<symbol>();
  readonly #foreignCas = new Map<symbol, CertificateAndKey>();

  /**
   * @param power of the machine
   * @param refresh has the machine take over what changed of its certificates and etcd
   */
  constructor(
    readonly power: PowerSwitch,
    readonly refresh: () => Promise<void>,
  ) {}

  /** The time as the machine's clock shows it, in milliseconds since 1970. */
  now(): number {
    return [...this.#skews.values()].reduce((time, byMs) => time + byMs, Date.now());
  }

  /** The time as of which the machine's certificates are valid. */
  issueTime(): number {
    return [...this.#issueTimes.values()].reduce((time, byMs) => time + byMs, this.now());
  }

  /** The CA that its certificates come from in place of the cluster's, if one does. */
  get foreignCa(): CertificateAndKey | undefined {
    return [...this.#foreignCas.values()].at(-1);
  }

  /** Whether nothing can be written to the machine's disk. */
  get isDiskFull(): boolean {
    return this.#fills.size > 0;
  }

  /** Fills the disk. Gives what ends it. */
  fillDisk(): () => void {
    return add(this.#fills);
  }

  /** Whether the kubelet can't run. */
  get isKubeletHeld(): boolean {
    return this.#kubeletHolds.size > 0;
  }

  /** Keeps the kubelet from running. Gives what ends it. */
  holdKubelet(): () => void {
    return add(this.#kubeletHolds);
  }

  /** Whether no other system can be installed. */
  get failsToInstall(): boolean {
    return this.#brokenInstallations.size > 0;
  }

  /** Has installations of another system fail. Gives what ends it. */
  breakInstallations(): () => void {
    return add(this.#brokenInstallations);
  }

  /** Puts the clock forward, or back. Gives what sets it right. */
  skewClock(byMs: number): () => void {
    return put(this.#skews, byMs);
  }

  /** Shifts the time its certificates are issued at. Gives what ends it. */
  shiftCertificates(byMs: number): () => void {
    return put(this.#issueTimes, byMs);
  }

  /** Has another CA issue its certificates, whose clients alone it takes. Gives what ends it. */
  replaceCa(ca: CertificateAndKey): () => void {
    return put(this.#foreignCas, ca);
  }

  /** Has something happen to calls. Gives what ends it. */
  addCallFault(fault: CallFault): () => void {
    this.#calls.add(fault);
    return () => {
      this.#calls.delete(fault);
    };
  }

  /** Answers a call as the faults have it. Raises `RpcError`. */
  async *serve(call: FaultedCall): AsyncIterable<Buffer> {
    await this.wire.passage(call.signal);
    const fault = [...this.#calls].find((each) => (each.timesLeft ?? 1) > 0 && each.applies(call));
    if (fault === undefined) {
      yield* call.answer();
      return;
    }
    if (fault.timesLeft !== undefined) fault.timesLeft -= 1;
    yield* fault.run(call, this);
  }
}

function add(reasons: Set<symbol>): () => void {
  const reason = Symbol();
  reasons.add(reason);
  return () => {
    reasons.delete(reason);
  };
}

function put<Value>(values: Map<symbol, Value>, value: Value): () => void {
  const key = Symbol();
  values.set(key, value);
  return () => {
    values.delete(key);
  };
}

/** Off and on again. Resolves when the machine is up, or never will be. */
export async function powerCycle({ power }: MachineFaults): Promise<void> {
  await power.cut();
  await power.restore();
}
