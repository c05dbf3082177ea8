import type * as pulumi from "@pulumi/pulumi";

/**
 * EC2 launch options of every machine, on its own or in a group.
 *
 * @param hopLimit network hops of the metadata service's answers: 1 reaches only the machine itself
 */
export function machineOptions(hopLimit: pulumi.Input<number>) {
  return {
    metadataOptions: {
      httpEndpoint: "enabled",
      httpTokens: "required",
      httpPutResponseHopLimit: hopLimit,
      // EC2 refuses tag keys with a slash there, such as the cluster's.
      instanceMetadataTags: "disabled",
    },
    // The machine's name in Kubernetes. A default of the subnet could differ between machines, and
    // cloud controllers can't handle that.
    privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
  };
}
