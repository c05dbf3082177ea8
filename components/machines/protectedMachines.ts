import { AsyncResource } from "node:async_hooks";
import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { isKnown } from "../../provider/engine";
import { clusterTag } from "../clusterTag";
import { onceKnown } from "../onceKnown";
import { hasHooks } from "./hasHooks";

/** A machine, as far as it matters for what may end it. */
export interface GuardedMachine {
  readonly clusterName: pulumi.Input<string>;
  readonly terminationProtection: pulumi.Input<boolean> | undefined;
}

/** States in which EC2 still has an instance. Source: EC2 API, `InstanceState`. */
const THERE = ["pending", "running", "stopping", "stopped"];

/**
 * Options that refuse the end of a machine while EC2 protects it from termination, already in the preview.
 * Otherwise the AWS provider would try it, at the end of the run, and fail: since 6.8 it no longer lifts the
 * protection (terraform-provider-aws PR 43722).
 *
 * Pulumi refuses to delete or replace a machine whose protection is on. If it goes off in the same run, Pulumi
 * allows a replacement, but the former machine is still protected. So EC2 is asked before a machine of a
 * recorded name is made. Needs `ec2:DescribeInstances` and `ec2:DescribeInstanceAttribute`.
 */
export function guarded(
  name: string,
  { clusterName, terminationProtection }: GuardedMachine,
  opts: pulumi.CustomResourceOptions,
): pulumi.CustomResourceOptions {
  const protect = opts.protect === true || terminationProtection === true;
  if (!hasHooks()) {
    return { ...opts, protect };
  }
  // The engine calls hooks outside of the program, where nothing knows which engine to ask.
  const program = new AsyncResource("guarded");
  const hook = new pulumi.ResourceHook(
    `${name}-guarded`,
    () => program.runInAsyncScope(() => refuseProtected(name, clusterName, opts)),
    { onDryRun: true },
  );
  const beforeCreate = [...(opts.hooks?.beforeCreate ?? []), hook];
  return { ...opts, protect, hooks: { ...opts.hooks, beforeCreate } };
}

async function refuseProtected(
  name: string,
  clusterName: pulumi.Input<string>,
  { parent }: pulumi.CustomResourceOptions,
): Promise<void> {
  const cluster = await valueOrNothing(clusterName);
  if (cluster === undefined) {
    return;
  }
  const options = parent === undefined ? {} : { parent };
  const filters = [
    { name: "tag:Name", values: [name] },
    { name: `tag:${clusterTag(cluster)}`, values: ["owned"] },
  ];
  const { ids } = await aws.ec2.getInstances({ filters, instanceStateNames: THERE }, options);
  for (const instanceId of ids) {
    const former = await aws.ec2.getInstance({ instanceId }, options);
    if (former.disableApiTermination) {
      throw new Error(
        `${name} can't be made again, because EC2 refuses to end the one that is there (${instanceId}): its termination protection is on. Set terminationProtection to false and run up with nothing else changed, then make this change`,
      );
    }
  }
}

/** The value of an input; undefined if a preview doesn't know it. */
async function valueOrNothing(input: pulumi.Input<string>): Promise<string | undefined> {
  const output = pulumi.output(input);
  return (await isKnown(output)) ? onceKnown(output) : undefined;
}
