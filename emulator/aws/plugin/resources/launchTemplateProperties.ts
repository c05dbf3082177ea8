import {
  ResourceType,
  HostnameType,
  InstanceInterruptionBehavior,
  MarketType,
  ShutdownBehavior,
  SpotInstanceType,
  Tenancy,
  VolumeType,
} from "@aws-sdk/client-ec2";
import type { PropertyTable } from "../propertyTable";
import { between, memberOf, text, arn, booleanText } from "../valueRules";
import { templateReservationProperty } from "./capacityReservation";
import { cpuCredits } from "./instanceCredits";
import { templateMetadataProperty } from "./instanceOptions";

/**
 * The properties of a launch template's machine; each change creates a new version. Optional
 * Booleans are the texts `true` and `false`, as in the provider.
 */
export const launchTemplateContent: PropertyTable = {
  description: { type: "string", rule: text(0, 255) },
  imageId: { type: "string" },
  instanceType: { type: "string" },
  keyName: { type: "string" },
  userData: { type: "string" },
  vpcSecurityGroupIds: { type: "strings", unordered: true },
  ebsOptimized: { type: "string", rule: booleanText },
  disableApiTermination: { type: "boolean" },
  disableApiStop: { type: "boolean" },
  instanceInitiatedShutdownBehavior: { type: "string", rule: memberOf(ShutdownBehavior) },
  blockDeviceMappings: {
    type: "blocks",
    fields: {
      deviceName: { type: "string" },
      ebs: {
        type: "block",
        fields: {
          deleteOnTermination: { type: "string", rule: booleanText },
          encrypted: { type: "string", rule: booleanText },
          iops: { type: "number", computed: true },
          kmsKeyId: { type: "string", rule: arn },
          snapshotId: { type: "string" },
          throughput: { type: "number", computed: true, rule: between(125, 2000) },
          volumeSize: { type: "number", computed: true },
          volumeType: { type: "string", computed: true, rule: memberOf(VolumeType) },
        },
      },
    },
  },
  capacityReservationSpecification: templateReservationProperty,
  creditSpecification: {
    type: "block",
    fields: { cpuCredits: { type: "string", rule: cpuCredits } },
  },
  iamInstanceProfile: {
    type: "block",
    fields: {
      arn: { type: "string", conflictsWith: ["iamInstanceProfile.name"], rule: arn },
      name: { type: "string" },
    },
  },
  instanceMarketOptions: {
    type: "block",
    fields: {
      marketType: { type: "string", rule: memberOf(MarketType) },
      spotOptions: {
        type: "block",
        fields: {
          instanceInterruptionBehavior: {
            type: "string",
            rule: memberOf(InstanceInterruptionBehavior),
          },
          maxPrice: { type: "string" },
          spotInstanceType: { type: "string", rule: memberOf(SpotInstanceType) },
        },
      },
    },
  },
  metadataOptions: templateMetadataProperty,
  monitoring: { type: "block", fields: { enabled: { type: "boolean" } } },
  networkInterfaces: {
    type: "blocks",
    fields: {
      associatePublicIpAddress: { type: "string", rule: booleanText },
      deleteOnTermination: { type: "string", rule: booleanText },
      description: { type: "string" },
      deviceIndex: { type: "number" },
      ipv6AddressCount: { type: "number" },
      securityGroups: { type: "strings", unordered: true },
      subnetId: { type: "string" },
    },
  },
  placement: {
    type: "block",
    fields: {
      availabilityZone: { type: "string" },
      groupName: { type: "string" },
      tenancy: { type: "string", rule: memberOf(Tenancy) },
    },
  },
  privateDnsNameOptions: {
    type: "block",
    fields: {
      enableResourceNameDnsARecord: { type: "boolean" },
      enableResourceNameDnsAaaaRecord: { type: "boolean" },
      hostnameType: { type: "string", rule: memberOf(HostnameType) },
    },
  },
  tagSpecifications: {
    type: "blocks",
    fields: {
      resourceType: { type: "string", rule: memberOf(ResourceType) },
      tags: { type: "map" },
    },
  },
};
