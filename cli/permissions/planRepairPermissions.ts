import { anywhere, type Grant, grant } from "./grant";
import { findScope, grantedResource, type KnownResource } from "./grantedResources";
import { grantsOf, LOOKUPS, lookUpsOf, merge, type StackPermissions } from "./planPermissions";

/** A resource of a stack, with its place in the program. */
export type PlacedResource = KnownResource & { readonly urn: string };

/** The component of a pool with a fixed number of machines, in the URN of what it creates. */
const FIXED_POOL = "talos-aws:index:WorkerPool$";

const GROUP = "aws:autoscaling/group:Group";
const ROLE = "aws:iam/role:Role";
const PROFILE = "aws:iam/instanceProfile:InstanceProfile";

/**
 * Plans the policy for `talos-aws repair --machines` on a stack. It reads what EC2 and groups say of machines, and tells
 * groups which are broken. With fixed pools, the engine replaces machines: that needs what their resources need, the
 * roles of their machines, and what a preview looks up. Nothing else of the stack may be changed.
 *
 * @param resources recorded ones
 */
export function planRepairPermissions(resources: readonly PlacedResource[]): StackPermissions {
  const scope = findScope(resources);
  const fixed = resources.filter(
    ({ urn, type }) => urn.includes(FIXED_POOL) && type.startsWith("aws:"),
  );
  const groups = resources.filter(({ type }) => type === GROUP);
  const grants = [
    anywhere("ec2", "DescribeInstances", "DescribeInstanceStatus"),
    ...groups.flatMap((group) => groupGrants(grantedResource(group, scope))),
    ...(fixed.length === 0
      ? []
      : [
          ...LOOKUPS,
          ...lookUpsOf(resources, scope),
          ...fixed.flatMap((each) => grantsOf(each, scope)),
          ...passedRoles(fixed, resources).flatMap((role) =>
            grantsOf(role, scope).filter(({ actions }) => actions.includes("iam:PassRole")),
          ),
        ]),
  ];
  return {
    document: { Version: "2012-10-17", Statement: merge(grants) },
    unknownTypes: [],
    gaps: [
      'this is for "repair --machines" alone: with it, an update of anything else fails, and so does what "up" does after a killed run for other resources',
    ],
  };
}

function groupGrants({ scope, text }: ReturnType<typeof grantedResource>): readonly Grant[] {
  const { partition, region, account } = scope;
  const group = `arn:${partition}:autoscaling:${region}:${account}:autoScalingGroup:*:autoScalingGroupName/${text("name")}`;
  return [
    anywhere("autoscaling", "DescribeAutoScalingGroups", "DescribeInstanceRefreshes"),
    grant("autoscaling", ["SetInstanceHealth"], [group]),
  ];
}

/** The roles that new machines of fixed pools get, by the names of their profiles. */
function passedRoles(
  fixed: readonly KnownResource[],
  resources: readonly KnownResource[],
): readonly KnownResource[] {
  const profiles = new Set(fixed.map(({ inputs }) => inputs.iamInstanceProfile));
  const roles = new Set(
    resources
      .filter(({ type, inputs }) => type === PROFILE && profiles.has(inputs.name))
      .map(({ inputs }) => inputs.role),
  );
  return resources.filter(({ type, inputs }) => type === ROLE && roles.has(inputs.name));
}
