import type * as pulumi from "@pulumi/pulumi";
import type { AddOnCluster } from "../../addOns/common/addOnCluster";
import { type DnsNames, dnsNames } from "../../endpoint/dnsNames";
import {
  type FirewallChoices,
  type FirewallRule,
  planFirewallRules,
} from "../../firewall/planFirewallRules";
import { addOnClusterOf } from "../addOns/chooseAddOns";
import { withAddOns } from "../addOns/withAddOns";
import type { ChosenClusterArgs, ClusterPlanInput } from "../arguments/chosenClusterArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterFirewall } from "./clusterFirewall";
import { type ClusterIrsa, clusterIrsa } from "./clusterIrsa";
import { mostNodes } from "./mostNodes";
import { type MachineAccess, planMachineAccess } from "./planMachineAccess";
import {
  type ClusterRanges,
  clusterRanges,
  planPodNetwork,
  type PodNetworkPlan,
} from "./planPodNetwork";

/** What follows from a cluster's arguments alone. */
export interface ClusterFacts {
  /** The DNS names of the Kubernetes API and of its zone. */
  readonly names: DnsNames;
  /** How control plane machines are reached, and by what a new one is trusted. */
  readonly access: MachineAccess;
  readonly ranges: ClusterRanges;
  readonly podNetwork: Pick<PodNetworkPlan, "cni">;
  /** What `up` waits for at its end. Undefined: everything. */
  readonly healthGates: TalosClusterArgs["healthGates"];
  /** Undefined without IAM roles for service accounts. */
  readonly irsa: ClusterIrsa | undefined;
  /** What the add-ons asked of the arguments that the program gave. */
  readonly addOnCluster: AddOnCluster;
  readonly firewall: FirewallChoices;
  readonly firewallRules: readonly FirewallRule[];
  /** The most nodes that the cluster can have. */
  readonly mostNodes: number;
}

/** A cluster's arguments with what its add-ons need, and with all that follows. Makers read it, and decide nothing again. */
export type ClusterPlan = ClusterPlanInput & {
  readonly facts: ClusterFacts;
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
  const args = withAddOns(chosen, region);
  const { cni, healthGates } = planPodNetwork(args);
  const firewall = clusterFirewall(args);
  const facts: ClusterFacts = {
    names: dnsNames(args),
    access: planMachineAccess(args),
    ranges: clusterRanges(args),
    podNetwork: { cni },
    healthGates: args.healthGates ?? healthGates,
    irsa: clusterIrsa(args),
    addOnCluster: addOnClusterOf(chosen),
    firewall,
    firewallRules: planFirewallRules(firewall),
    mostNodes: mostNodes(args),
  };
  return { ...args, facts };
}
