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
import { kubernetesDocuments } from "./kubernetesDocuments";
import { machineFeatures } from "./machineFeatures";
import { manifests } from "./manifests";
import { networkInterfaces } from "./networkInterfaces";
import { nodeMetadata, scheduling } from "./nodeMetadata";
import { registryMirrors } from "./registryMirrors";
import { resolvers } from "./resolvers";
import { secretsEncryption } from "./secretsEncryption";
import { systemDocuments } from "./systemDocuments";
import { timeServers } from "./timeServers";
import { userVolumes } from "./userVolumes";

/**
 * All generators. Up to contract v1.13, their documents have this order, and Talos itself uses that of
 * the first three; later, `combineDocuments` knows it. A new option is a row here.
 */
export const generators: readonly Generator<MachineConfigInput>[] = [
  kubernetesDocuments,
  systemDocuments,
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
  secretsEncryption,
];
