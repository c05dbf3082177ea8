import type * as pulumi from "@pulumi/pulumi";
import { ImmutableArguments } from "../../../provider";
import { defined } from "../../defined";
import { Firewall } from "../../firewall/firewall";
import { Network } from "../../network/network";
import { planBirth } from "../plan/planBirth";
import type { ClusterPlan } from "../plan/planCluster";
import { planImmutable } from "../plan/planImmutable";
import { planRemovals } from "../plan/planRemovals";
import { type ClusterEntrances, makeApiLoadBalancers } from "./makeApiLoadBalancers";

/** The network of a cluster, and the ways into it. */
export interface ClusterSurroundings {
  readonly network: Network;
  readonly firewall: Firewall;
  readonly entrances: ClusterEntrances;
}

/**
 * Makes the resources that exist before the machines. The first of them refuses changes that AWS or Kubernetes
 * can't make.
 *
 * @param child options of a child of the cluster
 */
export function makeSurroundings(
  name: string,
  clusterName: pulumi.Output<string>,
  args: ClusterPlan,
  child: pulumi.ComponentResourceOptions,
): ClusterSurroundings {
  const { tags, protect } = args;
  const [ofAws, ofBirth] = [planImmutable(args), planBirth(name, args)];
  const immutable = new ImmutableArguments(
    `${name}-immutable`,
    {
      ...ofAws,
      values: { ...ofAws.values, ...ofBirth.values },
      reasons: { ...ofAws.reasons, ...ofBirth.reasons },
      born: ofBirth.born,
      removals: planRemovals(args),
    },
    child,
  );
  const network = new Network(
    `${name}-network`,
    defined({ clusterName, ...args.network, ...args.facts.ranges, protect, tags }),
    // If a change is refused, nothing in AWS is touched, also without a preview.
    { ...child, dependsOn: immutable },
  );
  const firewall = new Firewall(
    `${name}-firewall`,
    defined({
      ...args.facts.firewall,
      clusterName,
      vpcId: network.vpcId,
      adopt: args.firewall?.adopt,
      tags,
    }),
    child,
  );
  const entrances = makeApiLoadBalancers(name, args, { network, firewall }, child);
  return { network, firewall, entrances };
}
