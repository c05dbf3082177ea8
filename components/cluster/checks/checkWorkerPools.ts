import { checkNodeMetadata, checkWorkerLabel } from "../../../provider/config";
import { maySliceGpus } from "../../addOns/nvidiaDevicePlugin";
import { checkWord, problemAt } from "../../argumentChecks";
import { DEFAULT_INSTANCE_TYPE } from "../../machines/machineSettings";
import { roleNameProblem } from "../../nameRules";
import type { PoolTier } from "../../network/planSubnets";
import { type PropertyProblem, within } from "../../problems";
import {
  checkAutoScaling,
  checkGroupPlacement,
  checkKnownTypes,
  checkNodeTemplate,
  checkTemplateName,
} from "../../workers/checkAutoScaling";
import { checkGpuCount } from "../../workers/checkGpuCount";
import { checkFixedPool } from "../../workers/checkWorkers";
import { checkKarpenterPool } from "../../workers/karpenter/checkKarpenterPool";
import { checkPoolBeside } from "../../workers/karpenter/checkPoolBeside";
import { restrictedLabelProblem } from "../../workers/karpenter/karpenterLabels";
import { checkGpu } from "../../workers/nvidiaGpu";
import { checkPoolSettings } from "../../workers/poolSettings";
import { hasCloudController } from "../addOns/hasCloudController";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";
import type { ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";
import type {
  AutoScalingClusterWorkerPoolArgs,
  ClusterWorkerPoolArgs,
  FixedClusterWorkerPoolArgs,
  KarpenterClusterWorkerPoolArgs,
} from "../arguments/clusterWorkersArgs";
import { checkPoolIngress } from "../makers/poolIngress";
import { admitsUnknownAddresses } from "../plan/planMachineAccess";
import { workerZoneKeys } from "../plan/workerZones";
import { checkImage, checkRole } from "./checkClusterControlPlane";

const TAKEN: readonly string[] = ["access", "client", "control-plane", "health", "workers"];

/** A pool whose machines Pulumi or AWS makes. */
type MadePoolArgs = FixedClusterWorkerPoolArgs | AutoScalingClusterWorkerPoolArgs;

/**
 * All problems of a cluster's worker pools.
 *
 * @param name the cluster's name in the stack, a prefix of its children's names
 */
export function checkWorkerPools(name: string, args: ChosenClusterArgs): PropertyProblem[] {
  const { workers = {}, workerPools = {} } = args;
  return [
    ...within("workers.role", checkRole(workers.role ?? {})),
    ...(usesSharedRole(args) ? checkRoleName(`${name}-workers`, "workerPools") : []),
    ...Object.entries(workerPools).flatMap(([poolName, pool]) =>
      checkPool(name, poolName, pool, args),
    ),
  ];
}

function usesSharedRole({ workers = {}, workerPools = {} }: ChosenClusterArgs): boolean {
  return (
    makesRole(workers.role ?? {}) &&
    Object.values(workerPools).some(({ role }) => role === undefined)
  );
}

/** Whether machines with such a role get one that the cluster makes. */
export function makesRole(role: ClusterRoleArgs | undefined): boolean {
  return role !== undefined && role.none !== true && role.instanceProfileName === undefined;
}

/** The path of a pool among the arguments. */
export function poolPath(poolName: string): string {
  return /^\w+$/.test(poolName) ? `workerPools.${poolName}` : `workerPools["${poolName}"]`;
}

function checkPool(
  name: string,
  poolName: string,
  pool: ClusterWorkerPoolArgs,
  args: ChosenClusterArgs,
): PropertyProblem[] {
  const path = poolPath(poolName);
  const childName = `${name}-${poolName}`;
  const nameProblem = poolNameProblem(poolName);
  return [
    ...problemAt(path, nameProblem),
    ...(makesRole(pool.role) ? checkRoleName(childName, `${path}.role`) : []),
    ...within(path, [
      ...checkPlace(pool, args),
      ...checkMetadata(pool),
      ...checkImage(pool),
      ...within("role", checkRole(pool.role ?? {})),
      ...checkKind(childName, pool, args),
      ...checkPoolIngress(childName, pool, args),
    ]),
  ];
}

function checkKind(
  childName: string,
  pool: ClusterWorkerPoolArgs,
  args: ChosenClusterArgs,
): PropertyProblem[] {
  if (pool.karpenter !== undefined) {
    return [...checkOfKarpenter(pool, args), ...checkWayToApi(pool, args)];
  }
  return [
    ...checkPoolMachines(childName, pool, workerZoneKeys(pool, args.facts.zones)),
    ...(pool.autoScaling === undefined
      ? []
      : [...checkAutoscaler(pool, args), ...checkWayToApi(pool, args)]),
  ];
}

/**
 * All problems of the machines of a pool.
 *
 * @param name of the pool in the stack
 */
export function checkPoolMachines(
  name: string,
  pool: MadePoolArgs,
  zoneKeys: readonly string[],
): PropertyProblem[] {
  return [...checkGpuOf(pool), ...checkMachinesOf(name, pool, zoneKeys)];
}

function checkGpuOf({
  gpu,
  instanceType = DEFAULT_INSTANCE_TYPE,
  autoScaling,
  machineConfiguration,
}: MadePoolArgs): PropertyProblem[] {
  const types = [instanceType, ...(autoScaling?.moreInstanceTypes ?? [])];
  const areOpen = autoScaling?.instanceRequirements !== undefined;
  return checkGpu({ gpu, types, typesAreOpen: areOpen, options: machineConfiguration });
}

function checkMachinesOf(
  name: string,
  pool: MadePoolArgs,
  zoneKeys: readonly string[],
): PropertyProblem[] {
  if (pool.autoScaling === undefined && typeof pool.machineCount !== "number") {
    const reason = `the number of machines is missing: set machineCount, autoScaling or karpenter`;
    return [{ property: "machineCount", reason }];
  }
  if (pool.autoScaling === undefined) {
    return checkFixedPool(pool, zoneKeys);
  }
  const { autoScaling, instanceType } = pool;
  const given: Readonly<Record<string, unknown>> = { ...pool };
  const clashes = ["machineCount", "machines", "maxUnavailable", "drain", "terminationProtection"]
    .filter((property) => given[property] !== undefined)
    .map((property) => ({
      property,
      reason: "it has no effect with autoScaling: leave out one of the two",
    }));
  return [
    ...clashes,
    ...checkTemplateName(name).map(({ reason }) => ({ property: "autoScaling", reason })),
    ...checkPoolSettings(pool),
    ...checkGroupPlacement(pool, autoScaling, zoneKeys),
    ...within("autoScaling", checkAutoScaling(autoScaling, instanceType)),
  ];
}

function checkAutoscaler(
  pool: AutoScalingClusterWorkerPoolArgs,
  args: ChosenClusterArgs,
): PropertyProblem[] {
  const isThere = hasCloudController(args, pool);
  const { clusterAutoscaler = isThere } = pool.autoScaling;
  if (!clusterAutoscaler) {
    return pool.autoScaling.gpuCount === undefined
      ? []
      : [
          {
            property: "autoScaling.gpuCount",
            reason: `only the cluster autoscaler reads it, which is not to resize this pool: leave it out, or let it (addOns.cloudController, and autoScaling.clusterAutoscaler not false)`,
          },
        ];
  }
  const reason = `the autoscaler knows nodes by their spec.providerID, which the AWS cloud controller sets, and would end every machine after 15 minutes: add addOns.cloudController, or workers.machineConfiguration.externalCloudProvider where it comes by other means, or leave this out`;
  return isThere
    ? [
        ...checkNodeTemplate(pool),
        ...within("autoScaling", [
          ...checkKnownTypes(pool.autoScaling),
          ...checkGpuCount({
            instanceType: pool.instanceType,
            scaling: pool.autoScaling,
            maySlice: maySliceGpus(args.addOns?.nvidiaDevicePlugin),
          }),
        ]),
      ]
    : [{ property: "autoScaling.clusterAutoscaler", reason }];
}

/** All problems of a pool of Karpenter, alone and with the cluster. */
function checkOfKarpenter(
  pool: KarpenterClusterWorkerPoolArgs,
  args: ChosenClusterArgs,
): PropertyProblem[] {
  const { none, instanceProfileName } = pool.role ?? args.workers?.role ?? {};
  const rows: readonly (readonly [boolean, string, string])[] = [
    [
      args.addOns?.karpenter === undefined,
      "karpenter",
      "nothing launches its machines, or ends them: add addOns.karpenter, and leave that out only after this pool is gone",
    ],
    [
      none === true,
      "role",
      "machines of Karpenter have a role, also if it may do nothing: leave out none for this pool",
    ],
    [
      instanceProfileName !== undefined,
      "role",
      "Karpenter must be allowed to give its machines their role, and that of instanceProfileName isn't known here: leave that out for this pool, so that one is made",
    ],
  ];
  return [
    ...rows.flatMap(([isWrong, property, reason]) => problemAt(property, isWrong && reason)),
    ...within("karpenter", checkKarpenterPool(pool.karpenter)),
    ...checkPoolBeside(pool),
  ];
}

/** The addresses of such machines are unknown. */
function checkWayToApi(
  { subnets = "public", karpenter }: ClusterWorkerPoolArgs,
  args: ChosenClusterArgs,
): PropertyProblem[] {
  if (subnets !== "public" || admitsUnknownAddresses(args)) {
    return [];
  }
  const { exposure = "public" } = args;
  const what = karpenter === undefined ? "an auto scaling group" : "machines of Karpenter";
  const reason = `the Kubernetes API, whose exposure is "${exposure}", allows only known addresses, and those of ${what} in public subnets are unknown: set subnets "private" with network.nat, or exposure "both"`;
  return [{ property: "subnets", reason }];
}

function checkPlace(
  pool: ClusterWorkerPoolArgs,
  { network, facts }: ChosenClusterArgs,
): PropertyProblem[] {
  const { subnets = "public", zones } = pool;
  const unknown = checkWord("subnets", subnets, Object.keys(facts.zones));
  if (unknown.length > 0) {
    return unknown;
  }
  const { zones: _all, ...anywhere } = pool;
  const known = workerZoneKeys(anywhere, facts.zones);
  if (known.length === 0) {
    const how = howToGetSubnets(subnets, network);
    return [{ property: "subnets", reason: `the network has no ${subnets} subnets: ${how}` }];
  }
  const problems: PropertyProblem[] = [];
  const { adopt, nat = "none", internetAccess = true } = network;
  if (subnets !== "public" && adopt === undefined && nat === "none" && internetAccess) {
    const reason = `machines in private subnets have no way out to images and time: set network.nat "single" or "perZone", or subnets "public", or do without the internet and set network.internetAccess false`;
    problems.push({ property: "subnets", reason });
  }
  if (zones?.length === 0) {
    problems.push({ property: "zones", reason: "no zone is named: name one, or leave it out" });
  }
  for (const [index, zone] of (zones ?? []).entries()) {
    if (!known.includes(zone)) {
      const names = known.map((each) => `"${each}"`).join(", ");
      const reason = `the network has no ${subnets} subnet in "${zone}": it has ${names}`;
      problems.push({ property: `zones[${index}]`, reason });
    }
  }
  return problems;
}

function howToGetSubnets(subnets: PoolTier, network: ChosenClusterArgs["network"]): string {
  if (subnets === "worker") {
    return network.adopt === undefined
      ? `set network.workerCidrBlock`
      : `an existing network has none, so name the subnets in network.adopt.privateSubnetIds and set "private"`;
  }
  if (network.adopt !== undefined) {
    return `name them in network.adopt.${subnets}SubnetIds`;
  }
  return subnets === "public"
    ? `set "private", because network.internetAccess is false`
    : `set network.nat "single" or "perZone"`;
}

/** All problems of the labels and taints of a pool's nodes. */
export function checkMetadata({
  labels = {},
  taints = {},
  karpenter,
}: ClusterWorkerPoolArgs): PropertyProblem[] {
  const labelProblems = Object.entries(labels).flatMap(([key, value]) => {
    // Karpenter sets labels itself, and may set all but its own.
    const reserved = karpenter === undefined ? checkWorkerLabel(key) : restrictedLabelProblem(key);
    return [
      ...checkNodeMetadata("nodeLabels", key, value),
      ...(reserved === undefined ? [] : [reserved]),
    ].map((reason) => ({ property: `labels["${key}"]`, reason }));
  });
  const taintProblems = Object.entries(taints).flatMap(([key, value]) =>
    checkNodeMetadata("nodeTaints", key, value).map((reason) => ({
      property: `taints["${key}"]`,
      reason,
    })),
  );
  return [...labelProblems, ...taintProblems];
}

function poolNameProblem(poolName: string): string | undefined {
  if (!/^[a-z]([a-z0-9-]{0,38}[a-z0-9])?$/.test(poolName)) {
    return `"${poolName}" is no name for a pool: 1 to 40 lower-case letters, digits and "-", starting with a letter, not ending in "-"`;
  }
  return TAKEN.includes(poolName)
    ? `"${poolName}" is what something else of the cluster is called: take another name`
    : undefined;
}

/** The problem of the name of a role that is made for a pool. */
export function checkRoleName(name: string, property: string): PropertyProblem[] {
  const reason = roleNameProblem(`${name}-role`);
  return problemAt(property, reason !== undefined && `${reason} for the cluster or the pool`);
}
