import { setTimeout as sleep } from "node:timers/promises";
import {
  StartInstancesCommand,
  StopInstancesCommand,
  waitUntilInstanceRunning,
  waitUntilInstanceStopped,
} from "@aws-sdk/client-ec2";
import { planStackRepair } from "../../cli/repair/repairStack";
import { killEngines } from "../killEngines";
import type { SmokeStep, SmokeWorld } from "./smokeStep";

const OTHER_TYPE = "t3.large";
const MOST_WAIT_SECONDS = 600;

/** What is tried on an account, in this order. The costs are those of the machines that run meanwhile. */
export const SMOKE_STEPS: readonly SmokeStep[] = [
  {
    title: "Up",
    done: "The stack is brought up, and previewed again.",
    expected: "It ends well, and the preview shows no change.",
    run: async (world) => {
      await world.up();
      return noChange(await world.preview());
    },
  },
  {
    title: "talosctl and kubectl",
    done: "Both ask the cluster with the access that the stack hands out.",
    expected: "etcd has its member, and the node is Ready.",
    run: async (world) => {
      const members = await world.command("talosctl", "etcd", "members");
      const nodes = await world.command("kubectl", "get", "nodes", "--no-headers");
      const ready = nodes.split("\n").filter((line) => /\sReady\s/.test(line));
      const rows = members.trim().split("\n").slice(1);
      if (rows.length !== 1 || ready.length !== 1) {
        throw new Error(`etcd: ${members.trim()}; nodes: ${nodes.trim()}`);
      }
      return `1 member, ${ready[0]?.trim() ?? ""}`;
    },
  },
  {
    title: "A stopped machine",
    done: "The machine is stopped behind Pulumi's back; then refresh and preview; then it is started again.",
    expected: "The preview replaces nothing; after the start, up ends well and shows no change.",
    run: async (world) => {
      const [id = ""] = await world.instances();
      const wait = { client: world.ec2, maxWaitTime: MOST_WAIT_SECONDS };
      await world.ec2.send(new StopInstancesCommand({ InstanceIds: [id] }));
      await waitUntilInstanceStopped(wait, { InstanceIds: [id] });
      const stack = await world.open();
      await stack.refresh({ onOutput: () => undefined });
      const replaced = (await world.preview()).filter((step) => /replace|delete/.test(step));
      await world.ec2.send(new StartInstancesCommand({ InstanceIds: [id] }));
      await waitUntilInstanceRunning(wait, { InstanceIds: [id] });
      if (replaced.length > 0) {
        throw new Error(`the preview says: ${replaced.join(", ")}`);
      }
      await world.up({}, { refresh: true });
      return `${id} stays; after its start ${noChange(await world.preview())}`;
    },
  },
  {
    title: "A zone comes, and the engine is killed meanwhile",
    done: "A zone is added; the engine is killed when AWS makes the subnet; the state is repaired; up runs again.",
    expected: "Nothing is made twice, no operation is pending, the preview shows no change.",
    run: async (world) => {
      const more = { zones: [...world.zones, world.otherZone] };
      const stack = await world.open(more);
      await upAndKill(stack);
      await stack.cancel();
      const { steps, apply } = await planStackRepair(stack);
      await apply({ onOutput: () => undefined, color: "never" });
      await world.up(more);
      const again = await planStackRepair(await world.open(more));
      if (again.steps.length > 0) {
        throw new Error(`still pending: ${again.steps.map(({ urn }) => urn).join(", ")}`);
      }
      return `${steps.length} operations were cut off; ${noChange(await world.preview(more))}`;
    },
  },
  {
    title: "The zone goes",
    done: "The zone is removed again.",
    expected: "The machine stays, and the preview shows no change.",
    run: async (world) => sameMachine(world, () => world.up()),
  },
  {
    title: "Another instance type",
    done: `The control plane becomes ${OTHER_TYPE}.`,
    expected: "The machine is stopped and started, not replaced.",
    run: async (world) => {
      const larger = { instanceType: OTHER_TYPE };
      return sameMachine(world, () => world.up(larger), larger);
    },
  },
];

/** The last step, whatever became of the others. */
export const DESTROY_STEP: SmokeStep = {
  title: "Destroy",
  done: "Everything is destroyed.",
  expected: "AWS has nothing left by this stack's tags and names.",
  run: async (world) => {
    await world.destroy();
    const left = await world.leftovers();
    if (left.length > 0) {
      throw new Error(`left in AWS: ${left.join(", ")}`);
    }
    return "nothing is left";
  },
};

async function sameMachine(
  world: SmokeWorld,
  change: () => Promise<void>,
  settings = {},
): Promise<string> {
  const before = (await world.instances()).join(", ");
  await change();
  const after = (await world.instances()).join(", ");
  if (before !== after) {
    throw new Error(`the machine was ${before} and is ${after}`);
  }
  return `${after} stays; ${noChange(await world.preview(settings))}`;
}

function noChange(steps: readonly string[]): string {
  if (steps.length > 0) {
    throw new Error(`the preview says: ${steps.join(", ")}`);
  }
  return "the preview shows no change";
}

/** Kills the engine soon after it has begun to make the new subnet. */
async function upAndKill(stack: Awaited<ReturnType<SmokeWorld["open"]>>): Promise<void> {
  let begun: (() => void) | undefined;
  const beginning = new Promise<void>((resolve) => {
    begun = resolve;
  });
  const run = stack
    .up({
      onOutput: () => undefined,
      onEvent: ({ resourcePreEvent }) => {
        const { op, type } = resourcePreEvent?.metadata ?? {};
        if (op === "create" && type === "aws:ec2/subnet:Subnet") {
          begun?.();
        }
      },
    })
    .then(
      () => "ended" as const,
      () => "killed" as const,
    );
  await Promise.race([beginning.then(() => sleep(300)), run]);
  killEngines();
  if ((await run) === "ended") {
    throw new Error("up had ended before the engine could be killed");
  }
}
