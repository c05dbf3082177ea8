import * as aws from "@pulumi/aws";
import { clusterRanges } from "../components/cluster/planPodNetwork";
import { clusterNames } from "../components/endpoint/clusterNames";
import { findHostedZone } from "../components/endpoint/dnsRecord";
import { findMachineImage } from "../components/machines/findMachineImage";
import { architectureOf } from "../components/machines/instanceType";
import { type ImageOptions, imageSchematic } from "../components/machines/machineImage";
import { DEFAULT_INSTANCE_TYPE } from "../components/machines/machineSettings";
import { inspectAdoptedNetwork } from "../components/network/adoptedNetwork";
import { messageOfError } from "../provider/base/messageOfError";
import { ProgramError } from "./programError";
import type { KnownClusterArgs } from "./settings";

/**
 * Finds existing resources of the account that a cluster uses: the image of its machines and the
 * hosted zone of its name, if their ids are not given. Also checks the network, if it is adopted.
 *
 * @returns the arguments with the ids
 * @throws ProgramError that lists everything that is missing
 */
export async function findAdopted(cluster: KnownClusterArgs): Promise<KnownClusterArgs> {
  const { talosVersion, controlPlane, machineConfiguration } = cluster;
  const [imageId, workerPools, zoneId, network] = await Promise.allSettled([
    findImage(talosVersion, controlPlane, machineConfiguration),
    findPoolImages(cluster),
    findZone(cluster),
    inspectNetwork(cluster),
  ]);
  const failed = [imageId, workerPools, zoneId, network].filter(
    (result) => result.status === "rejected",
  );
  if (
    imageId.status === "rejected" ||
    workerPools.status === "rejected" ||
    zoneId.status === "rejected" ||
    failed.length > 0
  ) {
    const reasons = failed.map(({ reason }: PromiseRejectedResult) => messageOfError(reason));
    // Pools with the same image report the same problem.
    throw new ProgramError([...new Set(reasons)].join("\n"));
  }
  return {
    ...cluster,
    controlPlane: { ...controlPlane, imageId: imageId.value },
    workerPools: workerPools.value,
    dns: { ...cluster.dns, ...(zoneId.value !== undefined && { zoneId: zoneId.value }) },
  };
}

/** The arguments that select a machine's image. */
interface Bootable {
  readonly instanceType?: string;
  readonly imageId?: string;
  readonly imageOwner?: string;
  readonly imageName?: string;
}

async function findImage(
  talosVersion: string,
  machines: Bootable,
  options: ImageOptions = {},
): Promise<string> {
  const { instanceType = DEFAULT_INSTANCE_TYPE, imageId, imageOwner: owner, imageName } = machines;
  if (imageId !== undefined) {
    return imageId;
  }
  const { region } = await aws.getRegion();
  const architecture = architectureOf(instanceType);
  const schematicId = await new Promise<string>((resolve) => {
    imageSchematic(options).apply(resolve);
  });
  return findMachineImage(
    { talosVersion, architecture, region, schematicId, owner, imageName },
    { getAmi: (query) => aws.ec2.getAmi(query), getAmiIds: (query) => aws.ec2.getAmiIds(query) },
  );
}

async function findPoolImages({ talosVersion, workers, workerPools }: KnownClusterArgs) {
  const pools = Object.entries(workerPools).map(async ([name, pool]) => {
    const options = { ...workers?.machineConfiguration, ...pool.machineConfiguration };
    return [name, { ...pool, imageId: await findImage(talosVersion, pool, options) }] as const;
  });
  return Object.fromEntries(await Promise.all(pools));
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

/** Undefined if the cluster creates a zone. */
async function findZone(cluster: KnownClusterArgs): Promise<string | undefined> {
  const { createZone = false, zoneId } = cluster.dns;
  // A private zone is looked up together with its network, which may not exist yet.
  if (createZone || zoneId !== undefined || cluster.dns.privateZone === true) {
    return zoneId;
  }
  const { zoneName } = clusterNames(cluster);
  const found = await findHostedZone({ zoneName }, (query) => aws.route53.getZone(query));
  return found.zoneId;
}
