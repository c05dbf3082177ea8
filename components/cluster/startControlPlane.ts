import type * as pulumi from "@pulumi/pulumi";
import {
  type ClientConfiguration,
  ClusterKubeconfig,
  ConfigurationApply,
  MachineBootstrap,
  type MachineConfiguration,
} from "../../provider";
import type { ControlPlane } from "../controlPlane/controlPlane";
import { defined } from "../defined";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import { machinePatches } from "./machinePatches";
import { planMachineAccess } from "./planMachineAccess";

/** The machines of a control plane, and what they are to run. */
export interface ControlPlaneParts {
  readonly controlPlane: ControlPlane;
  readonly access: ClientConfiguration;
  readonly configuration: MachineConfiguration;
  /** What leads to machines, and to the cluster's name. */
  readonly ways: readonly pulumi.Resource[];
}

/** A control plane that runs. */
export interface StartedControlPlane {
  readonly kubeconfig: ClusterKubeconfig;
  /** By which the Talos API names the machines, in the order of their keys. */
  readonly addresses: readonly pulumi.Output<string>[];
  /** That of the first machine. */
  readonly firstAddress: pulumi.Output<string>;
  /** Done when the machines are well with their configuration. */
  readonly applies: readonly ConfigurationApply[];
}

/**
 * Has machines run their configuration and makes them a cluster. They are configured one
 * after the other, so that a change that reboots them leaves etcd its majority, and one that goes
 * wrong stops at the first; meanwhile the first is bootstrapped, so that it hardly takes longer.
 *
 * @param child options of a child of the cluster
 */
export function startControlPlane(
  name: string,
  args: TalosClusterArgs,
  { controlPlane, access, configuration, ways }: ControlPlaneParts,
  child: pulumi.ComponentResourceOptions,
): StartedControlPlane {
  const { credentials } = access;
  const { subnets, delivery, endpoint } = planMachineAccess(args);
  const usesPrivate = endpoint !== undefined || subnets === "private";
  const applies: ConfigurationApply[] = [];
  const addresses: pulumi.Output<string>[] = [];
  for (const [key, machine] of Object.entries(controlPlane.machines)) {
    const node = usesPrivate ? machine.privateAddress : machine.publicAddress;
    addresses.push(node);
    const apply = new ConfigurationApply(
      machine.name,
      defined({
        machineId: machine.instanceId,
        node,
        endpoint,
        privateAddress: machine.privateAddress,
        credentials,
        machineConfiguration: configuration.machineConfiguration,
        redactedConfiguration: configuration.redactedConfiguration,
        patches: machinePatches(args.controlPlane ?? {}, { key, ...machine }),
        delivery,
        onDestroy: { leaveEtcd: true },
        timeoutSeconds: args.applyTimeoutSeconds,
        settledSeconds: args.applySettledSeconds,
      }),
      { ...child, dependsOn: [...ways, ...machine.reachability, ...applies.slice(-1)] },
    );
    applies.push(apply);
  }
  const [first] = applies;
  const [firstAddress, ...peers] = addresses;
  if (first === undefined || firstAddress === undefined) {
    throw new Error("a control plane has at least one machine");
  }
  const ofFirst = defined({ node: firstAddress, endpoint, credentials });
  const bootstrap = new MachineBootstrap(
    `${name}-bootstrap`,
    // Through a load balancer, only those that the first has found can be asked.
    defined({
      ...ofFirst,
      ...(endpoint === undefined && { peers }),
      recoverFrom: args.recoverFrom,
    }),
    { ...child, dependsOn: first },
  );
  const kubeconfig = new ClusterKubeconfig(`${name}-kubeconfig`, ofFirst, {
    ...child,
    dependsOn: bootstrap,
  });
  return { kubeconfig, addresses, firstAddress, applies };
}
