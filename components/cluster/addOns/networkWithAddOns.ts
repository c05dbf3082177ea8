import type { HealthGate } from "../../../provider";
import { monitoringWith, podNetworkOf } from "../../addOns/addOnOptions";
import { defined } from "../../defined";
import type { ClusterChoices } from "../arguments/chosenClusterArgs";

/** The pod network and the firewall of a cluster with its add-ons. */
export function networkWithAddOns(
  args: ClusterChoices,
): Pick<ClusterChoices, "cni" | "cniManifests" | "healthGates" | "firewall"> {
  const { addOns = {}, cni, cniManifests, healthGates, firewall } = args;
  const network = podNetworkOf(addOns);
  const monitoring = monitoringWith(firewall?.monitoring, addOns);
  return defined({
    cni,
    cniManifests,
    ...network,
    // A network that is part of the configuration is ready together with the nodes.
    healthGates:
      healthGates ?? (network && (["etcd", "apiServer", "nodesReady"] satisfies HealthGate[])),
    firewall: monitoring === undefined ? firewall : { ...firewall, monitoring },
  });
}
