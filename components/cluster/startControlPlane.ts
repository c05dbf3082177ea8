import type * as pulumi from "@pulumi/pulumi";
import {
  type ClientConfiguration,
  ClusterKubeconfig,
  ConfigurationApply,
  EtcdMember,
  KubernetesManifests,
  KubernetesUpgrade,
  MachineBootstrap,
  type MachineConfiguration,
  type MachineSecrets,
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
  /** With which the whole cluster goes. */
  readonly secrets: MachineSecrets;
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
  /** Done when machines that were replaced are out of etcd, and those in their place are in. */
  readonly members: readonly EtcdMember[];
}

/**
 * Has machines run their configuration and makes them a cluster. They are configured one
 * after the other, so that a change that reboots them leaves etcd its majority, and one that goes
 * wrong stops at the first; meanwhile the first is bootstrapped, so that it hardly takes longer. Another
 * Kubernetes reaches the control plane's parts before that, and kubelets with their machines. A machine
 * that is replaced is out of etcd before the next one is configured; machines that are removed leave etcd
 * one after the other, the last first, before their instances go.
 *
 * @param child options of a child of the cluster
 */
export function startControlPlane(
  name: string,
  args: TalosClusterArgs,
  { controlPlane, access, configuration, secrets, ways }: ControlPlaneParts,
  child: pulumi.ComponentResourceOptions,
): StartedControlPlane {
  const { credentials } = access;
  const { subnets, delivery, endpoint } = planMachineAccess(args);
  const { drain = {} } = args.controlPlane ?? {};
  const { syncManifests = true } = args;
  const usesPrivate = endpoint !== undefined || subnets === "private";
  // Before any machine's configuration, which brings its kubelet.
  const upgrades: KubernetesUpgrade[] = [];
  const applies: ConfigurationApply[] = [];
  const members: EtcdMember[] = [];
  const addresses: pulumi.Output<string>[] = [];
  for (const [key, machine] of Object.entries(controlPlane.machines)) {
    const node = usesPrivate ? machine.privateAddress : machine.publicAddress;
    // Deleted after this one, and known before it.
    const before = [...addresses];
    addresses.push(node);
    if (upgrades.length === 0) {
      upgrades.push(
        new KubernetesUpgrade(
          `${name}-kubernetes`,
          defined({
            machineId: machine.instanceId,
            node,
            endpoint,
            credentials,
            redactedConfiguration: configuration.redactedConfiguration,
            settledSeconds: args.applySettledSeconds,
          }),
          { ...child, dependsOn: [...ways, ...machine.reachability] },
        ),
      );
    }
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
        // As it was before there were members: a change of it would show as one of the machine.
        onDestroy: { leaveEtcd: true },
        drain,
        manifestsFollow: syncManifests,
        timeoutSeconds: args.applyTimeoutSeconds,
        settledSeconds: args.applySettledSeconds,
      }),
      {
        ...child,
        dependsOn: [
          ...[...ways, ...machine.reachability, ...upgrades],
          ...[...applies.slice(-1), ...members.slice(-1)],
        ],
        // Its member is what leaves etcd.
        retainOnDelete: true,
      },
    );
    applies.push(apply);
    const { instanceId: machineId, privateAddress } = machine;
    const member = new EtcdMember(
      machine.name,
      defined({ machineId, node, endpoint, privateAddress, credentials, peers: before, drain }),
      { ...child, dependsOn: apply, deletedWith: secrets },
    );
    members.push(member);
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
  if (syncManifests) {
    new KubernetesManifests(
      `${name}-manifests`,
      defined({
        nodes: addresses,
        endpoint,
        credentials,
        redactedConfiguration: configuration.redactedConfiguration,
      }),
      { ...child, dependsOn: [kubeconfig, ...applies], deletedWith: secrets },
    );
  }
  return { kubeconfig, addresses, firstAddress, applies, members };
}
