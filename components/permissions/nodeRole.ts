import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { refuse, within } from "../problems";
import { checkRoleExtension, extendRole, type RoleStatement } from "./extendRole";
import type { NodePermissions } from "./nodePermissions";
import {
  checkNodePermissions,
  planMachineTrust,
  planNodePolicy,
  policyText,
} from "./planNodePolicy";

export interface NodeRoleArgs {
  /** What the machines are, for the role's description, for example `control plane`. */
  readonly machines: string;
  /** Name of the cluster, whose tag what machines may change has. */
  readonly clusterName: pulumi.Input<string>;
  /** What they may do besides seeing themselves and their like. Default: nothing. */
  readonly permissions?: NodePermissions;
  /**
   * ARN of a policy that the role's permissions never go beyond, whatever is added to it: what many
   * accounts ask of every role. Default: none.
   */
  readonly permissionsBoundaryArn?: pulumi.Input<string>;
  /**
   * Path of the role and its instance profile in IAM, for example `/talos/`; another one replaces both.
   * Default: `/`.
   */
  readonly path?: string;
  /**
   * ARNs of more policies, AWS' or yours, by names of your own, which stand in those of the resources that
   * attach them. At most ten, unless AWS has raised that. Default: none.
   */
  readonly managedPolicyArns?: Readonly<Record<string, pulumi.Input<string>>>;
  /** What else the machines may do, which is a policy of its own. Default: nothing. */
  readonly statements?: readonly RoleStatement[];
  /** More tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

/**
 * The IAM role of machines, with the least they need, as an instance profile. Free of charge.
 * Pods that reach the metadata service can act in this role: give it nothing they may not have.
 *
 * @throws pulumi.InputPropertiesError for permissions that can't be
 */
export class NodeRole extends pulumi.ComponentResource {
  public readonly roleName: pulumi.Output<string>;
  public readonly roleArn: pulumi.Output<string>;
  public readonly instanceProfileName: pulumi.Output<string>;

  constructor(name: string, args: NodeRoleArgs, opts?: pulumi.ComponentResourceOptions) {
    const { permissions = {}, permissionsBoundaryArn, path } = args;
    refuse(`the role "${name}"`, [
      ...within("permissions", checkNodePermissions(permissions)),
      ...checkRoleExtension(args),
    ]);
    super("talos-aws:index:NodeRole", name, {}, opts);
    const child = { parent: this };
    const tagged = (resourceName: string) =>
      pulumi.output(args.tags ?? {}).apply((more) => ({ Name: resourceName, ...more }));
    const role = new aws.iam.Role(
      `${name}-role`,
      {
        description: `Talos ${args.machines} machines`,
        assumeRolePolicy: JSON.stringify(planMachineTrust()),
        ...(permissionsBoundaryArn !== undefined && {
          permissionsBoundary: permissionsBoundaryArn,
        }),
        ...(path !== undefined && { path }),
        tags: tagged(`${name}-role`),
      },
      child,
    );
    const { region } = aws.getRegionOutput({}, child);
    const policy = new aws.iam.RolePolicy(
      `${name}-policy`,
      {
        role: role.name,
        policy: pulumi
          .all([region, args.clusterName, pulumi.output(permissions)])
          .apply(([where, clusterName, known]) =>
            policyText(planNodePolicy({ region: where, clusterName }, known)),
          ),
      },
      child,
    );
    const profile = new aws.iam.InstanceProfile(
      `${name}-profile`,
      { role: role.name, ...(path !== undefined && { path }), tags: tagged(`${name}-profile`) },
      // Machines have their permissions from their first moment.
      { ...child, dependsOn: [policy, ...extendRole(name, role.name, args, child)] },
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
