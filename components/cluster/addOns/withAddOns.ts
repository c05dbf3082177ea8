import * as pulumi from "@pulumi/pulumi";
import type { HealthGate } from "../../../provider";
import type { AddOnChoices } from "../../addOns/addOnChoices";
import {
  controlPlaneOptions,
  firewallOf,
  manifestUrls,
  nodeOptions,
  otherManifests,
  podNetworkOf,
} from "../../addOns/addOnOptions";
import { controlPlanePermissions } from "../../addOns/addOnPermissions";
import { defined } from "../../defined";
import type { ChosenClusterArgs, ClusterPlanInput } from "../arguments/chosenClusterArgs";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import { addOnClusterOf } from "./chooseAddOns";
import { permit, workersWithAddOns } from "./workersWithAddOns";

/** A list that is an argument. */
type Given<Item> = pulumi.Input<readonly pulumi.Input<Item>[] | undefined>;

/**
 * Adds what the add-ons need to a cluster's other arguments: manifests, machine configuration,
 * permissions, firewall rules, pod network. The arguments must have been checked.
 *
 * @param region the cluster's region, asked only if an add-on needs it
 */
export function withAddOns(
  args: ChosenClusterArgs,
  region: () => pulumi.Output<string>,
): ClusterPlanInput {
  const { addOns, machineConfiguration = {}, controlPlane = {} } = args;
  const { workers = {}, workerPools = {} } = args;
  if (addOns === undefined) {
    return { ...args, machineConfiguration, controlPlane, workers, workerPools };
  }
  const cluster = addOnClusterOf(args);
  return defined({
    ...args,
    ...networkWithAddOns(args),
    machineConfiguration: configure(args, addOns, region),
    controlPlane: defined({
      ...controlPlane,
      role: permit(controlPlane.role, controlPlanePermissions(addOns, cluster)),
    }),
    ...workersWithAddOns(args, addOns, cluster),
  });
}

/** The pod network and the firewall of a cluster with its add-ons. */
export function networkWithAddOns(
  args: ChosenClusterArgs,
): Pick<ChosenClusterArgs, "cni" | "cniManifests" | "healthGates" | "firewall"> {
  const { addOns = {}, cni, cniManifests, healthGates, firewall } = args;
  const network = podNetworkOf(addOns);
  const ports = firewallOf(addOns, firewall?.monitoring);
  return defined({
    cni,
    cniManifests,
    ...network,
    // A network that is part of the configuration is ready together with the nodes.
    healthGates:
      healthGates ?? (network && (["etcd", "apiServer", "nodesReady"] satisfies HealthGate[])),
    firewall: Object.keys(ports).length === 0 ? firewall : { ...firewall, ...ports },
  });
}

function configure(
  args: ChosenClusterArgs,
  addOns: AddOnChoices,
  region: () => pulumi.Output<string>,
): ClusterMachineConfigurationArgs {
  const { machineConfiguration: given = {}, kubernetesVersion } = args;
  const urls = pulumi.output(kubernetesVersion).apply((version) => manifestUrls(addOns, version));
  const inline = otherManifests(addOns, args, "machineConfiguration", region);
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
