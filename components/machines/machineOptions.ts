import { DEFAULT_METADATA_HOP_LIMIT, type MachineSettings } from "./machineSettings";

/** EC2 launch options of every machine, on its own or in a group. */
export function machineOptions({
  metadataHopLimit = DEFAULT_METADATA_HOP_LIMIT,
  cpuCredits,
}: MachineSettings) {
  return {
    ...(cpuCredits !== undefined && { creditSpecification: { cpuCredits } }),
    metadataOptions: {
      httpEndpoint: "enabled",
      httpTokens: "required",
      httpPutResponseHopLimit: metadataHopLimit,
      // EC2 refuses tag keys with a slash there, such as the cluster's.
      instanceMetadataTags: "disabled",
    },
    // The machine's name in Kubernetes. A default of the subnet could differ between machines, and
    // cloud controllers can't handle that.
    privateDnsNameOptions: { hostnameType: "ip-name", enableResourceNameDnsARecord: false },
  };
}
