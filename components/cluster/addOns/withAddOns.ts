import * as pulumi from "@pulumi/pulumi";
import type { AddOnChoices } from "../../addOns/addOnChoices";
import {
  controlPlaneOptions,
  manifestUrls,
  nodeOptions,
  otherManifests,
} from "../../addOns/addOnOptions";
import { controlPlanePermissions } from "../../addOns/addOnPermissions";
import { defined } from "../../defined";
import type { ChosenClusterArgs, ClusterPlanInput } from "../arguments/chosenClusterArgs";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import { permit, workersWithAddOns } from "./workersWithAddOns";

type Given<Item> = pulumi.Input<readonly pulumi.Input<Item>[] | undefined>;

/**
 * Adds what the add-ons need to a cluster's other arguments: manifests, machine configuration,
 * permissions. The arguments must have been checked.
 *
 * @param region the cluster's region, asked only if an add-on needs it
 */
export function withAddOns(
  args: ChosenClusterArgs,
  region: () => pulumi.Output<string>,
): ClusterPlanInput {
  const { addOns, facts, machineConfiguration = {}, controlPlane = {} } = args;
  const { workers = {}, workerPools = {} } = args;
  if (addOns === undefined) {
    return { ...args, machineConfiguration, controlPlane, workers, workerPools };
  }
  return defined({
    ...args,
    machineConfiguration: configure(args, addOns, region),
    controlPlane: defined({
      ...controlPlane,
      role: permit(controlPlane.role, controlPlanePermissions(addOns, facts.addOnCluster)),
    }),
    ...workersWithAddOns(args, addOns),
  });
}

function configure(
  args: ChosenClusterArgs,
  addOns: AddOnChoices,
  region: () => pulumi.Output<string>,
): ClusterMachineConfigurationArgs {
  const { machineConfiguration: given = {}, kubernetesVersion } = args;
  const urls = pulumi.output(kubernetesVersion).apply((version) => manifestUrls(addOns, version));
  const delivery = { to: "machineConfiguration", asked: args.addOnDelivery } as const;
  const inline = otherManifests(addOns, args.facts.addOnCluster, delivery, region);
  return defined({
    ...given,
    extraManifests: join(urls, given.extraManifests),
    inlineManifests:
      inline.length === 0 ? given.inlineManifests : join(inline, given.inlineManifests),
    ...nodeOptions(given, addOns),
    ...controlPlaneOptions(given, addOns),
  });
}

/** Two lists as one. */
export function join<Item>(first: Given<Item>, second: Given<Item>): pulumi.Output<Item[]> {
  return pulumi
    .all([pulumi.output(first), pulumi.output(second)])
    .apply(([some = [], more = []]) => [...some, ...more] as Item[]);
}
