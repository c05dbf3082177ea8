import { problemAt } from "../argumentChecks";
import { defined } from "../defined";
import type { PropertyProblem } from "../problems";

/** The types of EBS volumes that a machine can have as its root or for etcd. */
export const FAST_VOLUME_TYPES = ["gp3", "gp2", "io2", "io1"] as const;
/** The types of data volumes: those on hard disks too. */
const VOLUME_TYPES = [...FAST_VOLUME_TYPES, "st1", "sc1"] as const;
/** A type of EBS volume. */
export type VolumeType = (typeof VOLUME_TYPES)[number];

/** How fast a volume is. */
export interface VolumeSpeedArgs {
  /**
   * `gp3` and `gp2` for general use, `io2` and `io1` with the operations that you pay for. Data
   * volumes also as `st1` and `sc1`, on hard disks. Default: `gp3`.
   */
  readonly type?: VolumeType;
  /**
   * Operations per second. gp3: 3000 to 80000, at most 500 per GiB; above 3000 about $0.005 a month
   * each (list price in us-east-1, November 2026). io2: 100 to 256000, at most 1000 per GiB. io1:
   * 100 to 64000, at most 50 per GiB. Required for io2 and io1, refused for other types. Default: 3000
   * for gp3.
   */
  readonly iops?: number;
  /**
   * MiB per second of a gp3 volume, 125 to 2000, at most a quarter of `iops`; above 125 about $0.04 a
   * month each. Refused for other types. Default: 125.
   */
  readonly throughputMib?: number;
}

/**
 * An encrypted volume for workloads, deleted with its machine. Its key is the volume's name in Talos,
 * which mounts it at `/var/mnt/<name>`.
 */
export interface DataVolumeArgs extends VolumeSpeedArgs {
  /**
   * Size in GiB. Each data volume of a machine needs another size: Talos tells them apart by it,
   * because Linux names NVMe disks in no fixed order.
   */
  readonly sizeGib: number;
  /** The file system. Default: `xfs`. */
  readonly filesystem?: "xfs" | "ext4";
}

interface Limits {
  readonly minGib: number;
  readonly maxGib: number;
  /** Undefined for a type whose operations can't be chosen. */
  readonly iops?: { readonly min: number; readonly max: number; readonly perGib: number };
}

/**
 * Source: Amazon EBS user guide, "Amazon EBS volume types"; for gp3 its limits since September 2025
 * (terraform-provider-aws issue 44762, PR 44604).
 */
const LIMITS: Readonly<Record<VolumeType, Limits>> = {
  gp3: { minGib: 1, maxGib: 65_536, iops: { min: 3_000, max: 80_000, perGib: 500 } },
  gp2: { minGib: 1, maxGib: 16_384 },
  io2: { minGib: 4, maxGib: 65_536, iops: { min: 100, max: 256_000, perGib: 1_000 } },
  io1: { minGib: 4, maxGib: 16_384, iops: { min: 100, max: 64_000, perGib: 50 } },
  st1: { minGib: 125, maxGib: 16_384 },
  sc1: { minGib: 125, maxGib: 16_384 },
};
const GP3_IOPS = 3_000;
const MIN_THROUGHPUT_MIB = 125;
const MAX_THROUGHPUT_MIB = 2_000;
const IOPS_PER_MIB = 4;
/** EC2's names for devices of data volumes. The machine sees other names. */
const DATA_DEVICES = "ghijklmnop".split("").map((letter) => `/dev/sd${letter}`);
/** EC2's name for the device of etcd's volume. The machine sees another name. */
export const ETCD_DEVICE = "/dev/sdf";
/** EC2's names for all volumes that machines are created with, besides the root. */
export const MACHINE_DEVICES: readonly string[] = [ETCD_DEVICE, ...DATA_DEVICES];
const BYTES_PER_GIB = 1024 ** 3;

/** The speed of a volume in the terms of EC2. */
export function volumeSpeed({ type = "gp3", iops, throughputMib }: VolumeSpeedArgs) {
  return {
    volumeType: type,
    ...(iops !== undefined && { iops }),
    ...(throughputMib !== undefined && { throughput: throughputMib }),
  };
}

/**
 * The speed of a machine's volume in the terms of EC2, with gp3's own where none is chosen: of what is
 * left out, the AWS provider keeps what was set before.
 */
export function wholeVolumeSpeed(volume: VolumeSpeedArgs) {
  const isGp3 = (volume.type ?? "gp3") === "gp3";
  return volumeSpeed({
    ...(isGp3 && { iops: GP3_IOPS, throughputMib: MIN_THROUGHPUT_MIB }),
    ...defined(volume),
  });
}

/** A volume of a launch template, and the argument that says how fast it is. */
export interface PlannedVolume {
  readonly deviceName: string;
  readonly argument: string;
  readonly speed: VolumeSpeedArgs;
}

/**
 * The speeds of a volume that a launch template keeps although they are left out, each with the way to
 * take it back. To write gp3's own would be a new version of existing templates, which replaces every
 * machine.
 *
 * @param recorded of the volume, as EC2 has it; 0 is none
 */
export function keptSpeeds(
  { argument, speed }: PlannedVolume,
  recorded: { readonly iops?: number; readonly throughput?: number },
): string[] {
  const { type = "gp3" } = speed;
  const kept = (name: "iops" | "throughputMib", value: number | undefined, own: number) => {
    if (speed[name] !== undefined || value === undefined || value === 0) {
      return [];
    }
    const keeps = `keeps ${name} ${value} of ${argument}, because the AWS provider takes back nothing that is left out`;
    if (type !== "gp3") {
      return [
        `${keeps}, and EC2 starts no machine with them on a ${type} volume: make another pool`,
      ];
    }
    return value === own ? [] : [`${keeps}: set ${argument}.${name} to ${own}, as of gp3`];
  };
  return [
    ...kept("iops", recorded.iops, GP3_IOPS),
    ...kept("throughputMib", recorded.throughput, MIN_THROUGHPUT_MIB),
  ];
}

/** Data volumes by EC2's device, in the order of their names. */
export function planDataVolumes(volumes: Readonly<Record<string, DataVolumeArgs>> = {}) {
  return Object.entries(volumes)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, volume], index) => ({ name, volume, deviceName: DATA_DEVICES[index] ?? "" }));
}

/**
 * What Talos makes of data volumes: the option `userVolumes` of the machines' configuration. A volume is
 * found by its size among EBS volumes, so instance stores stay out. Source of the model: Amazon EC2
 * user guide, "Map NVMe disks on your instance to volumes".
 */
export function dataUserVolumes(volumes: Readonly<Record<string, DataVolumeArgs>> = {}) {
  return planDataVolumes(volumes).map(({ name, volume: { sizeGib, filesystem } }) => ({
    name,
    diskSelector: `!system_disk && disk.model == "Amazon Elastic Block Store" && disk.size == ${sizeGib * BYTES_PER_GIB}u`,
    minSize: "1GiB",
    grow: true,
    ...(filesystem !== undefined && { filesystem }),
  }));
}

/** All problems of how fast a root volume is. */
export function checkRootSpeed(
  speed: VolumeSpeedArgs | undefined,
  sizeGib: number,
): PropertyProblem[] {
  return speed === undefined
    ? []
    : checkVolume("rootVolume", { ...speed, sizeGib }, FAST_VOLUME_TYPES).filter(
        ({ property }) => property !== "rootVolume.sizeGib",
      );
}

/** All problems of data volumes. */
export function checkDataVolumes(
  volumes: Readonly<Record<string, DataVolumeArgs>> = {},
): PropertyProblem[] {
  const problems = Object.entries(volumes).flatMap(([name, volume], index) => {
    const property = `dataVolumes["${name}"]`;
    const twin = Object.entries(volumes)
      .slice(0, index)
      .find(([, { sizeGib }]) => sizeGib === volume.sizeGib);
    return [
      ...problemAt(
        property,
        !/^[A-Za-z0-9-]{1,34}$/.test(name) &&
          `"${name}" is no name: 1 to 34 letters, digits and hyphens`,
      ),
      ...checkVolume(property, volume, VOLUME_TYPES),
      ...problemAt(
        `${property}.sizeGib`,
        twin !== undefined &&
          `it can't be ${volume.sizeGib}, because "${twin[0]}" has that size and Talos tells the volumes of a machine apart by it: make one of them larger`,
      ),
      ...problemAt(
        `${property}.filesystem`,
        !["xfs", "ext4"].includes(volume.filesystem ?? "xfs") &&
          `it can't be "${volume.filesystem ?? ""}": write "xfs" or "ext4"`,
      ),
    ];
  });
  const { length } = Object.keys(volumes);
  const reason = `${length} volumes are too many: EC2 has names for ${DATA_DEVICES.length} data volumes of a machine`;
  return length <= DATA_DEVICES.length
    ? problems
    : [...problems, { property: "dataVolumes", reason }];
}

/**
 * All problems of a volume.
 *
 * @param path of the argument
 * @param types that it can have
 * @param leastGib its smallest size in GiB. Default: that of its type
 */
export function checkVolume(
  path: string,
  volume: VolumeSpeedArgs & { readonly sizeGib: number },
  types: readonly VolumeType[],
  leastGib = 0,
): PropertyProblem[] {
  const { sizeGib, type = "gp3", iops, throughputMib } = volume;
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string) => {
    problems.push({ property: `${path}.${property}`, reason });
  };
  const demand = (property: string, value: number, min: number, max: number, why: string) => {
    if (!Number.isInteger(value) || value < min || value > max) {
      say(property, `it can't be ${value}: give a whole number from ${min} to ${max}${why}`);
    }
  };
  if (!types.includes(type)) {
    say(
      "type",
      `it can't be "${type}": write one of ${types.map((each) => `"${each}"`).join(", ")}`,
    );
    return problems;
  }
  const limits = LIMITS[type];
  demand("sizeGib", sizeGib, Math.max(limits.minGib, leastGib), limits.maxGib, "");
  if (limits.iops === undefined) {
    if (iops !== undefined) {
      say(
        "iops",
        `it can't be ${iops}: the operations of a ${type} volume follow from its size. Leave it out, or take "gp3"`,
      );
    }
  } else if (iops !== undefined) {
    const { min, max, perGib } = limits.iops;
    demand(
      "iops",
      iops,
      min,
      Math.max(min, Math.min(max, sizeGib * perGib)),
      `, at most ${perGib} for each GiB`,
    );
  } else if (type !== "gp3") {
    say("iops", `it is missing: say how many operations per second the ${type} volume has`);
  }
  if (throughputMib !== undefined && type !== "gp3") {
    say(
      "throughputMib",
      `it can't be ${throughputMib}: only the throughput of a gp3 volume can be chosen. Leave it out`,
    );
  } else if (throughputMib !== undefined) {
    const most = Math.min(MAX_THROUGHPUT_MIB, Math.floor((iops ?? GP3_IOPS) / IOPS_PER_MIB));
    demand("throughputMib", throughputMib, MIN_THROUGHPUT_MIB, most, ", at most a quarter of iops");
  }
  return problems;
}
