import { HostnameType, Tenancy, VolumeType } from "@aws-sdk/client-ec2";
import type { PropertyTable } from "../propertyTable";
import { memberOf, text, ipv4Address, base64, type ValueRule } from "../valueRules";
import { instanceReservationProperty } from "./capacityReservation";
import { instanceCreditProperty } from "./instanceCredits";
import { instanceMetadataProperty } from "./instanceOptions";

/** A machine's configuration, of at most 16 KiB. */
const machineData: ValueRule = { ...text(0, 16_384), hides: true };

/** Supported input properties of `aws.ec2.Instance`. */
export const instanceProperties: PropertyTable = {
  ami: { type: "string", required: true, replaces: true },
  instanceType: { type: "string", required: true },
  subnetId: { type: "string", computed: true, replaces: true },
  availabilityZone: { type: "string", computed: true, replaces: true },
  privateIp: { type: "string", computed: true, replaces: true, rule: ipv4Address },
  associatePublicIpAddress: { type: "boolean", computed: true, replaces: true },
  vpcSecurityGroupIds: { type: "strings", computed: true, unordered: true },
  keyName: { type: "string", computed: true, replaces: true },
  iamInstanceProfile: { type: "string", computed: true },
  userData: {
    type: "string",
    conflictsWith: ["userDataBase64"],
    rule: machineData,
  },
  userDataBase64: { type: "string", computed: true, rule: base64 },
  userDataReplaceOnChange: { type: "boolean", default: false },
  sourceDestCheck: { type: "boolean", default: true },
  monitoring: { type: "boolean", computed: true },
  ebsOptimized: { type: "boolean", computed: true, replaces: true },
  disableApiTermination: { type: "boolean", computed: true },
  instanceInitiatedShutdownBehavior: { type: "string", computed: true },
  tenancy: { type: "string", computed: true, replaces: true, rule: memberOf(Tenancy) },
  placementGroup: { type: "string", computed: true, replaces: true },
  capacityReservationSpecification: instanceReservationProperty,
  creditSpecification: instanceCreditProperty,
  volumeTags: { type: "map" },
  metadataOptions: instanceMetadataProperty,
  privateDnsNameOptions: {
    type: "block",
    computed: true,
    replaces: true,
    fields: {
      hostnameType: { type: "string", computed: true, rule: memberOf(HostnameType) },
      enableResourceNameDnsARecord: { type: "boolean", computed: true },
      enableResourceNameDnsAaaaRecord: { type: "boolean", computed: true },
    },
  },
  ebsBlockDevices: {
    type: "blocks",
    computed: true,
    unordered: true,
    key: "deviceName",
    fields: {
      deviceName: { type: "string", required: true, replaces: true },
      volumeType: { type: "string", computed: true, replaces: true, rule: memberOf(VolumeType) },
      volumeSize: { type: "number", computed: true, replaces: true },
      iops: { type: "number", computed: true, replaces: true },
      throughput: { type: "number", computed: true, replaces: true },
      snapshotId: { type: "string", computed: true, replaces: true },
      encrypted: { type: "boolean", computed: true, replaces: true },
      kmsKeyId: { type: "string", computed: true, replaces: true },
      deleteOnTermination: { type: "boolean", default: true, replaces: true },
      tags: { type: "map", conflictsWith: ["volumeTags"] },
    },
  },
  rootBlockDevice: {
    type: "block",
    computed: true,
    fields: {
      volumeType: { type: "string", computed: true, rule: memberOf(VolumeType) },
      volumeSize: { type: "number", computed: true },
      iops: { type: "number", computed: true },
      throughput: { type: "number", computed: true },
      encrypted: { type: "boolean", computed: true, replaces: true },
      kmsKeyId: { type: "string", computed: true, replaces: true },
      deleteOnTermination: { type: "boolean", default: true },
      tags: { type: "map", conflictsWith: ["volumeTags"] },
    },
  },
};

/** Output properties that are not inputs. */
export const instanceOutputs: readonly string[] = [
  "arn",
  "instanceState",
  "primaryNetworkInterfaceId",
  "privateDns",
  "publicDns",
  "publicIp",
  "tagsAll",
];
