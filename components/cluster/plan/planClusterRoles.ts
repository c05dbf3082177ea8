import type * as pulumi from "@pulumi/pulumi";
import { eachAddOn } from "../../addOns/addOnChoices";
import { type OwnRole, ownRole } from "../../addOns/addOnPermissions";
import type { AddOnName } from "../../addOns/registry";
import { defined } from "../../defined";
import type { NodeRoleArgs } from "../../permissions/nodeRole";
import { type KnownPermissions, planPermissions } from "../../permissions/planNodePolicy";
import { type PolicyDocument, type PolicyScope, policyOf } from "../../permissions/policyDocument";
import type { ClusterPlanInput } from "../arguments/chosenClusterArgs";
import type { ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";

/** The IAM role of machines. */
export interface MachineRolePlan {
  /** Its part of its resources' names: `control-plane`, the name of a pool, or `workers`. */
  readonly key: string;
  /** What the role is made with; undefined if none is made. */
  readonly made: Omit<NodeRoleArgs, "machines" | "clusterName" | "tags"> | undefined;
  /** The instance profile that exists already; undefined otherwise. */
  readonly instanceProfileName: pulumi.Input<string> | undefined;
}

/** The IAM role of an add-on, by its service account. */
export interface AddOnRolePlan extends OwnRole {
  readonly addOn: AddOnName;
}

/** The IAM roles in a cluster, with their permissions. */
export interface ClusterRoles {
  readonly controlPlane: MachineRolePlan;
  /** `workers` is the role of pools without one of their own. */
  readonly workers: readonly MachineRolePlan[];
  /** Those of add-ons, with `irsa`. */
  readonly addOns: readonly AddOnRolePlan[];
}

/** The key of the role that pools without one of their own share. */
export const SHARED_ROLE = "workers";

/** The IAM roles in a cluster. */
export function planClusterRoles(args: ClusterPlanInput): ClusterRoles {
  const pools = Object.entries(args.workerPools);
  const isShared = pools.some(([, { role }]) => role === undefined);
  return {
    controlPlane: planMachineRole("control-plane", args.controlPlane.role),
    workers: [
      ...(isShared ? [planMachineRole(SHARED_ROLE, args.workers.role)] : []),
      ...pools.flatMap(([name, { role }]) =>
        role === undefined ? [] : [planMachineRole(name, role)],
      ),
    ],
    addOns: eachAddOn(args.addOns ?? {}, (addOn, module, choice) => {
      const role = ownRole(module, choice, args.facts.addOnCluster);
      return role === undefined ? [] : [{ addOn, ...role }];
    }),
  };
}

/** The IAM role of machines: made, adopted, or none. */
export function planMachineRole(key: string, given: ClusterRoleArgs = {}): MachineRolePlan {
  const { none = false, instanceProfileName, ...choices } = given;
  const isMade = !none && instanceProfileName === undefined;
  return { key, made: isMade ? defined(choices) : undefined, instanceProfileName };
}

/** The policy of an add-on's role. */
export function addOnPolicy(scope: PolicyScope, permissions: KnownPermissions): PolicyDocument {
  return policyOf(planPermissions(scope, permissions));
}
