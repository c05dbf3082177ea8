import { styleText } from "node:util";
import type { Deployment, Stack } from "@pulumi/pulumi/automation";
import type { Command } from "commander";
import { messageOfError } from "../../provider/base";
import { CommandFailure } from "../commandFailure";
import { confirm } from "../confirm";
import { destroyPlan, type DestroyPlan } from "../destroyPlan";
import { shownStack } from "../engine/shownStack";
import { skipLeavingEtcd } from "../engine/skipLeavingEtcd";
import { withStack } from "../engine/withStack";
import { type StackOptions, stackCommand } from "../stackCommand";
import { notes, output } from "../standardStreams";
import { describeKept, describeMade } from "../sweep/describeSweep";
import { launchesMachines, machinesOf, withoutMachines } from "../sweep/launchedMachines";
import { lookForMade } from "../sweep/lookForMade";
import type { Made, Sweep } from "../sweep/planSweep";
import { sweepStack } from "../sweep/sweepStack";
import { repairBefore } from "./repair";

interface DestroyOptions extends StackOptions {
  readonly yes?: boolean;
  readonly refresh?: boolean;
  readonly sweep?: boolean;
  readonly sweepVolumes?: boolean;
  readonly clusterIsGone?: boolean;
}

export function destroyCommand(): Command {
  return stackCommand("destroy", "deletes all resources of a stack")
    .option("-y, --yes", "does not ask for the stack's name")
    .option("--refresh", "first refreshes the state from AWS and the machines")
    .option(
      "--sweep",
      "also removes load balancers and groups that controllers in the cluster created",
    )
    .option("--sweep-volumes", "also removes the cluster's volumes and snapshots, with their data")
    .option(
      "--cluster-is-gone",
      "of workers whose cluster was in another stack: drains no node, because nothing could move its pods",
    )
    .action(destroy);
}

async function destroy(name: string, options: DestroyOptions): Promise<void> {
  const { cwd, yes = false, refresh = false, sweepVolumes: withData = false } = options;
  const sweep = options.sweep === true || withData;
  await withStack({ stack: name, cwd }, async (stack, signal) => {
    // The repair forgets what is created again without harm, such as Karpenter. It also mends what can't be read.
    const wasLauncher = await stack.exportStack().then(launchesMachines, () => false);
    // Resources that a killed run created without recording them would remain, and cost money.
    if ((await repairBefore(stack, { yes, signal })) === "declined") {
      process.exitCode = 1;
      return;
    }
    const exported = await stack.exportStack();
    const plan = destroyPlan(exported);
    if (plan.resources === 0) {
      output.line(`The stack "${name}" has nothing to delete.`);
      return;
    }
    if (plan.protectedNames.length > 0) {
      throw new CommandFailure(
        `the stack "${name}" is protected: Pulumi or EC2 refuses to delete ${list(plan.protectedNames)}. To delete them, set "protect" and each "terminationProtection" to false in its settings, run up, then destroy. If up no longer succeeds, run "pulumi state unprotect --all --stack ${name}" instead, and turn the protection of machines off in EC2`,
      );
    }
    const isLauncher = wasLauncher || launchesMachines(exported);
    const sweeps = await look(stack, exported, { sweep: sweep || isLauncher });
    // Those of the stack's own Karpenter go with it. Another Karpenter's are asked for.
    const own = isLauncher ? sweeps.map(machinesOf) : [];
    const launched = own.flatMap(({ made }) => made);
    const others = launched.length === 0 ? sweeps : sweeps.map(withoutMachines);
    reportLaunched(launched);
    const removes = reportFindings(name, others, { sweep, withData });
    output.line(describePlan(name, plan, output.terminal.color));
    if (!yes && !(await confirm(`Type "${name}" to delete all of it:`, name))) {
      notes.line("Nothing was deleted.");
      process.exitCode = 1;
      return;
    }
    const color = output.terminal.color ? "always" : "never";
    const telling = { color, signal, onOutput: output.write } as const;
    skipLeavingEtcd(stack, exported, options.clusterIsGone === true);
    if (removes || launched.length > 0) {
      const onlyMachines = !removes;
      const options = { ...telling, withData, onlyMachines, onStep: output.line };
      await sweepStack(stack, exported, sweeps, options);
    }
    await shownStack(stack).destroy({ ...telling, refresh });
  });
}

/** Where nothing that is found would be removed, a failed search does not stop the destroy. */
async function look(
  stack: Stack,
  exported: Deployment,
  { sweep }: { readonly sweep: boolean },
): Promise<readonly Sweep[]> {
  try {
    return await lookForMade(stack, exported);
  } catch (error) {
    if (sweep) {
      throw error;
    }
    const reason = messageOfError(error);
    notes.line(`Can't find out what controllers in the cluster created: ${reason}`);
    return [];
  }
}

function reportLaunched(launched: readonly Made[]): void {
  if (launched.length > 0) {
    const { color, width } = output.terminal;
    output.line("Karpenter launched these machines for the stack's pools. They end with it:");
    output.line(describeMade(launched, { color, width }));
  }
}

/**
 * Reports what controllers created, and what happens to it.
 *
 * @returns whether something will be removed
 * @throws CommandFailure if something that stays blocks the deletion of the network
 */
function reportFindings(
  name: string,
  sweeps: readonly Sweep[],
  { sweep, withData }: { readonly sweep: boolean; readonly withData: boolean },
): boolean {
  const { color, width } = output.terminal;
  const look = { color, width };
  const made = sweeps.flatMap((each) => each.made);
  const data = sweeps.flatMap((each) => each.data);
  const kept = sweeps.flatMap((each) => each.kept);
  if (made.length > 0) {
    output.line(
      "Controllers in the cluster created these resources, which are not in Pulumi's state:",
    );
    output.line(describeMade(made, look));
  }
  if (data.length > 0) {
    output.line(
      "They also created these resources with data. AWS doesn't report whether to retain them (the reclaim policy):",
    );
    output.line(describeMade(data, look));
  }
  if (kept.length > 0) {
    output.line("These may belong to the cluster, and are not changed:");
    output.line(describeKept(kept, look));
  }
  const inTheWay = kept.filter(({ blocks }) => blocks).map(({ thing }) => thing.name);
  if (inTheWay.length > 0) {
    throw new CommandFailure(
      `the network of "${name}" can't be deleted while ${list(inTheWay)} ${inTheWay.length === 1 ? "is" : "are"} in it: remove that yourself, then run destroy again`,
    );
  }
  const blocking = made.filter(({ blocks }) => blocks).map(({ thing }) => thing.name);
  if (!sweep && blocking.length > 0) {
    throw new CommandFailure(
      `the network of "${name}" can't be deleted while ${list(blocking)} ${blocking.length === 1 ? "is" : "are"} in it: "talos-aws destroy ${name} --sweep" also removes that; nothing was deleted`,
    );
  }
  if (!sweep && made.length > 0) {
    output.line(`It stays, unless you use "talos-aws destroy ${name} --sweep".`);
  }
  if (!withData && data.length > 0) {
    output.line(
      `${data.length} with data ${data.length === 1 ? "stays" : "stay"}, unless you use "talos-aws destroy ${name} --sweep-volumes".`,
    );
  }
  return (sweep && made.length > 0) || (withData && data.length > 0);
}

function describePlan(name: string, { resources, losses }: DestroyPlan, color: boolean): string {
  const title = `${name}: ${resources} resources will be deleted permanently:`;
  return [
    color ? styleText("bold", title, { validateStream: false }) : title,
    ...losses.map(({ what, names }) => `  ${what}: ${list(names)}`),
  ].join("\n");
}

/** The names; only the first ones of a long list. */
function list(names: readonly string[]): string {
  const shown = names.slice(0, 10).join(", ");
  return names.length > 10 ? `${shown} and ${names.length - 10} more` : shown;
}
