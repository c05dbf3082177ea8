import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { noteKeptSpeeds } from "../machines/keptSettings";
import { machineOptions } from "../machines/machineOptions";
import { DEFAULT_ROOT_VOLUME_GIB } from "../machines/machineSettings";
import { machineTags } from "../machines/makeMachine";
import { makeUserData } from "../machines/makeUserData";
import { makePlacementGroup, reservationOf } from "../machines/placement";
import { ROOT_DEVICE } from "../machines/planImageImport";
import { planDataVolumes, volumeSpeed } from "../machines/volumes";
import type { WorkerMachinesArgs } from "./workerPoolArgs";

/**
 * The launch template of a pool: the same settings as in `makeMachine`, with the configuration in
 * user data. Free of charge.
 *
 * @param instanceType the first choice; undefined if groups say what machines must have
 */
export function makeLaunchTemplate(
  name: string,
  instanceType: string | undefined,
  args: WorkerMachinesArgs,
  opts: pulumi.CustomResourceOptions & { readonly parent: pulumi.Resource },
): aws.ec2.LaunchTemplate {
  const tags = machineTags(name, args);
  const { instanceProfileName, detailedMonitoring, capacityReservation } = args;
  const placementGroup = makePlacementGroup(name, args.placementGroup, tags, opts);
  const ofMachine = {
    encrypted: "true",
    ...(args.kmsKeyId !== undefined && { kmsKeyId: args.kmsKeyId }),
    deleteOnTermination: "true",
  };
  const template = new aws.ec2.LaunchTemplate(
    name,
    {
      imageId: args.imageId,
      ...(instanceType !== undefined && { instanceType }),
      userData: makeUserData({ machineConfiguration: args.machineConfiguration }, opts.parent),
      ...(instanceProfileName !== undefined && {
        iamInstanceProfile: { name: instanceProfileName },
      }),
      networkInterfaces: [
        {
          deviceIndex: 0,
          associatePublicIpAddress: String(args.publicAddresses ?? true),
          deleteOnTermination: "true",
          securityGroups: [args.securityGroupId, ...(args.moreSecurityGroupIds ?? [])],
        },
      ],
      ebsOptimized: "true",
      ...(detailedMonitoring !== undefined && { monitoring: { enabled: detailedMonitoring } }),
      ...(placementGroup !== undefined && { placement: { groupName: placementGroup } }),
      ...(capacityReservation !== undefined && {
        capacityReservationSpecification: reservationOf(capacityReservation),
      }),
      ...machineOptions(args),
      blockDeviceMappings: [
        {
          deviceName: ROOT_DEVICE,
          ebs: {
            ...volumeSpeed(args.rootVolume ?? {}),
            volumeSize: args.rootVolumeSizeGib ?? DEFAULT_ROOT_VOLUME_GIB,
            ...ofMachine,
          },
        },
        ...planDataVolumes(args.dataVolumes).map(({ deviceName, volume }) => ({
          deviceName,
          ebs: { ...volumeSpeed(volume), volumeSize: volume.sizeGib, ...ofMachine },
        })),
      ],
      tagSpecifications: [
        { resourceType: "instance", tags: machineTags(name, { clusterName: args.clusterName }) },
        { resourceType: "volume", tags },
        { resourceType: "network-interface", tags },
      ],
      // Groups name a version. A person who launches a machine gets the newest.
      updateDefaultVersion: true,
      tags,
    },
    {
      ...opts,
      // A change of these would create a new version, which replaces every machine. Machines get
      // their tags from the group.
      ignoreChanges: ["tagSpecifications", "tags"],
    },
  );
  noteKeptSpeeds(name, template, [
    { deviceName: ROOT_DEVICE, argument: "rootVolume", speed: args.rootVolume ?? {} },
    ...planDataVolumes(args.dataVolumes).map(({ name: key, volume, deviceName }) => ({
      deviceName,
      argument: `dataVolumes["${key}"]`,
      speed: volume,
    })),
  ]);
  return template;
}
