import * as pulumi from "@pulumi/pulumi";
import { type ClientConfiguration, ClusterHealth } from "../../../provider";
import type { ControlPlaneMachine } from "../../controlPlane/controlPlane";
import { defined } from "../../defined";
import { StoppedMachines } from "../../machines/stoppedMachines";
import type { ClusterPlan } from "../plan/planCluster";
import type { ClusterWorkers } from "./makeWorkerPools";
import type { StartedControlPlane } from "./startControlPlane";

/**
 * Waits until a cluster is healthy: its control plane, its workers, and the minimum number of
 * machines in auto scaling groups.
 *
 * @param child options of a child of the cluster
 */
export function makeClusterHealth(
  name: string,
  args: ClusterPlan,
  parts: {
    readonly access: ClientConfiguration;
    readonly controlPlanes: readonly ControlPlaneMachine[];
    readonly started: StartedControlPlane;
    readonly workers: ClusterWorkers;
    readonly karpenter: pulumi.Resource | undefined;
  },
  child: pulumi.CustomResourceOptions,
): ClusterHealth {
  const { access, controlPlanes, started, workers, karpenter } = parts;
  const { minimumUnnamed } = workers;
  const hasWorkers = workers.machines.length > 0;
  const stopped = new StoppedMachines(`${name}-health`, access);
  [...controlPlanes, ...workers.machines].forEach((machine) => stopped.add(machine));
  return new ClusterHealth(
    `${name}-health`,
    defined({
      controlPlaneNodes: [...started.addresses],
      workerNodes: hasWorkers ? workers.machines.map((each) => each.privateAddress) : undefined,
      minimumOtherNodes: minimumUnnamed > 0 ? minimumUnnamed : undefined,
      endpoint: args.facts.access.endpoint,
      workerEndpoint: hasWorkers ? started.talosEndpoint : undefined,
      credentials: access.credentials,
      kubeconfig: started.kubeconfig.kubeconfig,
      rotation: args.rotation,
      redactedConfiguration: started.redactedConfiguration,
      gates: args.facts.healthGates,
      triggers: [
        // A change of it restarts machines, whose addresses may stay.
        pulumi.output(args.machines.controlPlane.instanceType),
        ...started.applies.map(({ configurationHash }) => configurationHash),
        ...workers.machines.map(({ configured }) => configured.configurationHash),
      ],
    }),
    {
      ...child,
      ...stopped.hooks(),
      dependsOn: [
        ...started.applies,
        ...started.members,
        ...(started.objects === undefined ? [] : [started.objects]),
        ...workers.machines.map(({ configured }) => configured),
        ...workers.pools,
        ...(karpenter === undefined ? [] : [karpenter]),
      ],
    },
  );
}
