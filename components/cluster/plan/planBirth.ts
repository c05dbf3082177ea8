import type * as pulumi from "@pulumi/pulumi";
import { DEFAULT_POD_NETWORK, POD_NETWORK, POD_NETWORK_OUTAGE } from "../../../provider/config";
import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { ClusterRotation } from "../makers/makeRotation";

const ANOTHER_CLUSTER =
  "Make another cluster with it beside this one, move what runs here, then destroy this one";
const OTHER_ADDRESS = `it is part of the address of the Kubernetes API, which issues the tokens of all pods: API servers refuse those of the former address until each pod has a new one, and kubeconfigs keep it. ${ANOTHER_CLUSTER}`;

/**
 * The arguments that a cluster keeps from its birth, because Kubernetes or what controllers have made
 * does. Unlike those of `planImmutable`, a way back to the first value is none of a cluster's changes.
 * The machines' configurations are judged by the same settings, also where a patch changes them:
 * `provider/config/birth/birthSettings.ts`, which has the sources.
 *
 * @param name of the component, the default of the cluster's name
 */
export function planBirth(
  name: string,
  args: ChosenClusterArgs,
): {
  readonly values: Record<string, pulumi.Input<string>>;
  readonly reasons: Record<string, string>;
  readonly born: string[];
} {
  const { podCidrs, serviceCidrs } = args.facts.ranges;
  const values = {
    environment: args.environment,
    domain: args.domain,
    clusterName: args.clusterName ?? name,
    podCidrs: podCidrs.join(", "),
    serviceCidrs: serviceCidrs.join(", "),
    cni: args.facts.podNetwork.name,
  };
  const reasons: Record<keyof typeof values, string> = {
    environment: OTHER_ADDRESS,
    domain: OTHER_ADDRESS,
    clusterName: `AWS resources are found by it in tags, and what controllers have made under it keeps the old one: load balancers, volumes. ${ANOTHER_CLUSTER}`,
    podCidrs: `nodes keep the ranges that they have, and the controller manager ends at each start if one is outside of the new range: no pod is made any more, and traffic breaks by halves. ${ANOTHER_CLUSTER}`,
    serviceCidrs: `services keep their addresses, also "kubernetes" and the cluster's DNS, while new pods ask for names at an address of the new range. ${ANOTHER_CLUSTER}`,
    cni: `it is the pod network, which addOns.cilium sets too: ${POD_NETWORK_OUTAGE}`,
  };
  return { values, reasons, born: Object.keys(values) };
}

/**
 * What the machines' configurations may change of such settings: an accepted change of an argument is one
 * of the setting that comes from it. Other entries are settings by their own paths, for patches. The
 * discovery identity changes only in its rotation.
 *
 * @param identity of this stage of its rotation
 */
export function acceptedOfMachines(
  args: ChosenClusterArgs,
  identity: ClusterRotation["identity"],
): Record<string, pulumi.Input<string>> | undefined {
  const { acceptedChanges } = args;
  if (acceptedChanges === undefined) {
    return identity && { ...identity };
  }
  const { clusterName, podCidrs, serviceCidrs, environment, domain, cni } = acceptedChanges;
  const { podNetwork } = args.facts;
  const endpoint = `https://${args.facts.names.recordName}:${KUBERNETES_API_PORT}`;
  const settings: readonly (readonly [string, string | undefined])[] = [
    ["cluster.clusterName", clusterName],
    ["cluster.network.podSubnets", podCidrs],
    ["cluster.network.serviceSubnets", serviceCidrs],
    ["cluster.controlPlane.endpoint", (environment ?? domain) && endpoint],
    [
      POD_NETWORK,
      cni === podNetwork.name ? (podNetwork.cni?.name ?? DEFAULT_POD_NETWORK) : undefined,
    ],
  ];
  const given = settings.filter((each): each is readonly [string, string] => each[1] !== undefined);
  return { ...identity, ...acceptedChanges, ...Object.fromEntries(given) };
}
