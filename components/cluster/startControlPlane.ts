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
  RotationGate,
} from "../../provider";
import type { ControlPlane } from "../controlPlane/controlPlane";
import { defined } from "../defined";
import type { ClusterRotation } from "./makeRotation";
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
  readonly rotation: ClusterRotation;
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
  { controlPlane, access, configuration, secrets, rotation, ways }: ControlPlaneParts,
  child: pulumi.ComponentResourceOptions,
): StartedControlPlane {
  const { credentials } = access;
  const { subnets, delivery, endpoint } = planMachineAccess(args);
  const { drain = {} } = args.controlPlane ?? {};
  const { syncManifests = true } = args;
  const usesPrivate = endpoint !== undefined || subnets === "private";
  // Before any machine's configuration: its kubelet comes with that, and its authorities.
  const gates: (KubernetesUpgrade | RotationGate)[] = [];
  const applies: ConfigurationApply[] = [];
  const members: EtcdMember[] = [];
  const addresses: pulumi.Output<string>[] = [];
  for (const [key, machine] of Object.entries(controlPlane.machines)) {
    const node = usesPrivate ? machine.privateAddress : machine.publicAddress;
    // Deleted after this one, and known before it.
    const before = [...addresses];
    addresses.push(node);
    if (gates.length === 0) {
      gates.push(
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
      if (args.rotation !== undefined) {
        gates.push(
          new RotationGate(
            `${name}-rotation`,
            defined({
              ...{ node, endpoint, credentials, rotation: args.rotation },
              redactedConfiguration: configuration.redactedConfiguration,
            }),
            { ...child, dependsOn: [...ways, ...machine.reachability] },
          ),
        );
      }
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
          ...[...ways, ...machine.reachability, ...gates],
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
      defined({
        ...{ machineId, node, endpoint, privateAddress, credentials, peers: before, drain },
        rotation: rotation.label("talosCa"),
      }),
      { ...child, dependsOn: apply, deletedWith: secrets },
    );
    members.push(member);
  }
  const [first] = applies;
  const [firstAddress] = addresses;
  if (first === undefined || firstAddress === undefined) {
    throw new Error("a control plane has at least one machine");
  }
  const ofFirst = defined({ node: firstAddress, endpoint, credentials });
  const bootstrap = new MachineBootstrap(
    `${name}-bootstrap`,
    // It asks the others that the first has found. Named here, it would wait for machines that are made
    // anew in turn, each when etcd is well: which it never is, in a restore, before this is done.
    defined({ ...ofFirst, recoverFrom: args.recoverFrom }),
    { ...child, dependsOn: first },
  );
  const stage = rotation.label("kubernetesCa");
  const kubeconfig = new ClusterKubeconfig(
    `${name}-kubeconfig`,
    defined({ ...ofFirst, rotation: stage }),
    // The machine makes it of what it has, and every API server has to take it.
    { ...child, dependsOn: stage === undefined ? bootstrap : [bootstrap, ...applies] },
  );
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
