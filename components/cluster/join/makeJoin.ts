import * as pulumi from "@pulumi/pulumi";
import { madeOf } from "../../../provider/engine";
import { workerSecrets } from "../../../provider/pki";
import { readPatchArgument } from "../../../provider/render";
import { drainSecondsOf } from "../../addOns/addOnOptions";
import { defined } from "../../defined";
import type { PoolTier } from "../../network/planSubnets";
import { reachableControlPlanes } from "../makers/makePoolMachines";
import type { PoolDependencies } from "../makers/poolDependencies";
import { acceptedOfMachines } from "../plan/planBirth";
import type { ClusterPlan } from "../plan/planCluster";
import { admitsUnknownAddresses } from "../plan/planMachineAccess";
import { subnetsOf } from "../plan/workerZones";
import { plannedSettingsOf } from "../planned/plannedSettings";
import type { ClusterJoin } from "./clusterJoin";

/** What a pool in the cluster's own program also follows. */
type OwnDependencies = Pick<
  PoolDependencies,
  "bootDependsOn" | "configurationDependsOn" | "secrets"
>;

/** By what was handed out. Data of another stack has none. */
const ownDependencies = new WeakMap<object, OwnDependencies>();

/** What a cluster hands out for pools that are made elsewhere. */
export function makeJoin(args: ClusterPlan, dependencies: PoolDependencies): ClusterJoin {
  const { machineConfiguration: options = {}, patches = [] } = args.workers;
  const { secretsBundle, ...shared } = dependencies.configuration;
  const { clusterName, endpoint, firewall } = dependencies;
  const join: ClusterJoin = defined({
    clusterName,
    securityGroupId: firewall.workerGroupId,
    apiGroupId: dependencies.publicApiGroupId ?? firewall.controlPlaneGroupId,
    admitsUnknownAddresses: admitsUnknownAddresses(args),
    subnets: {
      public: idsOf(subnetsOf(dependencies.network, "public")),
      private: idsOf(subnetsOf(dependencies.network, "private")),
      worker: idsOf(subnetsOf(dependencies.network, "worker")),
    },
    configuration: {
      ...shared,
      talosVersion: args.talosVersion,
      secretsBundle: pulumi.secret(secretsBundle).apply(workerSecrets),
      plannedSettings: plannedSettingsOf({ args, role: "worker", clusterName, endpoint }),
    },
    options,
    // Files are in the folder of this program. Which parts of them are secret, this program knows.
    patches: madeOf(pulumi.secret(readPatchArgument(patches)), patches),
    drainSeconds: drainSecondsOf(args.addOns ?? {}),
    acceptedChanges: acceptedOfMachines(args, dependencies.identity),
    administration: defined({
      credentials: pulumi.secret(dependencies.credentials),
      talosEndpoint: dependencies.talosEndpoint,
      controlPlanes: reachableControlPlanes(dependencies),
      controlPlaneEndpoint: args.facts.access.endpoint,
      kubernetes: pulumi.secret(dependencies.kubernetes),
    }),
  });
  ownDependencies.set(join, dependencies);
  return join;
}

/** What a pool follows in the program that made what it joins; undefined in another one. */
export function dependenciesOf(join: object): OwnDependencies | undefined {
  return ownDependencies.get(join);
}

function idsOf(subnets: ReturnType<typeof subnetsOf>): ClusterJoin["subnets"][PoolTier] {
  return Object.fromEntries(Object.entries(subnets).map(([key, { id }]) => [key, id]));
}
