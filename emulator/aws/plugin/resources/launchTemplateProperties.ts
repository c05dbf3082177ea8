import type { PropertyTable } from "../propertyTable";
import { templateReservationProperty } from "./capacityReservation";
import { templateMetadataProperty } from "./instanceOptions";

/**
 * The properties of a launch template's machine; each change creates a new version. Optional
 * Booleans are the texts `true` and `false`, as in the provider.
 */
export const launchTemplateContent: PropertyTable = {
  description: { type: "string" },
  imageId: { type: "string" },
  instanceType: { type: "string" },
  keyName: { type: "string" },
  userData: { type: "string" },
  vpcSecurityGroupIds: { type: "strings", unordered: true },
  ebsOptimized: { type: "string" },
  disableApiTermination: { type: "boolean" },
  disableApiStop: { type: "boolean" },
  instanceInitiatedShutdownBehavior: { type: "string" },
  blockDeviceMappings: {
    type: "blocks",
    fields: {
      deviceName: { type: "string" },
      ebs: {
        type: "block",
        fields: {
          deleteOnTermination: { type: "string" },
          encrypted: { type: "string" },
          iops: { type: "number", computed: true },
          kmsKeyId: { type: "string" },
          snapshotId: { type: "string" },
          throughput: { type: "number", computed: true },
          volumeSize: { type: "number", computed: true },
          volumeType: { type: "string", computed: true },
        },
      },
    },
  },
  capacityReservationSpecification: templateReservationProperty,
  creditSpecification: { type: "block", fields: { cpuCredits: { type: "string" } } },
  iamInstanceProfile: {
    type: "block",
    fields: {
      arn: { type: "string", conflictsWith: ["iamInstanceProfile.name"] },
      name: { type: "string" },
    },
  },
  instanceMarketOptions: {
    type: "block",
    fields: {
      marketType: { type: "string" },
      spotOptions: {
        type: "block",
        fields: {
          instanceInterruptionBehavior: { type: "string" },
          maxPrice: { type: "string" },
          spotInstanceType: { type: "string" },
        },
      },
    },
  },
  metadataOptions: templateMetadataProperty,
  monitoring: { type: "block", fields: { enabled: { type: "boolean" } } },
  networkInterfaces: {
    type: "blocks",
    fields: {
      associatePublicIpAddress: { type: "string" },
      deleteOnTermination: { type: "string" },
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
      tenancy: { type: "string" },
    },
  },
  privateDnsNameOptions: {
    type: "block",
    fields: {
      enableResourceNameDnsARecord: { type: "boolean" },
      enableResourceNameDnsAaaaRecord: { type: "boolean" },
      hostnameType: { type: "string" },
    },
  },
  tagSpecifications: {
    type: "blocks",
    fields: { resourceType: { type: "string" }, tags: { type: "map" } },
  },
};
