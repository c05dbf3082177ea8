import { withClock } from "../../../provider/base/clock";
import { SteppingClock } from "../steppingClock";
import { matrix, type MatrixRow } from "./cells";
import { operations, type OperationName } from "./operations";

/** How many cells are tried out at a time; those in real time mostly wait. */
const AT_A_TIME = 6;

/** Until a run in real time gives up that can't succeed, in seconds; a bootstrap watches etcd for 3 s first. */
const DEADLINE = 10;

/** The same for a run whose pauses take next to no time: the computer may be busy meanwhile. */
const STEPPING_DEADLINE = 60;

/** For a run that is to succeed, in seconds, of which most take no real time. */
const AMPLE_DEADLINE = 600;

/**
 * Registers a test for each fault against an operation. A cell: with the fault, a run ends as the
 * table says, within its deadline; lifted, the next run succeeds, and etcd was bootstrapped at most
 * once. Waits take next to no time, but for one cell of each fault, which has the computer's own.
 */
export function testFaults(operation: OperationName): void {
  const names = matrix.map(nameOf);
  let results: readonly Promise<void>[] = [];

  beforeAll(async () => {
    const pool = new Pool(AT_A_TIME);
    results = matrix.map((row) => pool.run(() => tryOutByItsClock(operation, row)));
    await Promise.allSettled(results);
  });

  it.each(names.map((name, index) => [name, index] as const))("%s", async (_name, index) => {
    await results[index];
  });
}

function nameOf({ kind, parameters }: MatrixRow): string {
  return parameters === undefined ? kind : `${kind} ${JSON.stringify(parameters)}`;
}

async function tryOutByItsClock(operation: OperationName, row: MatrixRow): Promise<void> {
  if (row.realTime === operation) {
    await tryOut(operation, row);
    return;
  }
  const stepping = new SteppingClock();
  await withClock(stepping, () =>
    tryOut(operation, { deadline: STEPPING_DEADLINE, ...row }, async (deadline, run) => {
      const before = stepping.skippedMs;
      await run();
      // However many waits it made, one after the other: they have one deadline.
      expect(stepping.skippedMs - before).toBeLessThanOrEqual(deadline * 1_000);
    }),
  );
}

/** @param within runs what has to end within its deadline, in seconds */
async function tryOut(
  operation: OperationName,
  row: MatrixRow,
  within: (deadline: number, run: () => Promise<void>) => Promise<void> = (_, run) => run(),
): Promise<void> {
  const { kind, parameters = {} } = row;
  const prepared = await operations[operation]();
  const { cluster, node } = prepared;
  try {
    const machine = node.address;
    const fault = await cluster.faults.inject({ kind, machine, parameters });
    const outcome = row.outcomes[operation];
    const { deadline = DEADLINE } = row;
    if (outcome === "succeeds") {
      await prepared.run(AMPLE_DEADLINE);
    } else {
      await within(deadline, () => expect(prepared.run(deadline)).rejects.toThrow(outcome));
    }
    if (kind === "imposter") {
      expect(fault.observed.receivedBytes).toBe(0);
    }
    await fault.lift();

    if (row.restartsUnproven === operation) {
      const refusal = String(await prepared.run(AMPLE_DEADLINE).catch((error: unknown) => error));
      const [, fingerprint = ""] = /certificate fingerprint "([^"]+)", not/.exec(refusal) ?? [];
      await prepared.run(AMPLE_DEADLINE, [fingerprint]);
    } else {
      await prepared.run(AMPLE_DEADLINE);
    }
    await prepared.verify();
    expect(node.node.bootstrapCalls).toBeLessThanOrEqual(1);
  } finally {
    await cluster.stop();
  }
}

/** Lets so many tasks run at a time. */
class Pool {
  private free: number;
  private readonly waiting: (() => void)[] = [];

  constructor(size: number) {
    this.free = size;
  }

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.free > 0) {
      this.free -= 1;
    } else {
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    try {
      return await task();
    } finally {
      const next = this.waiting.shift();
      if (next) {
        next();
      } else {
        this.free += 1;
      }
    }
  }
}
