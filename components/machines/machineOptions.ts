import type * as pulumi from "@pulumi/pulumi";

/**
 * What EC2 starts every machine with, on its own or in a group.
 *
 * @param hopLimit how far away the metadata service answers: 1 is the machine itself
 */
export function machineOptions(hopLimit: pulumi.Input<number>) {
  return {
    metadataOptions: {
      httpEndpoint: "enabled",
      httpTokens: "required",
      httpPutResponseHopLimit: hopLimit,
      // Tag keys with a slash, such as the cluster's, can't be shown there: EC2 would refuse
      // to start the machine.
      instanceMetadataTags: "disabled",
    },
    // The machine's name in Kubernetes. Left to a default of the subnet it could differ
    // between machines, which cloud controllers can't cope with.
    privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
  };
}
