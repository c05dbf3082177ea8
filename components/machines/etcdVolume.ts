import { talosMinor } from "../../provider/config";
import type { PropertyProblem } from "../problems";
import { checkVolume, FAST_VOLUME_TYPES, type VolumeSpeedArgs } from "./volumes";

/** What etcd's volume can hold. */
const ETCD_VOLUME_CONTENTS = ["everything", "etcd"] as const;

/**
 * An encrypted volume for what a machine writes, or for etcd's data alone. The volume is deleted with
 * its machine.
 */
export interface EtcdVolumeArgs extends VolumeSpeedArgs {
  /** Size in GiB, 10 or more; gp3 about $0.08 a month each (list price in us-east-1, November 2026). */
  readonly sizeGib: number;
  /**
   * - `everything`: what is in `/var`: etcd's data, images, logs. Talos' partition EPHEMERAL is on it.
   * - `etcd`: only etcd's data, Talos' volume ETCD. It needs Talos v1.14 or newer on all machines,
   *   also later.
   *
   * Choose when you create the cluster: Talos moves no volume, so a preview refuses another choice
   * later. Source: `config/types/block/volume_config.go` of siderolabs/talos, v1.12.1 and v1.14.1.
   * Default: `everything`.
   */
  readonly holds?: (typeof ETCD_VOLUME_CONTENTS)[number];
}

/** Talos requires 10 GiB for a control plane's EPHEMERAL. Source: Talos' system requirements. */
const MIN_ETCD_VOLUME_GIB = 10;

/** The first Talos minor that can place etcd's data alone. */
const FIRST_MINOR_WITH_OWN_ETCD = 14;

/**
 * All problems of a volume for etcd.
 *
 * @param talosVersion of the machines. Default: not judged
 */
export function checkEtcdVolume(
  volume: EtcdVolumeArgs | undefined,
  talosVersion?: string,
): PropertyProblem[] {
  if (volume === undefined) {
    return [];
  }
  const { holds = "everything" } = volume;
  const minor = talosMinor(talosVersion ?? "") ?? FIRST_MINOR_WITH_OWN_ETCD;
  const isKnown = ETCD_VOLUME_CONTENTS.includes(holds);
  const reason = !isKnown
    ? `it can't be "${holds}": write one of ${ETCD_VOLUME_CONTENTS.map((each) => `"${each}"`).join(", ")}`
    : holds === "etcd" && minor < FIRST_MINOR_WITH_OWN_ETCD
      ? `Talos ${talosVersion ?? ""} can't place etcd's data alone: that needs v1.${FIRST_MINOR_WITH_OWN_ETCD} or newer. Take "everything", or a newer Talos`
      : undefined;
  return [
    ...checkVolume("etcdVolume", volume, FAST_VOLUME_TYPES, MIN_ETCD_VOLUME_GIB),
    ...(reason === undefined ? [] : [{ property: "etcdVolume.holds", reason }]),
  ];
}
