import type { GroupFacts, NodeFacts, WorkerFacts } from "../../../cli/machineRepair/workerFacts";

/** The time of these tests. */
export const NOW = new Date("2026-11-27T12:00:00.000Z");

/** A time before now. */
export function minutesAgo(minutes: number): Date {
  return new Date(NOW.getTime() - minutes * 60_000);
}

/** A node that is ready since yesterday. */
export function node(more: Partial<NodeFacts> = {}): NodeFacts {
  return {
    name: "ip-10-0-0-1",
    ready: "True",
    since: minutesAgo(1_440),
    isKept: false,
    cordonedFor: undefined,
    ...more,
  };
}

const group: GroupFacts = {
  name: "c-batch-us-east-1a",
  suspended: [],
  isRefreshing: false,
  missing: 0,
};

/** A healthy machine of a fixed pool. */
export function fixed(name: string, more: Partial<WorkerFacts> = {}): WorkerFacts {
  return {
    name,
    pool: "c-apps",
    zone: "us-east-1a",
    instanceId: `i-${name}`,
    privateAddress: "10.0.0.1",
    state: "running",
    launchedAt: minutesAgo(1_440),
    impairments: [],
    scheduledEnd: undefined,
    node: node(),
    means: { kind: "fixed", urn: `urn:${name}`, dataVolumes: [], isProtected: false },
    ...more,
  };
}

/** A healthy machine of a group. */
export function inGroup(
  name: string,
  more: Partial<WorkerFacts> = {},
  ofGroup: Partial<GroupFacts> = {},
): WorkerFacts {
  return {
    ...fixed(name),
    name: `i-${name}`,
    pool: "batch",
    means: {
      kind: "group",
      group: { ...group, ...ofGroup },
      lifecycleState: "InService",
      isHealthyToGroup: true,
    },
    ...more,
  };
}
