import * as pulumi from "@pulumi/pulumi";
import { madeOf } from "../../../provider/engine/markedInputs";
import { workerSecrets } from "../../../provider/pki/workerSecrets";
import { readPatchArgument } from "../../../provider/render/readPatchFiles";
import { drainSecondsOf } from "../../addOns/addOnOptions";
import { defined } from "../../defined";
import type { PoolTier } from "../../network/planSubnets";
import { reachableControlPlanes } from "../makers/makePoolMachines";
import type { WorkerSurroundings } from "../makers/workerSurroundings";
import { acceptedOfMachines } from "../plan/planBirth";
import type { ClusterPlan } from "../plan/planCluster";
import { admitsUnknownAddresses } from "../plan/planMachineAccess";
import { subnetsOf } from "../plan/workerZones";
import { plannedSettingsOf } from "../planned/plannedSettings";
import type { ClusterJoin } from "./clusterJoin";

/** What a pool in the cluster's own program also follows. */
type Surroundings = Pick<WorkerSurroundings, "bootAfter" | "configureAfter" | "secrets">;

/** By what was handed out. Data of another stack has none. */
const surroundings = new WeakMap<object, Surroundings>();

/** What a cluster hands out for pools that are made elsewhere. */
export function makeJoin(args: ClusterPlan, around: WorkerSurroundings): ClusterJoin {
  const { machineConfiguration: options = {}, patches = [] } = args.workers;
  const { secretsBundle, ...shared } = around.configuration;
  const { clusterName, endpoint, firewall } = around;
  const join: ClusterJoin = defined({
    clusterName,
    securityGroupId: firewall.workerGroupId,
    apiGroupId: around.publicApiGroupId ?? firewall.controlPlaneGroupId,
    admitsUnknownAddresses: admitsUnknownAddresses(args),
    subnets: {
      public: idsOf(subnetsOf(around.network, "public")),
      private: idsOf(subnetsOf(around.network, "private")),
      worker: idsOf(subnetsOf(around.network, "worker")),
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
    acceptedChanges: acceptedOfMachines(args, around.identity),
    administration: defined({
      credentials: pulumi.secret(around.credentials),
      talosEndpoint: around.talosEndpoint,
      controlPlanes: reachableControlPlanes(around),
      controlPlaneEndpoint: args.facts.access.endpoint,
      kubernetes: pulumi.secret(around.kubernetes),
    }),
  });
  surroundings.set(join, around);
  return join;
}

/** What a pool follows in the program that made what it joins; undefined in another one. */
export function surroundingsOf(join: object): Surroundings | undefined {
  return surroundings.get(join);
}

function idsOf(subnets: ReturnType<typeof subnetsOf>): ClusterJoin["subnets"][PoolTier] {
  return Object.fromEntries(Object.entries(subnets).map(([key, { id }]) => [key, id]));
}
