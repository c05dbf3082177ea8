import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import { NodeRole, type NodeRoleArgs } from "../../permissions/nodeRole";
import type { MachineRolePlan } from "../plan/planClusterRoles";

/** The instance profile of machines, and the role if one was made. */
export interface MachineRole {
  readonly profile?: pulumi.Input<string>;
  readonly role?: NodeRole;
}

/**
 * The instance profile of machines: made, adopted, or none.
 *
 * @param name of the cluster
 * @param of the machines, for a role that is made
 * @param child options of a child of the cluster
 */
export function makeMachineRole(
  name: string,
  { key, made, instanceProfileName }: MachineRolePlan,
  of: Pick<NodeRoleArgs, "machines" | "clusterName"> & {
    readonly tags: NodeRoleArgs["tags"] | undefined;
  },
  child: pulumi.ComponentResourceOptions,
): MachineRole {
  if (made === undefined) {
    return defined({ profile: instanceProfileName });
  }
  const role = new NodeRole(`${name}-${key}`, defined({ ...of, ...made }), child);
  return { profile: role.instanceProfileName, role };
}
