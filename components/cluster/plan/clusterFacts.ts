import { DEFAULT_POD_NETWORK } from "../../../provider/config";
import type { AddOnCluster } from "../../addOns/common/addOnCluster";
import { type DnsNames, dnsNames } from "../../endpoint/dnsNames";
import {
  type FirewallChoices,
  type FirewallRule,
  planFirewallRules,
} from "../../firewall/planFirewallRules";
import type { ClusterCni } from "../../firewall/podNetworkPorts";
import { type NatGatewayPlan, planNatGateways } from "../../network/planNatGateways";
import { planZones } from "../../network/planSubnets";
import { addOnClusterOf } from "../addOns/addOnClusterOf";
import { networkWithAddOns } from "../addOns/networkWithAddOns";
import type { ClusterChoices } from "../arguments/chosenClusterArgs";
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
import { type PlannedSecretsEncryption, planSecretsEncryption } from "./planSecretsKeys";
import { type ClusterZones, clusterZones } from "./workerZones";

/** What follows from a cluster's arguments and add-ons alone. Checks, plan and makers read it. */
export interface ClusterFacts {
  /** The DNS names of the Kubernetes API and of its zone. */
  readonly names: DnsNames;
  readonly zones: ClusterZones;
  readonly natGateways: readonly NatGatewayPlan[];
  /** How control plane machines are reached, and by what a new one is trusted. */
  readonly access: MachineAccess;
  readonly ranges: ClusterRanges;
  readonly podNetwork: Pick<PodNetworkPlan, "cni"> & {
    /** Which one it is, whoever brings it. */
    readonly name: ClusterCni;
  };
  /** What `up` waits for at its end. Undefined: everything. */
  readonly healthGates: TalosClusterArgs["healthGates"];
  /** Undefined without IAM roles for service accounts. */
  readonly irsa: ClusterIrsa | undefined;
  /** Undefined if no key in KMS encrypts or reads Secrets. */
  readonly secretsEncryption: PlannedSecretsEncryption | undefined;
  /** What the add-ons ask of the other arguments. */
  readonly addOnCluster: AddOnCluster;
  readonly firewall: FirewallChoices;
  readonly firewallRules: readonly FirewallRule[];
  readonly mostNodes: number;
}

/**
 * The facts of a cluster, once for its checks, its plan and its makers. The arguments may have problems:
 * each check decides which facts mean something.
 */
export function clusterFacts(args: ClusterChoices): ClusterFacts {
  const names = dnsNames(args);
  const zones = clusterZones(args.network);
  const irsa = clusterIrsa(args);
  const ranges = clusterRanges(args);
  const whole = { ...args, ...networkWithAddOns(args) };
  const { cni, healthGates } = planPodNetwork(whole);
  const firewall = clusterFirewall(whole);
  return {
    names,
    zones,
    natGateways: natGatewaysOf(args),
    access: planMachineAccess(args, { names, zones }),
    ranges,
    podNetwork: { cni, name: whole.cni ?? DEFAULT_POD_NETWORK },
    healthGates: whole.healthGates ?? healthGates,
    irsa,
    secretsEncryption: planSecretsEncryption(args),
    addOnCluster: addOnClusterOf(args, { names, irsa, ranges }),
    firewall,
    firewallRules: planFirewallRules(firewall),
    mostNodes: mostNodes(args),
  };
}

function natGatewaysOf({ network }: ClusterChoices): NatGatewayPlan[] {
  const { adopt, nat = "none", natZone } = network;
  const zoneKeys = adopt === undefined ? planZones(network).map(({ key }) => key) : [];
  return planNatGateways(zoneKeys, nat, natZone);
}
