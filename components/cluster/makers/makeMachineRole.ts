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
 * @param name of a role that is made
 * @param of the machines, for a role that is made
 * @param child options of a child of the cluster
 */
export function makeMachineRole(
  name: string,
  { made, instanceProfileName }: Omit<MachineRolePlan, "key">,
  of: Pick<NodeRoleArgs, "machines" | "clusterName"> & {
    readonly tags: NodeRoleArgs["tags"] | undefined;
  },
  child: pulumi.ComponentResourceOptions,
): MachineRole {
  if (made === undefined) {
    return defined({ profile: instanceProfileName });
  }
  const role = new NodeRole(name, defined({ ...of, ...made }), child);
  return { profile: role.instanceProfileName, role };
}
