import { checkWord, problemAt } from "../../argumentChecks";
import type { PoolTier } from "../../network/planSubnets";
import { type PropertyProblem, within } from "../../problems";
import { checkImage, checkRole } from "../checks/checkClusterControlPlane";
import {
  checkMetadata,
  checkPoolMachines,
  checkRoleName,
  makesRole,
} from "../checks/checkWorkerPools";
import type { ClusterJoin } from "./clusterJoin";
import type { JoinedWorkerPoolArgs } from "./joinedWorkerPoolArgs";
import { isWritten } from "./readJoin";

const TIERS: readonly PoolTier[] = ["public", "private", "worker"];

/** Why a pool with a fixed number of machines can't be made; also for what another stack hands out. */
export const NO_ADMINISTRATION =
  "it has no administration, by which later changes reach a fixed number of machines: have the cluster's program hand out all of its join, or set autoScaling in place of machineCount";

/** Why such machines would never join; also for what another stack hands out. */
export const UNKNOWN_ADDRESSES =
  'the Kubernetes API allows only known addresses, and those of an auto scaling group in public subnets are unknown: take "private", or set exposure "both" for the cluster';

/** The keys of the zones of a pool; undefined if nothing says which. */
export function joinedZoneKeys({
  cluster,
  subnets = "public",
  zones,
}: JoinedWorkerPoolArgs): readonly string[] | undefined {
  if (zones !== undefined || !isWritten(cluster)) {
    return zones;
  }
  return Object.keys((cluster.subnets as Partial<ClusterJoin["subnets"]>)[subnets] ?? {}).sort();
}

/** All problems of a pool that joins a cluster, as far as they are known. */
export function checkJoinedPool(name: string, args: JoinedWorkerPoolArgs): PropertyProblem[] {
  const { cluster, ...pool } = args;
  const zoneKeys = joinedZoneKeys(args);
  return [
    ...checkWord("subnets", pool.subnets, TIERS),
    ...checkZones(args, zoneKeys),
    ...(isWritten(cluster) ? checkWhatIsJoined(args, cluster) : []),
    ...checkMetadata(pool),
    ...checkImage(pool),
    ...within("role", checkRole(pool.role ?? {})),
    ...(makesRole(pool.role ?? {}) ? checkRoleName(name, "name") : []),
    ...(zoneKeys === undefined || zoneKeys.length === 0
      ? []
      : checkPoolMachines(name, pool, zoneKeys)),
  ];
}

function checkZones(
  { cluster, zones, subnets = "public" }: JoinedWorkerPoolArgs,
  zoneKeys: readonly string[] | undefined,
): PropertyProblem[] {
  if (zoneKeys === undefined) {
    const reason =
      'they decide which machines exist, and those of a cluster in another stack are known too late: name them, as in ["eu-central-1a"]';
    return [{ property: "zones", reason }];
  }
  if (zones?.length === 0) {
    return [{ property: "zones", reason: "no zone is named: name one, or leave it out" }];
  }
  if (!isWritten(cluster)) {
    return [];
  }
  const there = (cluster.subnets as Partial<ClusterJoin["subnets"]>)[subnets];
  if (there === undefined) {
    return [];
  }
  const names = Object.keys(there).map((each) => `"${each}"`);
  if (names.length === 0) {
    return [{ property: "subnets", reason: `the cluster's network has no ${subnets} subnets` }];
  }
  return (zones ?? []).flatMap((zone, index) =>
    problemAt(`zones[${index}]`, !Object.hasOwn(there, zone) && noSubnet(subnets, zone, names)),
  );
}

function noSubnet(tier: PoolTier, zone: string, names: readonly string[]): string {
  return `the cluster's network has no ${tier} subnet in "${zone}": it has ${names.join(", ")}`;
}

function checkWhatIsJoined(
  { autoScaling, subnets = "public" }: JoinedWorkerPoolArgs,
  { administration, admitsUnknownAddresses }: ClusterJoin,
): PropertyProblem[] {
  if (autoScaling === undefined) {
    return problemAt("cluster", administration === undefined && NO_ADMINISTRATION);
  }
  return problemAt(
    "subnets",
    subnets === "public" && admitsUnknownAddresses === false && UNKNOWN_ADDRESSES,
  );
}
