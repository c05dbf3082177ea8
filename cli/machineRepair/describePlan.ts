import type { MachineRepairPlan, MachineVerdict, PlannedMachine } from "./planMachineRepair";

export const REPAIR_EXIT_CODES = {
  /** Nothing is broken, or all that was broken is being replaced. */
  done: 0,
  /** Kubernetes can't be asked, so nothing is known. */
  unknown: 2,
  /** A broken machine was held back. */
  held: 3,
} as const;

/** The plan as lines: first what is true of the cluster, then each machine that isn't simply healthy. */
export function describePlan({
  machines,
  away,
  mostAway,
  obstacles,
}: MachineRepairPlan): readonly string[] {
  const told = machines.filter(({ verdict }) => verdict.kind !== "healthy");
  const healthy = machines.length - told.length;
  return [
    `${machines.length} workers: ${healthy} healthy, ${away} away; a repair lets ${mostAway} be away.`,
    ...obstacles.map((obstacle) => `Nothing is replaced: ${obstacle}`),
    ...told.map(describeMachine),
  ];
}

/** What is done about one machine, and why. */
export function describeMachine({ worker, verdict }: PlannedMachine): string {
  const { name, instanceId, pool, zone } = worker;
  const id = name === instanceId ? "" : `${instanceId}, `;
  return `  ${name} (${id}${pool}, ${zone}): ${describeVerdict(verdict)}`;
}

function describeVerdict(verdict: MachineVerdict): string {
  switch (verdict.kind) {
    case "healthy":
      return "healthy";
    case "release":
      return `its node takes pods again: ${verdict.reason}`;
    case "wait":
      return `waits until ${verdict.until.toISOString()}: ${verdict.reason}`;
    case "leaving":
      return `is being replaced: ${verdict.reason}`;
    case "kept":
      return `stays: ${verdict.reason}`;
    case "repair":
      return `is replaced: ${verdict.reason}`;
    case "held":
      return `held back: ${verdict.reason}; ${verdict.because}`;
  }
}

export function planAsJson(stack: string, plan: MachineRepairPlan, now: Date) {
  const { machines, away, mostAway, obstacles } = plan;
  return {
    stack,
    at: now.toISOString(),
    away,
    mostAway,
    obstacles,
    machines: machines.map(({ worker, verdict }) => {
      const { name, instanceId, pool, zone, means } = worker;
      return { name, instanceId, pool, zone, means: means.kind, ...verdict };
    }),
  };
}

export function exitCodeOf({ machines }: MachineRepairPlan, isKnown: boolean): number {
  if (!isKnown) {
    return REPAIR_EXIT_CODES.unknown;
  }
  return machines.some(({ verdict }) => verdict.kind === "held")
    ? REPAIR_EXIT_CODES.held
    : REPAIR_EXIT_CODES.done;
}
