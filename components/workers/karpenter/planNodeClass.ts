import { decodeDocuments, fieldsOfDocuments, isMapping, valueAt } from "../../../provider/config";
import type { KubernetesObject } from "../../../provider/kubernetes";
import { defined } from "../../defined";
import { machineOptions } from "../../machines/machineOptions";
import { DEFAULT_ROOT_VOLUME_GIB, type MachineSettings } from "../../machines/machineSettings";
import { ROOT_DEVICE } from "../../machines/planImageImport";
import {
  type DataVolumeArgs,
  planDataVolumes,
  volumeSpeed,
  type VolumeSpeedArgs,
} from "../../machines/volumes";
import { NODE_CLASS_API } from "./karpenterKinds";

/** What a pool's machines are made of, with all outputs known. */
export interface NodeClassInput {
  readonly name: string;
  /** The configuration that machines boot with. Secret. */
  readonly machineConfiguration: string;
  /** An image for each architecture. */
  readonly imageIds: readonly string[];
  readonly subnetIds: readonly string[];
  readonly securityGroupIds: readonly string[];
  readonly instanceProfileName: string;
  readonly publicAddresses: boolean;
  readonly settings: Pick<MachineSettings, "metadataHopLimit" | "rootVolume" | "rootVolumeSizeGib">;
  readonly kmsKeyId?: string | undefined;
  readonly detailedMonitoring?: boolean | undefined;
  readonly dataVolumes?: Readonly<Record<string, DataVolumeArgs>> | undefined;
  readonly tags: Readonly<Record<string, string>>;
}

/**
 * What Talos' kubelet keeps for the system on a worker, unless the configuration says otherwise (Talos v1.14.1,
 * `pkg/machinery/constants`, `KubeletSystemReserved…`). It keeps nothing for Kubernetes.
 */
const TALOS_KUBELET = {
  maxPods: 110,
  systemReserved: { cpu: "50m", memory: "384Mi", "ephemeral-storage": "256Mi" },
  kubeReserved: { cpu: "0", memory: "0", "ephemeral-storage": "0" },
};

/** The settings of a kubelet by which Karpenter knows how much room a machine will have. */
const KNOWN_SETTINGS = ["maxPods", "systemReserved", "kubeReserved", "evictionHard"];

/**
 * The EC2NodeClass of a pool: what its machines are made of. A change of it is a drift of running machines,
 * which Karpenter replaces within the pool's budgets. Its user data lets machines join the cluster, so whoever may
 * read EC2NodeClasses may do so.
 *
 * Source: `pkg/apis/v1/ec2nodeclass.go` of aws/karpenter-provider-aws v1.15.2.
 */
export function planNodeClass(input: NodeClassInput): KubernetesObject {
  const { name, kmsKeyId, detailedMonitoring, settings } = input;
  const { rootVolume = {}, rootVolumeSizeGib = DEFAULT_ROOT_VOLUME_GIB } = settings;
  const { httpEndpoint, httpTokens, httpPutResponseHopLimit } =
    machineOptions(settings).metadataOptions;
  const volume = (speed: VolumeSpeedArgs, sizeGib: number) =>
    defined({
      ...volumeSpeed(speed),
      volumeSize: `${sizeGib}Gi`,
      encrypted: true,
      kmsKeyID: kmsKeyId,
      deleteOnTermination: true,
    });
  return {
    apiVersion: NODE_CLASS_API,
    kind: "EC2NodeClass",
    metadata: { name },
    spec: defined({
      // Karpenter hands the user data of such images on as it is.
      amiFamily: "Custom",
      amiSelectorTerms: idTerms(input.imageIds),
      subnetSelectorTerms: idTerms(input.subnetIds),
      securityGroupSelectorTerms: idTerms(input.securityGroupIds),
      instanceProfile: input.instanceProfileName,
      associatePublicIPAddress: input.publicAddresses,
      userData: input.machineConfiguration,
      kubelet: kubeletOf(input.machineConfiguration),
      metadataOptions: { httpEndpoint, httpTokens, httpPutResponseHopLimit },
      blockDeviceMappings: [
        {
          deviceName: ROOT_DEVICE,
          rootVolume: true,
          ebs: volume(rootVolume, rootVolumeSizeGib),
        },
        ...planDataVolumes(input.dataVolumes).map((data) => ({
          deviceName: data.deviceName,
          ebs: volume(data.volume, data.volume.sizeGib),
        })),
      ],
      detailedMonitoring,
      tags: input.tags,
    }),
  };
}

function idTerms(ids: readonly string[]) {
  return ids.map((id) => ({ id }));
}

/** How much room the kubelet of such a machine leaves for pods. */
function kubeletOf(machineConfiguration: string): object {
  const fields = fieldsOfDocuments(decodeDocuments(machineConfiguration));
  const given = valueAt(fields, ["machine", "kubelet", "extraConfig"]);
  const known = Object.entries(isMapping(given) ? given : {}).filter(([name]) =>
    KNOWN_SETTINGS.includes(name),
  );
  return { ...TALOS_KUBELET, ...Object.fromEntries(known) };
}
