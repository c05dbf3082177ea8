import { type ConfigDocument, documentId, talosMinor } from "../../../provider/config";
import { ConfigRefusal, type LoadedConfig, multiError } from "./loadConfig";
import { valueAt } from "./yamlPath";

/**
 * Talos' volumes that are directories of EPHEMERAL, unless the configuration places them on partitions
 * of their own. Source: v1.14.1, `volumeconfig/system_volumes.go`.
 */
export const PROMOTABLE = {
  ETCD: "/var/lib/etcd",
  CRI: "/var/lib/containerd",
  KUBELET: "/var/lib/kubelet",
  LOG: "/var/log",
} as const;

/** The id of such a volume. */
export type PromotableVolume = keyof typeof PROMOTABLE;

/** The first Talos minor that knows them by these ids, and can place them. */
const FIRST_MINOR = 14;

/** Whether a release of Talos knows these volumes. */
export function hasPromotable(talosVersion: string): boolean {
  return (talosMinor(talosVersion) ?? 0) >= FIRST_MINOR;
}

/**
 * The volumes that a configuration places on partitions of their own. Source: v1.14.1,
 * `block.ProvisioningRequested`.
 */
export function ownVolumes(
  documents: readonly ConfigDocument[],
  talosVersion: string,
): ReadonlySet<PromotableVolume> {
  const names = Object.keys(PROMOTABLE) as PromotableVolume[];
  return new Set(
    hasPromotable(talosVersion)
      ? names.filter((name) => {
          const document = documentOf(documents, name);
          return ["diskSelector", "grow", "minSize", "maxSize"].some(
            (key) => document !== undefined && valueAt(document, "provisioning", key) !== undefined,
          );
        })
      : [],
  );
}

/**
 * Refuses a configuration that places a volume otherwise than it is. Source: v1.14.1,
 * `VolumeConfigV1Alpha1.RuntimeValidate`, `runtimeValidateContainer`.
 *
 * @throws ConfigRefusal with Talos' message
 */
export function requireSameVolumes(
  current: LoadedConfig,
  next: LoadedConfig,
  talosVersion: string,
): void {
  const [before, after] = [current, next].map((config) =>
    ownVolumes(config.documents, talosVersion),
  );
  const problems = (Object.keys(PROMOTABLE) as PromotableVolume[])
    .filter((name) => before?.has(name) !== after?.has(name))
    .map((name) => problemOf(name, before?.has(name) === true, next.documents));
  if (problems.length > 0) {
    throw new ConfigRefusal("runtime", multiError(problems));
  }
}

function problemOf(
  name: PromotableVolume,
  isOwn: boolean,
  next: readonly ConfigDocument[],
): string {
  const document = documentOf(next, name);
  const [now, wanted] = isOwn ? ["partition", "directory"] : ["directory", "partition"];
  return document === undefined
    ? `the "${name}" system volume is backed by a dedicated partition and its VolumeConfig cannot be removed; migrating a system volume off a dedicated partition is not supported`
    : `${documentId(document)}: the backing of the "${name}" system volume cannot be changed after creation (current: ${now}, requested: ${wanted}); migrating an existing system volume to or from a dedicated partition is not supported`;
}

function documentOf(
  documents: readonly ConfigDocument[],
  name: string,
): ConfigDocument | undefined {
  return documents.find((document) => documentId(document) === `VolumeConfig/${name}`);
}
