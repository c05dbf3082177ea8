import { findHindrance } from "./findHindrance";
import {
  DEFAULT_LIMITS,
  judgeWorker,
  type RepairLimits,
  type Trouble,
  type WorkerState,
} from "./judgeWorker";
import { type ClusterFacts, DRAINED_FOR_REPAIR, type WorkerFacts } from "./workerFacts";

/** How many machines may be away, and when one counts as broken. */
export interface RepairBudget extends RepairLimits {
  /**
   * The share of all workers that may be away, the one to replace included. Percent. Default: 20, and at
   * least one machine. Sources: EKS, "Automatically repair nodes in EKS clusters", and eksctl's
   * `maxUnhealthyNodeThresholdPercentage`, whose examples stop at 20 %; EKS Anywhere v0.19.5 stops at 40 %.
   */
  readonly mostAwayPercent: number;
  /** Whether machines of fixed pools may be replaced whose data volumes end with them. Default: false. */
  readonly endsVolumes: boolean;
}

/** The budget, unless it is said. */
export const DEFAULT_BUDGET: RepairBudget = {
  ...DEFAULT_LIMITS,
  mostAwayPercent: 20,
  endsVolumes: false,
};

export type MachineVerdict =
  | { readonly kind: "healthy" }
  /** It is healthy, and still cordoned by a repair that was interrupted: its node takes pods again. */
  | { readonly kind: "release"; readonly reason: string }
  | { readonly kind: "wait"; readonly reason: string; readonly until: Date }
  /** Its replacement has begun. */
  | { readonly kind: "leaving"; readonly reason: string }
  /** A person keeps it, although it is broken. */
  | { readonly kind: "kept"; readonly reason: string }
  | { readonly kind: "repair"; readonly reason: string }
  /** It is broken, and stays for now. */
  | { readonly kind: "held"; readonly reason: string; readonly because: string };

export interface PlannedMachine {
  readonly worker: WorkerFacts;
  readonly verdict: MachineVerdict;
}

export interface MachineRepairPlan {
  readonly machines: readonly PlannedMachine[];
  /** How many workers are away, and how many may be. */
  readonly away: number;
  readonly mostAway: number;
  /** Why nothing may be replaced now. */
  readonly obstacles: readonly string[];
}

/** A machine that nothing but the others can keep from a replacement. */
interface Broken extends Trouble {
  readonly worker: WorkerFacts;
}

/**
 * Plans which machines are replaced now: those that have been broken for long enough. Of each pool and
 * zone it is one at a time, and only while no other machine there is away for another reason. If more
 * workers are away than the budget has, the cause is probably not the machines, and none is replaced. The
 * same holds while Kubernetes can't be asked, or the control plane isn't healthy. The longest broken comes
 * first, so two runs plan the same.
 */
export function planMachineRepair(
  { workers, obstacles, isKnown }: ClusterFacts,
  budget: RepairBudget,
  now: Date,
): MachineRepairPlan {
  const states = new Map(workers.map((worker) => [worker, judgeWorker(worker, budget, now)]));
  const away = workers.filter((worker) => states.get(worker)?.isAway === true);
  const awayCount = away.length + missingOf(workers);
  const mostAway = Math.max(1, Math.floor((workers.length * budget.mostAwayPercent) / 100));
  const verdicts = new Map(
    [...states].map(([worker, state]) => [worker, judgeAlone(worker, state, budget, now)]),
  );
  const broken = [...states]
    .flatMap(([worker, { trouble }]): Broken[] =>
      trouble !== undefined && verdicts.get(worker)?.kind === "repair"
        ? [{ worker, ...trouble }]
        : [],
    )
    .sort(byUrgency);
  const chosen: WorkerFacts[] = [];
  const elsewhere = away.filter((worker) => !broken.some((each) => each.worker === worker));
  for (const { worker, reason } of broken) {
    // One that still works, such as one to be retired, is away only when it is replaced.
    const alsoAway = [...chosen, worker].filter((each) => !away.includes(each)).length;
    const busy = [...elsewhere, ...chosen].find((other) => isNeighbour(other, worker));
    const because =
      obstacles[0] ??
      (awayCount + alsoAway > mostAway
        ? describeAway(awayCount, workers.length, mostAway)
        : busy !== undefined
          ? `one machine at a time may be away of a pool and zone, and ${busy.name} is`
          : worker.means.kind === "group" && worker.means.group.missing > 0
            ? `its group ${worker.means.group.name} is still launching another machine`
            : undefined);
    if (because === undefined) {
      chosen.push(worker);
    } else {
      verdicts.set(worker, { kind: "held", reason, because });
    }
  }
  const unknown: MachineVerdict = {
    kind: "held",
    reason: "nothing is known of its node",
    because: obstacles[0] ?? "Kubernetes can't be asked",
  };
  return {
    machines: workers.map((worker) => ({
      worker,
      verdict: isKnown ? (verdicts.get(worker) ?? { kind: "healthy" }) : unknown,
    })),
    away: awayCount,
    mostAway,
    obstacles,
  };
}

/** What would be done if there were no other machines. */
function judgeAlone(
  worker: WorkerFacts,
  { trouble, isAway }: WorkerState,
  budget: RepairBudget,
  now: Date,
): MachineVerdict {
  const { means, node } = worker;
  if (means.kind === "group" && isLeaving(means)) {
    return { kind: "leaving", reason: `its group ${means.group.name} is replacing it` };
  }
  const hindrance = findHindrance(worker, budget);
  if (trouble === undefined) {
    if (isAway && node?.cordonedFor === DRAINED_FOR_REPAIR) {
      return { kind: "release", reason: "it is healthy again, and a repair had drained it" };
    }
    return hindrance?.alone === undefined
      ? { kind: "healthy" }
      : { kind: "held", reason: hindrance.alone, because: hindrance.because };
  }
  const { reason, brokenFrom } = trouble;
  if (brokenFrom > now && hindrance?.alone === undefined) {
    return { kind: "wait", reason, until: brokenFrom };
  }
  if (hindrance === undefined) {
    return { kind: "repair", reason };
  }
  return node?.isKept === true
    ? { kind: "kept", reason: `${reason}; ${hindrance.because}` }
    : { kind: "held", reason: hindrance.alone ?? reason, because: hindrance.because };
}

function isLeaving({
  lifecycleState,
  isHealthyToGroup,
}: Extract<WorkerFacts["means"], { readonly kind: "group" }>): boolean {
  return (
    lifecycleState.startsWith("Terminat") || (lifecycleState === "InService" && !isHealthyToGroup)
  );
}

function describeAway(away: number, all: number, most: number): string {
  const are = away === 1 ? "is" : "are";
  return `${away} of ${all} workers ${are} away, and a repair lets ${most} be: look for a common cause first`;
}

/** Groups count the machines that they still have to launch, each group once. */
function missingOf(workers: readonly WorkerFacts[]): number {
  const groups = new Map(
    workers.flatMap(({ means }) =>
      means.kind === "group" ? [[means.group.name, means.group.missing]] : [],
    ),
  );
  return [...groups.values()].reduce((sum, missing) => sum + missing, 0);
}

function isNeighbour(one: WorkerFacts, other: WorkerFacts): boolean {
  return one.pool === other.pool && one.zone === other.zone;
}

/** A machine that an interrupted repair has drained goes on first. */
function byUrgency(one: Broken, other: Broken): number {
  const [first, second] = [one, other].map(({ worker }) =>
    worker.node?.cordonedFor === DRAINED_FOR_REPAIR ? 0 : 1,
  );
  return (
    (first ?? 0) - (second ?? 0) ||
    one.brokenFrom.getTime() - other.brokenFrom.getTime() ||
    one.worker.instanceId.localeCompare(other.worker.instanceId, "en")
  );
}
