import type { MachineConfigInput } from "../machineConfigInput";
import { acceptedAuthorities } from "./acceptedAuthorities";
import { clusterDiscovery } from "./clusterDiscovery";
import { clusterNetwork } from "./clusterNetwork";
import { diskEncryption } from "./diskEncryption";
import { externalCloudProvider } from "./externalCloudProvider";
import type { Generator } from "./generator";
import { hostname } from "./hostname";
import { kernel } from "./kernel";
import { kubelet } from "./kubelet";
import { machineFeatures } from "./machineFeatures";
import { manifests } from "./manifests";
import { networkInterfaces } from "./networkInterfaces";
import { nodeMetadata, scheduling } from "./nodeMetadata";
import { registryMirrors } from "./registryMirrors";
import { resolvers } from "./resolvers";
import { timeServers } from "./timeServers";
import { userVolumes } from "./userVolumes";

/**
 * All generators, in the order of their documents. Talos itself uses the order of the first three.
 * A new option is a row here.
 */
export const generators: readonly Generator<MachineConfigInput>[] = [
  registryMirrors,
  hostname,
  clusterDiscovery,
  resolvers,
  timeServers,
  networkInterfaces,
  diskEncryption,
  userVolumes,
  nodeMetadata,
  kernel,
  kubelet,
  machineFeatures,
  clusterNetwork,
  manifests,
  externalCloudProvider,
  scheduling,
  acceptedAuthorities,
];
