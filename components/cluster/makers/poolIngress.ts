import type * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import { checkIngressLoadBalancer, IngressLoadBalancer } from "../../endpoint/ingressLoadBalancer";
import type { Firewall } from "../../firewall/firewall";
import type { Network } from "../../network/network";
import { subnetIn } from "../../network/subnetIn";
import { type PropertyProblem, within } from "../../problems";
import type { PoolTarget } from "../../workers/poolSettings";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { ClusterWorkerPoolArgs } from "../arguments/clusterWorkersArgs";
import { ingressZones, subnetsOf } from "../plan/workerZones";

/**
 * Creates the load balancer in front of a pool; undefined without one.
 *
 * @param child options of a child of the cluster
 */
export function makePoolIngress(
  childName: string,
  pool: ClusterWorkerPoolArgs,
  args: ChosenClusterArgs,
  { network, firewall }: { readonly network: Network; readonly firewall: Firewall },
  child: pulumi.ComponentResourceOptions,
): IngressLoadBalancer | undefined {
  const { ingress } = pool;
  if (ingress === undefined) {
    return undefined;
  }
  const { tier, zoneKeys } = ingressZones(pool, args.facts.zones);
  const subnets = subnetsOf(network, tier);
  return new IngressLoadBalancer(
    childName,
    defined({
      ...ingress,
      vpcId: network.vpcId,
      subnetIds: zoneKeys.map((key) => subnetIn(subnets, key)),
      machineGroupId: firewall.workerGroupId,
      protect: args.protect,
      tags: args.tags,
    }),
    child,
  );
}

/** A pool's target groups: the given ones, and those of its load balancer. */
export function withIngress(
  given: Readonly<Record<string, PoolTarget>> | undefined,
  ingress: IngressLoadBalancer | undefined,
): Readonly<Record<string, PoolTarget>> | undefined {
  const own = Object.entries(ingress?.targets ?? {}).map(
    ([key, target]) => [targetKey(key), target] as const,
  );
  return own.length === 0 ? given : { ...given, ...Object.fromEntries(own) };
}

/** All problems of the load balancer in front of a pool. */
export function checkPoolIngress(
  childName: string,
  pool: ClusterWorkerPoolArgs,
  args: ChosenClusterArgs,
): PropertyProblem[] {
  const { ingress } = pool;
  if (ingress === undefined) {
    return [];
  }
  const { adopt } = args.firewall ?? {};
  const problems = checkIngressLoadBalancer(childName, ingress);
  const say = (property: string, reason: string) => {
    problems.push({ property, reason });
  };
  if (adopt !== undefined && adopt.makeRules !== true) {
    const reason = `the cluster adds no rules to adopted security groups, so machines would let none of its connections in: set firewall.adopt.makeRules, or make an IngressLoadBalancer of your own and open its ports`;
    say("listeners", reason);
  }
  if (args.network.internetAccess === false && ingress.internal !== true) {
    const reason = `a public load balancer needs an internet gateway, and network.internetAccess is false: set internal`;
    say("internal", reason);
  } else if (ingressZones(pool, args.facts.zones).zoneKeys.length === 0) {
    const reason = `no zone of the pool has a public subnet for it: set internal with machines in private subnets, or add public subnets`;
    say("internal", reason);
  }
  for (const key of Object.keys(ingress.listeners)) {
    if (pool.targets?.[targetKey(key)] !== undefined) {
      say(`listeners["${key}"]`, `the pool's targets have "${targetKey(key)}": rename one of them`);
    }
  }
  return within("ingress", problems);
}

/** The key of a load balancer's target group among those of the pool. */
function targetKey(listener: string): string {
  return `ingress-${listener}`;
}
