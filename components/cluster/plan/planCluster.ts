import type * as pulumi from "@pulumi/pulumi";
import { planNetworkSubnets } from "../../network/planNetworkSubnets";
import type { SubnetPlan } from "../../network/planSubnets";
import { withAddOns } from "../addOns/withAddOns";
import type { ChosenClusterArgs, ClusterPlanInput } from "../arguments/chosenClusterArgs";
import { type ClusterMachines, planClusterMachines } from "./planClusterMachines";
import { type ClusterRoles, planClusterRoles } from "./planClusterRoles";
import { withSecretsKeys } from "./planSecretsKeys";

/** A cluster's arguments with what its add-ons need, and with all that follows. Makers read it, and decide nothing again. */
export type ClusterPlan = ClusterPlanInput & {
  /** The subnets that are made. */
  readonly subnets: readonly SubnetPlan[];
  readonly machines: ClusterMachines;
  readonly permissions: ClusterRoles;
};

/**
 * Plans a cluster. The arguments must have been checked.
 *
 * @param region the cluster's region, asked only if an add-on needs it
 */
export function planCluster(
  chosen: ChosenClusterArgs,
  region: () => pulumi.Output<string>,
): ClusterPlan {
  const args = withSecretsKeys(withAddOns(chosen, region));
  return {
    ...args,
    subnets: planNetworkSubnets(args.network),
    machines: planClusterMachines(args),
    permissions: planClusterRoles(args),
  };
}
