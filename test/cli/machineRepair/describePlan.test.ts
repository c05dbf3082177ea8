import { describePlan, exitCodeOf, planAsJson } from "../../../cli/machineRepair/describePlan";
import {
  DEFAULT_BUDGET,
  type MachineRepairPlan,
  planMachineRepair,
} from "../../../cli/machineRepair/planMachineRepair";
import type { WorkerFacts } from "../../../cli/machineRepair/workerFacts";
import { fixed, inGroup, minutesAgo, node, NOW } from "./workers";

const broken = { node: node({ ready: "Unknown", since: minutesAgo(30) }) };

function planOf(workers: readonly WorkerFacts[], isKnown = true): MachineRepairPlan {
  return planMachineRepair({ workers, obstacles: [], isKnown }, DEFAULT_BUDGET, NOW);
}

describe("the plan of a repair, as a person reads it", () => {
  it("names what is broken, where it is, and what is done, and counts the others", () => {
    const stopped = fixed("c-apps-2", { state: "stopped", zone: "us-east-1b" });
    const well = Array.from({ length: 8 }, (_, index) => fixed(`c-apps-${index + 3}`));
    const lines = describePlan(planOf([inGroup("0a", broken), stopped, ...well]));
    expect(lines).toEqual([
      "10 workers: 8 healthy, 2 away; a repair lets 2 be away.",
      "  i-0a (batch, us-east-1a): is replaced: its node is not ready (Unknown) since 2026-11-27T11:30:00.000Z",
      '  c-apps-2 (i-c-apps-2, c-apps, us-east-1b): held back: it is stopped in EC2; somebody has stopped it: start it with "aws ec2 start-instances --instance-ids i-c-apps-2"',
    ]);
  });

  it("says first why nothing is replaced", () => {
    const obstacles = ["the control plane isn't healthy: etcd has no leader"];
    const facts = { workers: [fixed("a", broken)], obstacles, isKnown: true };
    const [, second] = describePlan(planMachineRepair(facts, DEFAULT_BUDGET, NOW));
    expect(second).toBe(`Nothing is replaced: ${obstacles[0]}`);
  });

  it("is JSON for other programs", () => {
    expect(planAsJson("prod", planOf([fixed("a", broken)]), NOW)).toEqual({
      stack: "prod",
      at: NOW.toISOString(),
      away: 1,
      mostAway: 1,
      obstacles: [],
      machines: [
        {
          name: "a",
          instanceId: "i-a",
          pool: "c-apps",
          zone: "us-east-1a",
          means: "fixed",
          kind: "repair",
          reason: expect.stringContaining("not ready") as string,
        },
      ],
    });
  });
});

describe("the exit code of a repair", () => {
  it.each([
    ["nothing is broken", [fixed("a")], true, 0],
    ["a machine is replaced", [fixed("a", broken)], true, 0],
    ["a machine waits", [fixed("a", { node: node({ ready: "False", since: NOW }) })], true, 0],
    ["a person keeps one", [fixed("a", { node: node({ ...broken.node, isKept: true }) })], true, 0],
    ["one is held back", [fixed("a", { state: "stopped" })], true, 3],
    ["nothing is known", [fixed("a")], false, 2],
  ])("where %s", (_name, workers, isKnown, code) => {
    expect(exitCodeOf(planOf(workers, isKnown), isKnown)).toBe(code);
  });
});
