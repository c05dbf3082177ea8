import { type ChildProcess, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { readdirSync } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
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
import { isCreate } from "../../cli/repair/planRepair";
import { planStackRepair } from "../../cli/repair/repairStack";
import { readResources, type StackResource } from "../../cli/stackResource";
import { descendants } from "../../scripts/supervise";
import { eventually } from "../emulator/support/eventually";
import { type Account, openAccount } from "../engine/support/account";
import { createsBegun } from "../engine/support/createsBegun";
import { type EngineWorld, startEngineWorld } from "../engine/support/engineWorld";
import { type LanguageHost, startLanguageHost } from "../engine/support/languageHost";

const root = path.join(__dirname, "../..");
/**
 * So long nothing more is begun: the others wait for what is held, most likely. Where a busy machine only took
 * its time, fewer creates are cut off at once, and more engines killed.
 */
const QUIET_MS = 3_000;
/** More than there are creates. */
const MOST_RUNS = 100;
/**
 * How many creates are cut off: of nearly every kind some are. `KILLED_CREATES=all` goes on until each single
 * one was, which takes some minutes.
 */
const ENOUGH = process.env.KILLED_CREATES === "all" ? Infinity : 40;
/** So long processes may take to see that their engine is gone, on a machine with other work. */
const END_MS = 120_000;

describe("an engine that is killed in the middle of each create in AWS", () => {
  it("leaves only resources that the repair finds, and the next up converges", async () => {
    const held = await mkdtemp(path.join(tmpdir(), "held-"));
    const world = await startEngineWorld({
      environment: { EMULATOR_HOLD_CREATES: held },
      ordinaryEngine: true,
    });
    const account = openAccount(world.emulator);
    const host = await startLanguageHost();
    try {
      const { stack, record } = world;
      await nameProgram(stack.workspace.workDir);
      const cutOff = new Set<string>();
      let runs = 0;
      let last = await upUntilHeld(world, host, held);
      const next = () => upUntilHeld(world, host, cutOff.size < ENOUGH ? held : "");
      for (; last === "killed"; last = await next()) {
        expect(runs++).toBeLessThan(MOST_RUNS);
        await stack.cancel();
        const { pending } = recordedStack(await stack.exportStack());
        pending
          .filter((each) => isCreate(each) && each.resource.type.startsWith("aws:"))
          .forEach(({ resource }) => cutOff.add(resource.urn));
        const { steps, apply } = await planStackRepair(stack);
        expect(steps.filter(({ kind }) => kind === "undecided")).toEqual([]);
        await apply({ onOutput: record.onOutput, color: "never" });
        expect(recordedStack(await stack.exportStack()).pending).toEqual([]);
      }
      expect(last).toMatch(/Resources:/);
      expect(last).not.toMatch(/pending operations/);

      const resources = readResources(await stack.exportStack());
      const ofAws = resources.filter(({ type }) => type.startsWith("aws:"));
      expect(ofAws.length).toBeGreaterThan(40);
      const spared = ofAws.map(({ urn }) => urn).filter((urn) => !cutOff.has(urn));
      expect(spared.length).toBeLessThan(ENOUGH === Infinity ? 1 : 20);
      expect(await orphans(account, resources)).toEqual([]);
      const { changeSummary } = await stack.preview(record);
      expect(Object.keys(changeSummary)).toEqual(["same"]);
    } finally {
      host.close();
      account.close();
      await world.close();
      await rm(held, { recursive: true, force: true });
    }
  });
});

/** Has the engine run the program in a process of its own, which may end as it likes. */
async function nameProgram(workDir: string): Promise<void> {
  const file = path.join(workDir, "Pulumi.yaml");
  const main = path.relative(workDir, path.join(root, "dist/environments/index.js"));
  await writeFile(file, `${await readFile(file, "utf8")}main: ${main}\n`);
}

/**
 * Runs `pulumi up`, and kills the engine when some creates are held and nothing more is begun.
 *
 * @param held folder of those that are held; empty: none is, and nothing is killed
 * @returns what it printed, when it ran to its end
 * @throws Error with what it printed, when it failed by itself
 */
async function upUntilHeld(
  { stack: { name, workspace }, stateDir }: EngineWorld,
  { address }: LanguageHost,
  held: string,
): Promise<string> {
  const files = () => (held === "" ? [] : readdirSync(held));
  const earlier = new Set(files());
  const heldNow = () => files().filter((file) => !earlier.has(file));
  const count = () => heldNow().length;
  // All that can be made at once is: each run is another step of what depends on what.
  const options = ["--yes", "--skip-preview", "--parallel", "100", `--client=${address}`];
  const child = spawn(workspace.pulumiCommand.command, ["up", "--stack", name, ...options], {
    cwd: workspace.workDir,
    env: { ...process.env, ...workspace.envVars, EMULATOR_HOLD_CREATES: held },
  });
  const parts: string[] = [];
  child.stdout.on("data", (part: Buffer) => parts.push(part.toString()));
  child.stderr.on("data", (part: Buffer) => parts.push(part.toString()));
  const closed = new Promise((resolve) => child.once("close", resolve));
  let seen = 0;
  let quietSince = Date.now();
  while (!hasEnded(child)) {
    await sleep(50);
    const now = count();
    if (now > seen) {
      seen = now;
      quietSince = Date.now();
    } else if (now > 0 && Date.now() - quietSince > QUIET_MS) {
      // A create that is on its way to AWS might get there after the repair has looked.
      child.kill("SIGSTOP");
      if (!areHeld(createsBegun(stateDir), heldNow())) {
        child.kill("SIGCONT");
        quietSince = Date.now();
        continue;
      }
      const plugins = descendants(child.pid ?? 0);
      child.kill("SIGKILL");
      await closed;
      await allEnd(plugins);
      return "killed";
    }
  }
  await closed;
  if (child.exitCode !== 0) {
    throw new Error(parts.join(""));
  }
  return parts.join("");
}

function areHeld(urns: readonly string[], files: readonly string[]): boolean {
  const nameOf = (urn: string) => createHash("sha256").update(urn).digest("hex");
  return urns.every((urn) => files.includes(nameOf(urn)));
}

function hasEnded({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode !== null || signalCode !== null;
}

/** Waits until processes have ended by themselves. */
async function allEnd(pids: readonly number[]): Promise<void> {
  const isAlive = (pid: number) => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };
  await eventually(() => expect(pids.filter(isAlive)).toEqual([]), END_MS);
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
