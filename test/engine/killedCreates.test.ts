import { readdirSync, readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { DescribeTagsCommand } from "@aws-sdk/client-ec2";
import {
  DescribeLoadBalancersCommand,
  DescribeTargetGroupsCommand,
} from "@aws-sdk/client-elastic-load-balancing-v2";
import { ListHostedZonesCommand } from "@aws-sdk/client-route-53";
import { recordedStack } from "../../cli/repair/pendingOperations";
import { planStackRepair } from "../../cli/repair/repairStack";
import { readResources, type StackResource } from "../../cli/stackResource";
import { type Account, openAccount } from "./support/account";
import { type EngineWorld, startEngineWorld } from "./support/engineWorld";
import { allEnd, killEngines } from "../../scripts/killEngines";

/** So long nothing more is begun: the others wait for what is held. */
const QUIET_MS = 1_200;
const MOST_RUNS = 25;

describe("an engine that is killed in the middle of each create in AWS", () => {
  it("leaves nothing that the repair doesn't find, and the next up converges", async () => {
    const held = await mkdtemp(path.join(tmpdir(), "held-"));
    const world = await startEngineWorld({ environment: { EMULATOR_HOLD_CREATES: held } });
    const account = openAccount(world.emulator);
    try {
      const { stack, record } = world;
      const warnings = /with \d+ pending operations/;
      let runs = 0;
      while (!(await upUntilHeld(world, held))) {
        expect(runs++).toBeLessThan(MOST_RUNS);
        await stack.cancel();
        expect(recordedStack(await stack.exportStack()).pending).not.toHaveLength(0);
        const { steps, apply } = await planStackRepair(stack);
        expect(steps.filter(({ kind }) => kind === "undecided")).toEqual([]);
        await apply({ onOutput: record.onOutput, color: "never" });
        expect(recordedStack(await stack.exportStack()).pending).toEqual([]);
      }
      expect(world.transcript()).not.toMatch(warnings);

      const resources = readResources(await stack.exportStack());
      const ofAws = resources.filter(({ type }) => type.startsWith("aws:"));
      expect(readHeld(held)).toEqual(ofAws.map(({ urn }) => urn).sort());
      expect(await orphans(account, resources)).toEqual([]);
      const { changeSummary } = await stack.preview(record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    } finally {
      account.close();
      await world.close();
      await rm(held, { recursive: true, force: true });
    }
  }, 1_500_000);
});

/**
 * Runs `up`, and kills the engine when some creates are held and nothing more is begun.
 *
 * @returns whether it ran to its end
 */
async function upUntilHeld({ stack, record }: EngineWorld, held: string): Promise<boolean> {
  const before = readdirSync(held).length;
  let outcome: "done" | "ended" | undefined;
  let failure: unknown;
  // All that can be made at once is: each run is another step of what depends on what.
  const run = stack.up({ ...record, parallel: 100 }).then(
    () => (outcome = "done"),
    (error: unknown) => {
      outcome = "ended";
      failure = error;
    },
  );
  let seen = before;
  for (let quietSince = Date.now(); outcome === undefined; await sleep(50)) {
    const now = readdirSync(held).length;
    if (now > seen) {
      seen = now;
      quietSince = Date.now();
    } else if (now > before && Date.now() - quietSince > QUIET_MS) {
      const plugins = killEngines();
      await run;
      expect(await allEnd(plugins)).toBe(true);
      return false;
    }
  }
  await run;
  if (outcome === "ended") {
    throw failure;
  }
  return true;
}

function readHeld(folder: string): string[] {
  return readdirSync(folder)
    .map((name) => readFileSync(path.join(folder, name), "utf8"))
    .sort();
}

/** What is in the account, and neither recorded nor AWS' own. */
async function orphans(
  { ec2, loadBalancing, route53 }: Account,
  resources: readonly StackResource[],
): Promise<string[]> {
  const known = new Set(resources.map(({ id }) => id));
  const [{ Tags = [] }, { LoadBalancers = [] }, { TargetGroups = [] }, { HostedZones = [] }] =
    await Promise.all([
      ec2.send(new DescribeTagsCommand({})),
      loadBalancing.send(new DescribeLoadBalancersCommand({})),
      loadBalancing.send(new DescribeTargetGroupsCommand({})),
      route53.send(new ListHostedZonesCommand({})),
    ]);
  const there = [
    ...Tags.filter(({ ResourceType }) => ResourceType !== "volume").map((tag) => tag.ResourceId),
    ...LoadBalancers.map(({ LoadBalancerArn }) => LoadBalancerArn),
    ...TargetGroups.map(({ TargetGroupArn }) => TargetGroupArn),
    ...HostedZones.map(({ Id = "" }) => Id.replace("/hostedzone/", "")),
  ];
  return [...new Set(there)].filter((id = "") => !known.has(id)).map(String);
}
