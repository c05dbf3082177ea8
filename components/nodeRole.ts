import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { planMachineTrust, planNodePolicy } from "./planNodePolicy";

export interface NodeRoleArgs {
  /** What the machines are, for the role's description, for example `control plane`. */
  readonly machines: string;
  /** More tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * The IAM role of machines, with the least they need, as an instance profile. Free of charge.
 * Pods that reach the metadata service can act in this role: give it nothing they may not have.
 */
export class NodeRole extends pulumi.ComponentResource {
  public readonly roleName: pulumi.Output<string>;
  public readonly roleArn: pulumi.Output<string>;
  public readonly instanceProfileName: pulumi.Output<string>;

  constructor(name: string, args: NodeRoleArgs, opts?: pulumi.ComponentResourceOptions) {
    super("talos-aws:index:NodeRole", name, {}, opts);
    const child = { parent: this };
    const tags = pulumi.output(args.tags ?? {});
    const role = new aws.iam.Role(
      `${name}-role`,
      {
        description: `Talos ${args.machines} machines`,
        assumeRolePolicy: JSON.stringify(planMachineTrust()),
        tags,
      },
      child,
    );
    const { region } = aws.getRegionOutput({}, child);
    const policy = new aws.iam.RolePolicy(
      `${name}-policy`,
      { role: role.name, policy: region.apply((where) => JSON.stringify(planNodePolicy(where))) },
      child,
    );
    const profile = new aws.iam.InstanceProfile(
      `${name}-profile`,
      { role: role.name, tags },
      // Machines have their permissions from their first moment.
      { ...child, dependsOn: policy },
    );

    this.roleName = role.name;
    this.roleArn = role.arn;
    this.instanceProfileName = profile.name;
    this.registerOutputs({
      roleName: this.roleName,
      roleArn: this.roleArn,
      instanceProfileName: this.instanceProfileName,
    });
  }
}
