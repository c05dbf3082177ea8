import type { HealthGate } from "../../../provider";
import { firewallOf, podNetworkOf } from "../../addOns/addOnOptions";
import { defined } from "../../defined";
import type { ClusterChoices } from "../arguments/chosenClusterArgs";

/** The pod network and the firewall of a cluster with its add-ons. */
export function networkWithAddOns(
  args: ClusterChoices,
): Pick<ClusterChoices, "cni" | "cniManifests" | "healthGates" | "firewall"> {
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
