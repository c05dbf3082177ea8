import type { FirstDelivery } from "../../../provider";
import type { FirstContactChoice } from "../../machines/machineConsole";
import type { SubnetTier } from "../../network/planSubnets";
import type { PropertyProblem } from "../../problems";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import type { ClusterFacts } from "./clusterFacts";

/** How the machines of a control plane are reached. It follows from the arguments alone. */
export interface MachineAccess {
  readonly subnets: SubnetTier;
  readonly delivery: FirstDelivery;
  /**
   * The name to dial for every machine, if a load balancer forwards the Talos API to the machine's
   * private address. Undefined: each machine is dialled directly.
   */
  readonly endpoint: string | undefined;
  /** By what a new machine is trusted that waits for its configuration; undefined if none does. */
  readonly firstContact: FirstContactChoice | undefined;
  /** The keys of the zones that the machines can be in. */
  readonly zoneKeys: readonly string[];
}

/** How a cluster's control plane machines are reached. */
export function planMachineAccess(
  args: Pick<TalosClusterArgs, "controlPlane" | "talosApiThroughLoadBalancer">,
  { names, zones }: Pick<ClusterFacts, "names" | "zones">,
): MachineAccess {
  const { controlPlane = {} } = args;
  const { subnets = "public", delivery = "apply", firstContact = "console" } = controlPlane;
  return {
    subnets,
    delivery,
    endpoint: args.talosApiThroughLoadBalancer === true ? names.recordName : undefined,
    firstContact: delivery === "apply" ? firstContact : undefined,
    zoneKeys: zones[subnets],
  };
}

/**
 * Whether the Kubernetes API admits machines with public addresses that nobody knows before. A public load balancer allows
 * only known ones.
 */
export function admitsUnknownAddresses({
  exposure = "public",
  allowWorldToKubernetesApi = false,
}: Pick<TalosClusterArgs, "exposure" | "allowWorldToKubernetesApi">): boolean {
  return exposure === "internal" || exposure === "both" || allowWorldToKubernetesApi;
}

/** All problems of the ways to a cluster's machines and between them. */
export function checkMachineAccess(args: ChosenClusterArgs): PropertyProblem[] {
  const { exposure = "public", network, controlPlane = {}, facts } = args;
  const { subnets, delivery } = facts.access;
  const hasPublicSubnets = facts.zones.public.length > 0;
  const isIsolated = network.internetAccess === false;
  const throughLoadBalancer = args.talosApiThroughLoadBalancer === true;
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string) => {
    problems.push({ property, reason });
  };
  if (subnets === "private") {
    problems.push(...checkWayOut(args));
    if (exposure === "direct" && !isIsolated) {
      say(
        "exposure",
        `"direct" leads to the machines' public addresses, which they don't have in private subnets: set exposure "internal", "both" or "public", or leave controlPlane.subnets out`,
      );
    } else if (exposure === "public" && !throughLoadBalancer && !isIsolated) {
      say(
        "controlPlane.subnets",
        `machines in private subnets can't be reached from outside the network: set talosApiThroughLoadBalancer with controlPlane.delivery "userData"; or run in the network, and set exposure "internal" or "both"`,
      );
    }
    if (!hasPublicSubnets && ["public", "both"].includes(exposure) && !isIsolated) {
      say(
        "network.adopt.publicSubnetIds",
        `no public subnet is given, and the public load balancer lies in those: name one for each zone, or set exposure "internal"`,
      );
    }
    if (controlPlane.fixedAddresses === true) {
      say(
        "controlPlane.fixedAddresses",
        `machines in private subnets have no public addresses to keep, and keep their private ones: leave this out`,
      );
    }
  } else if (!hasPublicSubnets && !isIsolated) {
    say(
      "network.adopt.publicSubnetIds",
      `no public subnet is given, and the cluster's machines lie in those: name one for each zone, or set controlPlane.subnets "private"`,
    );
  }
  if (throughLoadBalancer && exposure !== "direct" && delivery === "apply") {
    say(
      "talosApiThroughLoadBalancer",
      `a machine that waits for its first configuration can't be reached through a load balancer: set controlPlane.delivery "userData"`,
    );
  }
  if (exposure === "direct" && delivery === "userData") {
    say(
      "controlPlane.delivery",
      `machines with "userData" look up the cluster's name before it has their addresses, and AWS' resolvers then remember that it doesn't exist: set "apply", or another exposure`,
    );
  }
  return problems;
}

/**
 * Whether machines in the private subnets of an adopted network reach a public load balancer, which
 * allows only known addresses. Addresses within the Kubernetes API's own ranges can't be told
 * apart.
 */
export function checkAdoptedNat(args: TalosClusterArgs): PropertyProblem[] {
  const { exposure = "public", network, controlPlane, workerPools = {} } = args;
  const isPrivate = [controlPlane, ...Object.values(workerPools)].some(
    (machines) => machines?.subnets === "private",
  );
  const isLetIn =
    exposure === "internal" ||
    exposure === "both" ||
    args.allowWorldToKubernetesApi === true ||
    args.kubernetesApiCidrs !== undefined ||
    network.adopt?.natAddresses !== undefined ||
    network.internetAccess === false;
  if (network.adopt === undefined || !isPrivate || isLetIn) {
    return [];
  }
  const reason = `machines in private subnets reach the Kubernetes API, whose exposure is "${exposure}", by the addresses of the network's NAT, and those aren't known: give them by zone, as in {"us-east-1a": "203.0.113.7"}; or {} if operatorCidrs holds them; or set exposure "both"`;
  return [{ property: "network.adopt.natAddresses", reason }];
}

function checkWayOut({ network, facts }: ChosenClusterArgs): PropertyProblem[] {
  const { adopt, nat = "none", internetAccess = true } = network;
  if (adopt === undefined) {
    const reason = `machines in private subnets have no way out to images, time and each other's discovery: set nat "single" or "perZone", or leave controlPlane.subnets out, or do without the internet and set internetAccess false`;
    return nat === "none" && internetAccess ? [{ property: "network.nat", reason }] : [];
  }
  const reason = `no private subnet is given, and the cluster's machines lie in those: name one for each zone, with a way out to the internet`;
  return facts.zones.private.length === 0
    ? [{ property: "network.adopt.privateSubnetIds", reason }]
    : [];
}
