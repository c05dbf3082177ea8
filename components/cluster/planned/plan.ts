import type * as pulumi from "@pulumi/pulumi";
import type { MachineType, PlannedSetting } from "../../../provider";
import type { ServiceAccountIssuer } from "../../identity/serviceAccountIssuer";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import type {
  ClusterWorkerConfigurationArgs,
  ClusterWorkerPoolArgs,
} from "../arguments/clusterWorkersArgs";
import type { ClusterPlan } from "../plan/planCluster";

/** What a role's machines are planned by. */
export interface Plan {
  /** With what the add-ons need: `withAddOns`. */
  readonly args: ClusterPlan;
  readonly role: MachineType;
  readonly clusterName: pulumi.Output<string>;
  /** URL of the Kubernetes API. */
  readonly endpoint: pulumi.Output<string>;
  /** Undefined without `irsa`, and for workers. */
  readonly issuer?: Pick<ServiceAccountIssuer, "url" | "keysUrl"> | undefined;
  /** Of workers. */
  readonly pool?: ClusterWorkerPoolArgs | undefined;
  /** How many machines share the configuration; undefined for an auto scaling group. */
  readonly machineCount?: number | undefined;
}

/** A planned setting whose value may be known later. */
export type Planned = Omit<PlannedSetting, "value"> & {
  readonly value?: pulumi.Input<PlannedSetting["value"]>;
};

/** Settings by their paths, as `PlannedSettings`. */
export type PlannedPlaces = Readonly<Record<string, Planned>>;

/**
 * A flag in both of its spellings: to Talos they are two flags, to the program one.
 *
 * @param program the path of the program: `cluster.apiServer`
 */
export function plannedFlag(program: string, flag: string, setting: Planned): PlannedPlaces {
  const spellings = [...new Set([flag, flag.replaceAll("-", "_")])];
  return Object.fromEntries(
    spellings.map((spelling) => [`${program}.extraArgs.${spelling}`, setting] as const),
  );
}

/** The places of several settings in one. */
export function joined(places: readonly PlannedPlaces[]): PlannedPlaces {
  return Object.fromEntries(places.flatMap((each) => Object.entries(each)));
}

/** Whether the machines are control planes. */
export function isControlPlane({ role }: Plan): boolean {
  return role === "controlplane";
}

/** The options of a role's machines; those of a pool come first. */
export function optionsOf({
  args,
  role,
  pool,
}: Plan): ClusterWorkerConfigurationArgs & ClusterMachineConfigurationArgs {
  return role === "controlplane"
    ? args.machineConfiguration
    : { ...args.workers.machineConfiguration, ...pool?.machineConfiguration };
}
