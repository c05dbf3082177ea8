import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import { NodeRole, type NodeRoleArgs } from "../../permissions/nodeRole";
import type { ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";

/** The instance profile of machines, and the role if one was made. */
export interface MachineRole {
  readonly profile?: pulumi.Input<string>;
  readonly role?: NodeRole;
}

/**
 * The instance profile of machines: made, adopted, or none.
 *
 * @param of the machines, for a role that is made
 * @param child options of a child of the cluster
 */
export function makeMachineRole(
  childName: string,
  given: ClusterRoleArgs = {},
  of: Pick<NodeRoleArgs, "machines" | "clusterName"> & {
    readonly tags: NodeRoleArgs["tags"] | undefined;
  },
  child: pulumi.ComponentResourceOptions,
): MachineRole {
  const { none = false, instanceProfileName, ...choices } = given;
  if (none || instanceProfileName !== undefined) {
    return defined({ profile: instanceProfileName });
  }
  const role = new NodeRole(childName, defined({ ...of, ...choices }), child);
  return { profile: role.instanceProfileName, role };
}
