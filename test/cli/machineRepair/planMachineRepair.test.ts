import {
  DEFAULT_BUDGET,
  type MachineVerdict,
  planMachineRepair,
} from "../../../cli/machineRepair/planMachineRepair";
import {
  type ClusterFacts,
  DRAINED_FOR_REPAIR,
  type GroupFacts,
  type WorkerFacts,
} from "../../../cli/machineRepair/workerFacts";
import { fixed, inGroup, minutesAgo, node, NOW } from "./workers";

/** What can be wrong with a machine: long enough, and not yet. */
const TROUBLES: Readonly<
  Record<string, { readonly now: Partial<WorkerFacts>; readonly soon?: Partial<WorkerFacts> }>
> = {
  "not ready": {
    now: { node: node({ ready: "False", since: minutesAgo(10) }) },
    soon: { node: node({ ready: "False", since: minutesAgo(9) }) },
  },
  unknown: {
    now: { node: node({ ready: "Unknown", since: minutesAgo(11) }) },
    soon: { node: node({ ready: "Unknown", since: minutesAgo(1) }) },
  },
  "never joined": {
    now: { node: undefined, launchedAt: minutesAgo(20) },
    soon: { node: undefined, launchedAt: minutesAgo(19) },
  },
  "impaired instance": {
    now: { impairments: [{ of: "instance", since: minutesAgo(10) }] },
    soon: { impairments: [{ of: "instance", since: minutesAgo(2) }] },
  },
  "impaired system": {
    now: { impairments: [{ of: "system", since: minutesAgo(30) }] },
    soon: { impairments: [{ of: "system", since: minutesAgo(2) }] },
  },
  "impaired volumes": {
    now: { impairments: [{ of: "volumes", since: minutesAgo(12) }] },
    soon: { impairments: [{ of: "volumes", since: undefined }] },
  },
  "scheduled retirement": {
    now: { scheduledEnd: { code: "instance-retirement", notBefore: minutesAgo(-10_000) } },
  },
};

const MEANS = { "a fixed pool": fixed, "a group": inGroup };

const away = { node: node({ ready: "False", since: minutesAgo(1) }) };

function cluster(workers: readonly WorkerFacts[], more: Partial<ClusterFacts> = {}): ClusterFacts {
  return { workers, obstacles: [], isKnown: true, ...more };
}

/** The verdicts by the names of machines, in the budget that nobody has changed. */
function verdicts(facts: ClusterFacts, budget = DEFAULT_BUDGET): Record<string, MachineVerdict> {
  const { machines } = planMachineRepair(facts, budget, NOW);
  return Object.fromEntries(machines.map(({ worker, verdict }) => [worker.instanceId, verdict]));
}

/** Healthy machines of other pools. */
function others(count: number): WorkerFacts[] {
  return Array.from({ length: count }, (_, index) => fixed(`other-${index}`, { pool: "c-other" }));
}

describe.each(Object.keys(MEANS) as (keyof typeof MEANS)[])("a worker of %s", (means) => {
  const make = MEANS[means];

  describe.each(Object.entries(TROUBLES))("that is %s", (_name, { now, soon }) => {
    const broken = make("broken", now);

    it("is replaced if it is the only one", () => {
      const plan = verdicts(cluster([broken, make("well"), ...others(8)]));
      expect(plan["i-broken"]?.kind).toBe("repair");
      expect(plan["i-well"]).toEqual({ kind: "healthy" });
    });

    it("is replaced in the smallest pool, too", () => {
      expect(verdicts(cluster([broken]))["i-broken"]?.kind).toBe("repair");
    });

    it.skipIf(soon === undefined)("waits until it has lasted", () => {
      expect(verdicts(cluster([make("broken", soon)]))["i-broken"]?.kind).toBe("wait");
    });

    it("is held back while another one of its pool and zone is away", () => {
      const plan = verdicts(cluster([broken, make("away", away), ...others(8)]));
      expect(plan["i-broken"]).toMatchObject({
        kind: "held",
        because: expect.stringMatching(/^one machine at a time .*away is$/) as string,
      });
    });

    it("is replaced while another one is away in another zone", () => {
      const elsewhere = make("away", { ...away, zone: "us-east-1b" });
      const plan = verdicts(cluster([broken, elsewhere, ...others(8)]));
      expect(plan["i-broken"]?.kind).toBe("repair");
    });

    it("goes before or after a second broken one there, one at a time", () => {
      const plan = verdicts(cluster([broken, make("second", now), ...others(8)]));
      const kinds = [plan["i-broken"]?.kind, plan["i-second"]?.kind];
      expect(kinds.sort()).toEqual(["held", "repair"]);
    });

    it("is held back while many are away", () => {
      const many = [0, 1].map((zone) => fixed(`away-${zone}`, { ...away, pool: `c-${zone}` }));
      const plan = verdicts(cluster([broken, ...many, ...others(7)]));
      expect(plan["i-broken"]).toMatchObject({
        kind: "held",
        because: expect.stringMatching(/workers are away, and a repair lets 2 be/) as string,
      });
    });

    it("is held back while the API server can't be reached, as all others", () => {
      const silent = { obstacles: ["the Kubernetes API doesn't answer at x"], isKnown: false };
      const unseen = { ...broken, node: undefined, launchedAt: minutesAgo(1_440) };
      const plan = verdicts(cluster([unseen, make("well", { node: undefined })], silent));
      expect(Object.values(plan)).toEqual(
        ["i-broken", "i-well"].map(() => ({
          kind: "held",
          reason: "nothing is known of its node",
          because: "the Kubernetes API doesn't answer at x",
        })),
      );
    });

    it("is held back while the control plane isn't healthy", () => {
      const obstacles = ["the control plane isn't healthy: etcd has no leader"];
      const plan = verdicts(cluster([broken], { obstacles }));
      expect(plan["i-broken"]).toMatchObject({ kind: "held", because: obstacles[0] });
    });

    it.skipIf(broken.node === undefined)("goes on after a killed run that had drained it", () => {
      const drained = node({ ...broken.node, cordonedFor: DRAINED_FOR_REPAIR });
      const second = make("a-second", now);
      const plan = verdicts(cluster([second, { ...broken, node: drained }, ...others(8)]));
      expect(plan["i-broken"]?.kind).toBe("repair");
      expect(plan["i-a-second"]?.kind).toBe("held");
    });

    it.skipIf(broken.node === undefined)("stays if a person keeps it", () => {
      const kept = { ...broken, node: node({ ...broken.node, isKept: true }) };
      expect(verdicts(cluster([kept]))["i-broken"]?.kind).toBe("kept");
    });

    it("is left to the update that has drained it", () => {
      const changed = { ...broken, node: node({ ...broken.node, cordonedFor: "change" }) };
      expect(verdicts(cluster([changed]))["i-broken"]?.kind).toBe("held");
    });
  });

  it("takes pods again if it came back after a repair had drained it", () => {
    const back = make("back", { node: node({ cordonedFor: DRAINED_FOR_REPAIR }) });
    expect(verdicts(cluster([back]))["i-back"]?.kind).toBe("release");
  });

  it("stays healthy while nothing is wrong with it", () => {
    expect(verdicts(cluster([make("well")]))).toEqual({ "i-well": { kind: "healthy" } });
  });
});

describe("a worker of a fixed pool", () => {
  const broken = { node: node({ ready: "Unknown", since: minutesAgo(60) }) };
  const means = { kind: "fixed", urn: "urn:x", dataVolumes: [], isProtected: false } as const;

  it.each([
    [{ ...broken, state: "stopped" }, "start it with"],
    [{ ...broken, state: "terminated" }, 'the next "talos-aws up" makes another one'],
    [{ ...broken, means: { ...means, isProtected: true } }, "it is protected"],
    [{ ...broken, means: { ...means, dataVolumes: ["/dev/sdf"] } }, "would end with it"],
    [{ ...broken, means: { ...means, urn: undefined } }, "state doesn't have it"],
  ])("is held back where only a person can decide: %#", (more, because) => {
    expect(verdicts(cluster([fixed("a", more)]))["i-a"]).toMatchObject({
      kind: "held",
      because: expect.stringContaining(because) as string,
    });
  });

  it("is told of while it is stopped, although its node is still ready", () => {
    expect(verdicts(cluster([fixed("a", { state: "stopped" })]))["i-a"]?.kind).toBe("held");
  });

  it("ends with its volumes where that is allowed", () => {
    const worker = fixed("a", { ...broken, means: { ...means, dataVolumes: ["/dev/sdf"] } });
    const budget = { ...DEFAULT_BUDGET, endsVolumes: true };
    expect(verdicts(cluster([worker]), budget)["i-a"]?.kind).toBe("repair");
  });
});

describe("a worker of a group", () => {
  const broken = { node: node({ ready: "False", since: minutesAgo(60) }) };
  const with_ = (ofGroup: Partial<GroupFacts>, ofMachine: object = {}) => {
    const worker = inGroup("a", broken, ofGroup);
    return { ...worker, means: { ...worker.means, ...ofMachine } };
  };

  it.each([
    [with_({ suspended: ["Terminate", "AZRebalance"] }), "somebody has suspended Terminate"],
    [with_({ isRefreshing: true }), "an instance refresh"],
    [with_({}, { lifecycleState: "Standby" }), "on standby"],
    [with_({}, { lifecycleState: "Pending:Wait" }), "has it in Pending:Wait"],
    [with_({ missing: 1 }), "2 of 10 workers are away"],
  ])("is held back by its group: %#", (worker, because) => {
    const budget = { ...DEFAULT_BUDGET, mostAwayPercent: 10 };
    expect(verdicts(cluster([worker, ...others(9)]), budget)["i-a"]).toMatchObject({
      kind: "held",
      because: expect.stringContaining(because) as string,
    });
  });

  it("waits for the machine that its group is launching", () => {
    const plan = verdicts(cluster([with_({ missing: 1 }), ...others(9)]));
    expect(plan["i-a"]).toMatchObject({
      because: expect.stringContaining("still launching another machine") as string,
    });
  });

  it.each([{ isHealthyToGroup: false }, { lifecycleState: "Terminating:Wait" }])(
    "is left to its group when that has begun: %j",
    (ofMachine) => {
      expect(verdicts(cluster([with_({}, ofMachine)]))["i-a"]?.kind).toBe("leaving");
    },
  );
});

describe("the budget", () => {
  it("counts a machine that still works only when it is replaced", () => {
    const retired = (name: string) =>
      fixed(name, {
        pool: `c-${name}`,
        scheduledEnd: { code: "instance-stop", notBefore: undefined },
      });
    const plan = verdicts(cluster([retired("a"), retired("b"), retired("c"), ...others(7)]));
    const kinds = ["a", "b", "c"].map((name) => plan[`i-${name}`]?.kind);
    expect(kinds).toEqual(["repair", "repair", "held"]);
  });

  it("replaces the longest broken one first", () => {
    const since = (minutes: number) => ({
      node: node({ ready: "Unknown", since: minutesAgo(minutes) }),
    });
    const plan = verdicts(cluster([fixed("a", since(20)), fixed("b", since(40)), ...others(8)]));
    expect([plan["i-a"]?.kind, plan["i-b"]?.kind]).toEqual(["held", "repair"]);
  });
});
