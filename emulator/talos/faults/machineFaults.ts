import type { CertificateAndKey } from "../../../provider/pki";
import { EtcdGate } from "./etcdGate";
import { Wire } from "./wire";

/** A call that reached a machine. */
export interface FaultedCall {
  /** `/package.Service/Method` */
  readonly path: string;
  readonly request: Buffer;
  /** Whether the machine has no configuration yet. */
  readonly inMaintenance: boolean;
  readonly signal: AbortSignal;
  /** Performs the call. Throws `RpcError`. */
  readonly answer: () => AsyncIterable<Buffer>;
}

/** A fault that changes how some calls are answered. */
export interface CallFault {
  /** Whether it affects this call. */
  applies(call: FaultedCall): boolean;
  /** Answers the call with the fault. Throws `RpcError`. */
  run(call: FaultedCall, faults: MachineFaults): AsyncIterable<Buffer>;
  /** How many more calls it affects. Default: all. */
  timesLeft?: number;
}

/** The name of a call's method: `Bootstrap`. */
export function methodOf({ path }: Pick<FaultedCall, "path">): string {
  return path.split("/")[2] ?? "";
}

/** What EC2's checks find wrong with a machine, or what EC2 has scheduled for it. */
export const CHECK_FAILURES = ["instance", "system", "volumes", "retirement", "stop"] as const;

/** A check of EC2's that a machine fails, or an event that EC2 has scheduled. */
export interface FailedCheck {
  readonly check: (typeof CHECK_FAILURES)[number];
  /** Since when, or from when on. RFC 3339. */
  readonly since: string;
}

/** Switches a machine's power off and on again. Its disk stays. */
export interface PowerSwitch {
  /** Cuts the power: nothing is shut down or written. Resolves when the machine is off. */
  cut(): Promise<void>;
  /** Restores the power. Resolves when its port is open, or when it never will be. */
  restore(): Promise<void>;
}

/** The active faults of one machine, which its parts consult. */
export class MachineFaults {
  readonly wire = new Wire();
  readonly etcd = new EtcdGate();
  private readonly calls = new Set<CallFault>();
  private readonly skews = new Map<symbol, number>();
  private readonly issueTimes = new Map<symbol, number>();
  private readonly fills = new Set<symbol>();
  private readonly kubeletHolds = new Set<symbol>();
  private readonly installerFailures = new Map<symbol, number>();
  private readonly foreignCas = new Map<symbol, CertificateAndKey>();
  private readonly checks = new Map<symbol, FailedCheck>();

  /**
   * @param power of the machine
   * @param refresh applies changed faults to the machine's certificates and etcd
   */
  constructor(
    readonly power: PowerSwitch,
    readonly refresh: () => Promise<void>,
  ) {}

  /** The time as the machine's clock shows it, in milliseconds since 1970. */
  now(): number {
    return [...this.skews.values()].reduce((time, byMs) => time + byMs, Date.now());
  }

  /** The time at which the machine's certificates are issued. */
  issueTime(): number {
    return [...this.issueTimes.values()].reduce((time, byMs) => time + byMs, this.now());
  }

  /** The CA that issues its certificates instead of the cluster's, if any. */
  get foreignCa(): CertificateAndKey | undefined {
    return [...this.foreignCas.values()].at(-1);
  }

  /** Whether nothing can be written to the machine's disk. */
  get isDiskFull(): boolean {
    return this.fills.size > 0;
  }

  /** Fills the disk. Returns a function that ends it. */
  fillDisk(): () => void {
    return add(this.fills);
  }

  /** Whether the kubelet can't run. */
  get isKubeletHeld(): boolean {
    return this.kubeletHolds.size > 0;
  }

  /** Keeps the kubelet from running. Returns a function that ends it. */
  holdKubelet(): () => void {
    return add(this.kubeletHolds);
  }

  /** The checks of EC2's that the machine fails. */
  get failedChecks(): readonly FailedCheck[] {
    return [...this.checks.values()];
  }

  /** Has a check of EC2's fail. Returns a function that ends it. */
  failCheck(check: FailedCheck): () => void {
    return put(this.checks, check);
  }

  /** The exit code of installers of another system: 0 where they can write. */
  get installerFailure(): number {
    return [...this.installerFailures.values()].at(-1) ?? 0;
  }

  /** Whether a system that was installed doesn't come up, so that the former one boots again. */
  get leavesNewSystems(): boolean {
    return this.installerFailures.size > 0;
  }

  /**
   * Makes upgrades fail. Returns a function that ends it.
   *
   * @param exitCode of the installer. With 0 it succeeds, and its system doesn't come up
   */
  breakUpgrades(exitCode: number): () => void {
    return put(this.installerFailures, exitCode);
  }

  /** Moves the clock forward or back. Returns a function that resets it. */
  skewClock(byMs: number): () => void {
    return put(this.skews, byMs);
  }

  /** Shifts the time its certificates are issued at. Returns a function that ends it. */
  shiftCertificates(byMs: number): () => void {
    return put(this.issueTimes, byMs);
  }

  /** Makes another CA issue its certificates, and accepts only that CA's clients. Returns a function that ends it. */
  replaceCa(ca: CertificateAndKey): () => void {
    return put(this.foreignCas, ca);
  }

  /** Adds a fault of calls. Returns a function that ends it. */
  addCallFault(fault: CallFault): () => void {
    this.calls.add(fault);
    return () => {
      this.calls.delete(fault);
    };
  }

  /** Answers a call under the active faults. Throws `RpcError`. */
  async *serve(call: FaultedCall): AsyncIterable<Buffer> {
    await this.wire.passage(call.signal);
    const fault = [...this.calls].find((each) => (each.timesLeft ?? 1) > 0 && each.applies(call));
    if (fault === undefined) {
      yield* call.answer();
      return;
    }
    if (fault.timesLeft !== undefined) {
      fault.timesLeft -= 1;
    }
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

/** Cuts and restores the power. Resolves when the machine is up, or when it never will be. */
export async function powerCycle({ power }: MachineFaults): Promise<void> {
  await power.cut();
  await power.restore();
}
