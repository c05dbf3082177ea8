import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { orFailRun } from "../failRun";
import { roleNameProblem } from "../nameRules";
import { misspeltArguments, refuse, within } from "../problems";
import { checkRoleExtension, extendRole, type RoleStatement } from "./extendRole";
import type { NodePermissions } from "./nodePermissions";
import {
  checkNodePermissions,
  planMachineTrust,
  planNodePolicy,
  policyText,
} from "./planNodePolicy";

/** Arguments of `NodeRole`. */
export interface NodeRoleArgs {
  /** Kind of the machines, for the role's description, for example `control plane`. */
  readonly machines: string;
  /** Name of the cluster. Machines may change only resources with its tag. */
  readonly clusterName: pulumi.Input<string>;
  /** Permissions besides describing machines. Default: none. */
  readonly permissions?: NodePermissions;
  /**
   * ARN of the permissions boundary of the role. Many accounts require one for every role. Default:
   * none.
   */
  readonly permissionsBoundaryArn?: pulumi.Input<string>;
  /**
   * IAM path of the role and its instance profile, for example `/talos/`. A change replaces both.
   * Default: `/`.
   */
  readonly path?: string;
  /**
   * ARNs of additional policies, by names of your own; the names become part of resource names. IAM
   * allows ten by default. Default: none.
   */
  readonly managedPolicyArns?: Readonly<Record<string, pulumi.Input<string>>>;
  /** Additional permissions, as an inline policy of their own. Default: none. */
  readonly statements?: readonly RoleStatement[];
  /** Additional tags. Default: none. */
  readonly tags?: pulumi.Input<Record<string, pulumi.Input<string>>>;
}

const TYPE = "talos-aws:index:NodeRole";

/**
 * The IAM role of machines, with the fewest permissions, as an instance profile. Free of charge.
 * Pods that reach the metadata service can use this role, so grant only what they may have.
 *
 * @throws pulumi.InputPropertiesError for invalid permissions
 */
export class NodeRole extends pulumi.ComponentResource {
  /** Name of the role. */
  readonly roleName: pulumi.Output<string>;
  /** ARN of the role. */
  readonly roleArn: pulumi.Output<string>;
  /** Name of the instance profile, which gives the role to machines. */
  readonly instanceProfileName: pulumi.Output<string>;

  constructor(name: string, args: NodeRoleArgs, opts?: pulumi.ComponentResourceOptions) {
    const { permissions = {}, permissionsBoundaryArn, path } = args;
    const nameProblem = roleNameProblem(`${name}-role`);
    refuse(`the role "${name}"`, [
      ...misspeltArguments(TYPE, args),
      ...(nameProblem === undefined ? [] : [{ property: "name", reason: nameProblem }]),
      ...within("permissions", checkNodePermissions(permissions)),
      ...checkRoleExtension(args),
    ]);
    super(TYPE, name, {}, opts);
    const child = { parent: this };
    const tagged = (resourceName: string) =>
      pulumi.output(args.tags ?? {}).apply((more) => ({ Name: resourceName, ...more }));
    const { region } = aws.getRegionOutput({}, child);
    const role = new aws.iam.Role(
      `${name}-role`,
      {
        description: `Talos ${args.machines} machines`,
        assumeRolePolicy: region.apply((where) => JSON.stringify(planMachineTrust(where))),
        ...(permissionsBoundaryArn !== undefined && {
          permissionsBoundary: permissionsBoundaryArn,
        }),
        ...(path !== undefined && { path }),
        tags: tagged(`${name}-role`),
      },
      child,
    );
    const policy = new aws.iam.RolePolicy(
      `${name}-policy`,
      {
        role: role.name,
        policy: pulumi
          .all([region, args.clusterName, pulumi.output(permissions)])
          .apply(([where, clusterName, known]) =>
            orFailRun(this, () =>
              policyText(planNodePolicy({ region: where, clusterName }, known)),
            ),
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
