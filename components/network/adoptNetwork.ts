import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { recordedAnswers } from "../account/recordedAnswers";
import { clusterTag } from "../clusterTag";
import { orFailRun } from "../failRun";
import { inspectAdoptedNetwork } from "./adoptedNetwork";
import { areZonesInRegion } from "./areZonesInRegion";
import type { NetworkChoices } from "./networkArgs";
import type { AdoptedNetworkArgs } from "./networkArgs";
import {
  type NetworkParts,
  type NetworkScope,
  type NetworkSubnet,
  ROLE_TAGS,
} from "./networkScope";
import type { SubnetTier } from "./planSubnets";

/**
 * Uses an existing network. It is checked as soon as its ids are known, also in a preview. Its id
 * is passed on only after the check.
 */
export function adoptNetwork(
  scope: NetworkScope,
  adopt: AdoptedNetworkArgs,
  cluster: Pick<NetworkChoices, "podCidrs" | "serviceCidrs">,
): NetworkParts {
  const { publicSubnetIds = {}, privateSubnetIds = {} } = adopt;
  const invoking = { parent: scope.parent };
  // A preview without an account has the ids of the program, and can't look at what they name.
  const answers = recordedAnswers();
  const vpcId = pulumi
    .all([
      adopt.vpcId,
      publicSubnetIds,
      privateSubnetIds,
      areZonesInRegion({ adopt }, scope.parent),
    ])
    .apply(async ([id, ofPublic, ofPrivate, isHere]) => {
      if (!isHere) {
        // An output of it is unknown. In another region AWS would know none of the ids.
        return pulumi.unknown as string;
      }
      if (answers !== undefined) {
        return id;
      }
      const ids = { vpcId: id, publicSubnetIds: ofPublic, privateSubnetIds: ofPrivate };
      return orFailRun(scope.parent, async () => {
        await inspectAdoptedNetwork(ids, cluster, {
          getVpc: (query) => aws.ec2.getVpc(query, invoking),
          getSubnet: (query) => aws.ec2.getSubnet(query, invoking),
        });
        return id;
      });
    });
  const tier = (of: SubnetTier, ids: Readonly<Record<string, pulumi.Input<string>>>) =>
    Object.fromEntries(
      Object.entries(ids).map(([zone, given]): [string, NetworkSubnet] => {
        const id = pulumi.all([given, vpcId]).apply(([known]) => known);
        if (adopt.tagSubnets ?? false) {
          tagSubnet(scope, of, zone, id);
        }
        return [zone, { id, zone: pulumi.output(zone) }];
      }),
    );
  return {
    vpcId,
    publicSubnets: tier("public", publicSubnetIds),
    privateSubnets: tier("private", privateSubnetIds),
    workerSubnets: {},
    natAddresses: Object.fromEntries(
      Object.entries(adopt.natAddresses ?? {}).map(([zone, address]) => [
        zone,
        pulumi.output(address),
      ]),
    ),
  };
}

function tagSubnet(
  { name, parent, clusterName }: NetworkScope,
  tier: SubnetTier,
  zone: string,
  resourceId: pulumi.Output<string>,
) {
  new aws.ec2.Tag(
    `${name}-${tier}-${zone}-cluster`,
    { resourceId, key: pulumi.output(clusterName).apply(clusterTag), value: "shared" },
    { parent },
  );
  new aws.ec2.Tag(
    `${name}-${tier}-${zone}-role`,
    { resourceId, key: ROLE_TAGS[tier], value: "1" },
    // Other clusters in the network may use it.
    { parent, retainOnDelete: true },
  );
}
