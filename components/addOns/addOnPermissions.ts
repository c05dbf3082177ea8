import type { NodePermissions } from "../permissions/nodePermissions";
import { type AddOnChoices, eachAddOn, isOurs } from "./addOnChoices";
import type { AddOn } from "./common/addOn";
import type { AddOnCluster } from "./common/addOnCluster";
import type { AddOnName } from "./registry";

/** An IAM role of an add-on. */
export interface OwnRole {
  /** The service account that assumes it. */
  readonly account: string;
  /** The last part of the names of the role's resources. */
  readonly roleName: string;
  readonly permissions: NodePermissions;
}

/** The IAM role of an add-on; undefined if its pods use that of their machine. */
export function ownRole<Args extends object>(
  addOn: AddOn<Args>,
  args: Args,
  cluster: AddOnCluster,
): OwnRole | undefined {
  const { aws } = addOn;
  return aws?.identity !== undefined && cluster.hasOwnRoles && isOurs(addOn, args)
    ? { ...aws.identity, permissions: aws.permissions(args, cluster) }
    : undefined;
}

/** The permissions that control plane machines need, by add-on. */
export function permissionsByAddOn(
  choices: AddOnChoices,
  cluster: AddOnCluster,
): Partial<Record<AddOnName, NodePermissions>> {
  const needed = eachAddOn(choices, (name, addOn, args) => {
    const { aws } = addOn;
    const isElsewhere = aws?.isAnywhere?.(args) === true && !cluster.runsWorkloads;
    return aws === undefined || isElsewhere || ownRole(addOn, args, cluster) !== undefined
      ? []
      : [[name, aws.permissions(args, cluster)] as const];
  });
  return Object.fromEntries(needed);
}

/** The permissions that control plane machines need for the add-ons. */
export function controlPlanePermissions(
  choices: AddOnChoices,
  cluster: AddOnCluster,
): NodePermissions {
  return joined(Object.values(permissionsByAddOn(choices, cluster)));
}

/** The permissions that workers need for the add-ons. */
export function workerPermissions(choices: AddOnChoices, cluster: AddOnCluster): NodePermissions {
  return joined(
    eachAddOn(choices, (_name, { aws }, args) =>
      aws?.isAnywhere?.(args) === true ? [aws.permissions(args, cluster)] : [],
    ),
  );
}

function joined(permissions: readonly NodePermissions[]): NodePermissions {
  return Object.assign({}, ...permissions) as NodePermissions;
}
