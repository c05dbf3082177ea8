import * as aws from "@pulumi/aws";
import { inspectAdoptedNetwork } from "../components/adoptedNetwork";
import { findHostedZone } from "../components/dnsRecord";
import { findMachineImage } from "../components/findMachineImage";
import { architectureOf } from "../components/instanceType";

import { clusterNames } from "../components/clusterNames";
import { clusterRanges } from "../components/talosClusterArgs";
import { ProgramError } from "./programError";
import type { KnownClusterArgs } from "./settings";

/**
 * Finds what a cluster takes over from the account: the image its machines boot and the hosted
 * zone its name is written into, where no ids of them are given; and looks at the network it lies
 * in, where that is there.
 *
 * @returns the arguments with the ids
 * @throws ProgramError that tells everything that is not there at once
 */
export async function findAdopted(cluster: KnownClusterArgs): Promise<KnownClusterArgs> {
  const [imageId, zoneId, network] = await Promise.allSettled([
    findImage(cluster),
    findZone(cluster),
    inspectNetwork(cluster),
  ]);
  const failed = [imageId, zoneId, network].filter((result) => result.status === "rejected");
  if (imageId.status === "rejected" || zoneId.status === "rejected" || failed.length > 0) {
    const reasons = failed.map(({ reason }: PromiseRejectedResult) =>
      reason instanceof Error ? reason.message : String(reason),
    );
    throw new ProgramError(reasons.join("\n"));
  }
  return {
    ...cluster,
    controlPlane: { ...cluster.controlPlane, imageId: imageId.value },
    dns: { ...cluster.dns, ...(zoneId.value !== undefined && { zoneId: zoneId.value }) },
  };
}

async function findImage({ talosVersion, controlPlane }: KnownClusterArgs): Promise<string> {
  if (controlPlane.imageId !== undefined) {
    return controlPlane.imageId;
  }
  const architecture = architectureOf(controlPlane.instanceType);
  const { region } = await aws.getRegion();
  const { imageOwner: owner, imageName } = controlPlane;
  return findMachineImage(
    { talosVersion, architecture, region, owner, imageName },
    { getAmi: (query) => aws.ec2.getAmi(query), getAmiIds: (query) => aws.ec2.getAmiIds(query) },
  );
}

async function inspectNetwork(cluster: KnownClusterArgs): Promise<void> {
  const { adopt } = cluster.network;
  if (adopt !== undefined) {
    await inspectAdoptedNetwork(adopt, clusterRanges(cluster), {
      getVpc: (query) => aws.ec2.getVpc(query),
      getSubnet: (query) => aws.ec2.getSubnet(query),
    });
  }
}

/** Undefined when a zone is to be made. */
async function findZone(cluster: KnownClusterArgs): Promise<string | undefined> {
  const { createZone = false, zoneId } = cluster.dns;
  // A private zone is looked up with the network it is of, which may not be there yet.
  if (createZone || zoneId !== undefined || cluster.dns.privateZone === true) {
    return zoneId;
  }
  const { zoneName } = clusterNames(cluster);
  const found = await findHostedZone({ zoneName }, (query) => aws.route53.getZone(query));
  return found.zoneId;
}
