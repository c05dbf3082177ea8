import type { PropertyTable } from "../propertyTable";
import { metadataProperty } from "./metadataOptions";

/** Input properties of `aws.ec2.Instance` that the stand-in knows. */
export const instanceProperties: PropertyTable = {
  ami: { type: "string", required: true, replaces: true },
  instanceType: { type: "string", required: true },
  subnetId: { type: "string", computed: true, replaces: true },
  availabilityZone: { type: "string", computed: true, replaces: true },
  privateIp: { type: "string", computed: true, replaces: true },
  associatePublicIpAddress: { type: "boolean", computed: true, replaces: true },
  vpcSecurityGroupIds: { type: "strings", computed: true, unordered: true },
  keyName: { type: "string", computed: true, replaces: true },
  iamInstanceProfile: { type: "string", computed: true },
  userData: { type: "string" },
  userDataBase64: { type: "string" },
  userDataReplaceOnChange: { type: "boolean", default: false },
  sourceDestCheck: { type: "boolean", default: true },
  monitoring: { type: "boolean", computed: true },
  ebsOptimized: { type: "boolean", computed: true, replaces: true },
  disableApiTermination: { type: "boolean", computed: true },
  instanceInitiatedShutdownBehavior: { type: "string", computed: true },
  tenancy: { type: "string", computed: true, replaces: true },
  volumeTags: { type: "map" },
  metadataOptions: metadataProperty,
  privateDnsNameOptions: {
    type: "block",
    computed: true,
    fields: {
      hostnameType: { type: "string", computed: true, replaces: true },
      enableResourceNameDnsARecord: { type: "boolean", computed: true },
      enableResourceNameDnsAaaaRecord: { type: "boolean", computed: true },
    },
  },
  rootBlockDevice: {
    type: "block",
    computed: true,
    fields: {
      volumeType: { type: "string", computed: true },
      volumeSize: { type: "number", computed: true },
      iops: { type: "number", computed: true },
      throughput: { type: "number", computed: true },
      encrypted: { type: "boolean", computed: true, replaces: true },
      kmsKeyId: { type: "string", computed: true, replaces: true },
      deleteOnTermination: { type: "boolean", computed: true },
      tags: { type: "map" },
    },
  },
};

/** Output properties that are no inputs. */
export const instanceOutputs: readonly string[] = [
  "arn",
  "instanceState",
  "primaryNetworkInterfaceId",
  "privateDns",
  "publicDns",
  "publicIp",
  "tagsAll",
];
