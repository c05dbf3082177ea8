import type { Impairment, ScheduledEnd, WorkerFacts } from "./workerFacts";

/** When a machine counts as broken. */
export interface RepairLimits {
  /**
   * How long a node is not ready, or EC2 finds its machine impaired. Minutes. Default: 10. Sources: GKE,
   * "Auto-repair nodes" (approximately 10 minutes); AKS, "Node auto-repair" (10 minutes); Gardener's
   * machine-controller-manager (`machine-health-timeout`, 10 minutes). EKS waits 30 minutes for most
   * conditions ("Automatically repair nodes in EKS clusters"). Kubernetes itself moves pods after 5.
   */
  readonly badMinutes: number;
  /**
   * How long a machine takes to join, at most. Minutes. Default: 20. Sources: Gardener's
   * machine-controller-manager (`machine-creation-timeout`, 20 minutes); Cluster API v1.12
   * (`nodeStartupTimeoutSeconds`, 10 minutes).
   */
  readonly joinMinutes: number;
}

/** The limits, unless they are said. */
export const DEFAULT_LIMITS: RepairLimits = { badMinutes: 10, joinMinutes: 20 };

export interface Trouble {
  /** For example `its node is not ready (Unknown) since 2026-11-21T00:00:00.000Z`. */
  readonly reason: string;
  /** From when on it counts as broken. */
  readonly brokenFrom: Date;
}

/** The state of a machine, before others are looked at. */
export interface WorkerState {
  readonly trouble: Trouble | undefined;
  /** Whether it does no work now, or is about to stop it. */
  readonly isAway: boolean;
}

const MINUTE_MS = 60_000;

/** Names of EC2's checks. Source: EC2 user guide, "Status checks for Amazon EC2 instances". */
const CHECKS: Readonly<Record<Impairment["of"], string>> = {
  instance: "instance status check",
  system: "system status check",
  volumes: "attached EBS status check",
};

/** Judges one machine. Of several troubles, the one that is broken first counts. */
export function judgeWorker(
  worker: WorkerFacts,
  { badMinutes, joinMinutes }: RepairLimits,
  now: Date,
): WorkerState {
  const bad = (since: Date) => new Date(since.getTime() + badMinutes * MINUTE_MS);
  const { node, launchedAt, impairments, scheduledEnd } = worker;
  const troubles: Trouble[] = [
    ...(scheduledEnd === undefined ? [] : [describeEnd(scheduledEnd, now)]),
    ...impairments.map(({ of, since = now }) => ({
      reason: `EC2's ${CHECKS[of]} fails since ${since.toISOString()}`,
      brokenFrom: bad(since),
    })),
    ...(node === undefined || node.ready === "True"
      ? []
      : [
          {
            reason: `its node is not ready (${node.ready}) since ${node.since.toISOString()}`,
            brokenFrom: bad(node.since),
          },
        ]),
    ...(node !== undefined || launchedAt === undefined
      ? []
      : [
          {
            reason: `it has no node in Kubernetes, and runs since ${launchedAt.toISOString()}`,
            brokenFrom: new Date(launchedAt.getTime() + joinMinutes * MINUTE_MS),
          },
        ]),
  ];
  const [first] = troubles.sort(
    (one, other) => one.brokenFrom.getTime() - other.brokenFrom.getTime(),
  );
  const isWorking =
    worker.state === "running" &&
    node?.ready === "True" &&
    node.cordonedFor === undefined &&
    impairments.length === 0 &&
    isInService(worker);
  return { trouble: first, isAway: !isWorking };
}

/** A scheduled end isn't waited for: its time only comes nearer. */
function describeEnd({ code, notBefore }: ScheduledEnd, now: Date): Trouble {
  const when = notBefore === undefined ? "" : ` from ${notBefore.toISOString()} on`;
  return { reason: `EC2 has scheduled its end (${code})${when}`, brokenFrom: now };
}

function isInService({ means }: WorkerFacts): boolean {
  return means.kind === "fixed" || (means.lifecycleState === "InService" && means.isHealthyToGroup);
}
