import * as pulumi from "@pulumi/pulumi";
import {
  type ClientConfiguration,
  ClusterKubeconfig,
  ConfigurationApply,
  EtcdMember,
  FirstContact,
  KubernetesManifests,
  type KubernetesObjects,
  KubernetesUpgrade,
  MachineBootstrap,
  type MachineConfiguration,
  type MachineSecrets,
  RotationGate,
} from "../../../provider";
import type { ControlPlane, ControlPlaneMachine } from "../../controlPlane/controlPlane";
import { defined } from "../../defined";
import { machineConsole, warnOfUnproven } from "../../machines/machineConsole";
import type { StoppedMachines } from "../../machines/stoppedMachines";
import type { NodeObserver } from "../../workers/nodeObserver";
import type { OwnManifest } from "../addOns/makeOwnManifests";
import { machinePatches } from "../plan/machinePatches";
import { acceptedOfMachines } from "../plan/planBirth";
import type { ClusterPlan } from "../plan/planCluster";
import { forgetEndedNodes, observeNodes } from "./clusterNodes";
import { makeObjects } from "./makeObjects";
import type { ClusterRotation } from "./makeRotation";
import { abandonedLists, type ListName, warnOfAbandoned } from "./unfinishedLists";

/** The machines of a control plane, and their configuration. */
export interface ControlPlaneParts {
  readonly controlPlane: ControlPlane;
  readonly access: ClientConfiguration;
  readonly configuration: MachineConfiguration;
  /** The resource that is deleted with the whole cluster. */
  readonly secrets: MachineSecrets;
  readonly rotation: ClusterRotation;
  /** Manifests of this package's own that are applied after the bootstrap. */
  readonly lateManifests: readonly OwnManifest[];
  /** Whether Karpenter comes later, in a list of its own. */
  readonly hasKarpenter: boolean;
  readonly vpcId: pulumi.Output<string>;
  /** Ends steps that need a stopped machine. */
  readonly stopped: StoppedMachines;
  /** Resources that lead to machines and to the cluster's name. */
  readonly dependsOn: readonly pulumi.Resource[];
}

/** A running control plane. */
export interface StartedControlPlane {
  /** The outline of the machines' configuration. */
  readonly redactedConfiguration: MachineConfiguration["redactedConfiguration"];
  readonly kubeconfig: ClusterKubeconfig;
  /** Addresses of the machines for the Talos API, in the order of their keys. */
  readonly addresses: readonly pulumi.Output<string>[];
  /** The Talos API that forwards to workers. */
  readonly talosEndpoint: pulumi.Output<string>;
  /** How to ask Kubernetes whether nodes are ready; undefined if `up` does not wait for that. */
  readonly kubernetes: pulumi.Output<NodeObserver | undefined>;
  /** The same, also where `up` doesn't wait for nodes; known when the machines have their configuration. */
  readonly configured: pulumi.Output<NodeObserver>;
  /** Done when the machines are healthy with their configuration. */
  readonly applies: readonly ConfigurationApply[];
  /** Done when replaced machines have left etcd and their successors have joined. */
  readonly members: readonly EtcdMember[];
  /** Done when the objects are applied that are no part of the configuration; undefined without any. */
  readonly objects: KubernetesObjects | undefined;
}

/**
 * Configures the machines and makes them a cluster. Machines are configured one after another: a
 * reboot leaves etcd its majority, and a failed change stops at the first machine. Meanwhile the
 * first machine is bootstrapped, so this takes hardly longer. A new Kubernetes reaches the control
 * plane's components first, and kubelets with their machines. A replaced machine leaves etcd before
 * the next one is configured. Removed machines leave etcd one after another, the last one first,
 * before their instances are deleted.
 *
 * @param child options of a child of the cluster
 */
export function startControlPlane(
  name: string,
  args: ClusterPlan,
  {
    controlPlane,
    access,
    configuration,
    secrets,
    rotation,
    lateManifests,
    hasKarpenter,
    vpcId,
    stopped,
    dependsOn,
  }: ControlPlaneParts,
  child: pulumi.ComponentResourceOptions,
): StartedControlPlane {
  const { parent } = child;
  const { credentials } = access;
  const { subnets, delivery, endpoint, firstContact } = args.facts.access;
  const { drain = {}, fixedAddresses } = args.controlPlane;
  const { syncManifests = true } = args;
  const usesPrivate = endpoint !== undefined || subnets === "private";
  // It comes before any machine's configuration, which contains the kubelet and the CAs.
  const gates: (KubernetesUpgrade | RotationGate)[] = [];
  const whileOn = stopped.hooks();
  const acceptedChanges = acceptedOfMachines(args, rotation.identity);
  const applies: ConfigurationApply[] = [];
  const members: EtcdMember[] = [];
  const addresses: pulumi.Output<string>[] = [];
  const unproven: string[] = [];
  for (const [key, machine] of Object.entries(controlPlane.machines)) {
    stopped.add(machine);
    const node = usesPrivate ? machine.privateAddress : machine.publicAddress;
    // A machine whose address is no longer fixed gets another one from AWS while it runs.
    const laterAddress =
      fixedAddresses === false && !usesPrivate ? machine.publicAddress : machine.fixedAddress;
    // They are deleted after this one, and known before it.
    const before = [...addresses];
    const isFirst = before.length === 0;
    addresses.push(node);
    if (isFirst) {
      gates.push(
        new KubernetesUpgrade(
          `${name}-kubernetes`,
          defined({
            machineId: machine.instanceId,
            node,
            endpoint,
            credentials,
            redactedConfiguration: configuration.redactedConfiguration,
            revision: configuration.revision,
            settledSeconds: args.applySettledSeconds,
            drain,
          }),
          { ...child, ...whileOn, dependsOn: [...dependsOn, ...machine.reachability] },
        ),
      );
      if (args.rotation !== undefined) {
        gates.push(
          new RotationGate(
            `${name}-rotation`,
            defined({
              machineId: machine.instanceId,
              node,
              endpoint,
              credentials,
              rotation: args.rotation,
              redactedConfiguration: configuration.redactedConfiguration,
            }),
            { ...child, ...whileOn, dependsOn: [...dependsOn, ...machine.reachability] },
          ),
        );
      }
    }
    const after = [
      ...dependsOn,
      ...machine.reachability,
      ...gates,
      ...applies.slice(-1),
      ...members.slice(-1),
    ];
    const maintenanceFingerprints = args.controlPlane.machines?.[key]?.maintenanceFingerprints;
    if (firstContact === "firstAnswer" && maintenanceFingerprints === undefined) {
      unproven.push(machine.name);
    }
    const console =
      firstContact === "console" ? machineConsole(machine.instanceArn, parent) : undefined;
    // A machine that has booted with its configuration is never trusted without a certificate.
    const contact =
      delivery === "apply"
        ? new FirstContact(
            machine.name,
            defined({
              machineId: machine.instanceId,
              node,
              endpoint,
              credentials,
              maintenanceFingerprints,
              console,
              timeoutSeconds: args.applyTimeoutSeconds,
            }),
            { ...child, ...whileOn, dependsOn: after },
          )
        : undefined;
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
        revision: configuration.revision,
        machineRevision: configuration.machineRevisions.apply((counts) => counts?.[key]),
        patches: machinePatches(
          args.controlPlane,
          { key, laterAddress },
          isFirst ? rotation.firstMachinePatch : undefined,
        ),
        delivery,
        maintenanceFingerprints,
        firstContact: contact?.fingerprints,
        console,
        // The value from before there were members: a change would show as a change of the machine.
        onDestroy: { leaveEtcd: true },
        drain,
        acceptedChanges,
        manifestsFollow: syncManifests,
        timeoutSeconds: args.applyTimeoutSeconds,
        settledSeconds: args.applySettledSeconds,
      }),
      {
        ...child,
        ...whileOn,
        dependsOn: contact === undefined ? after : [...after, contact],
        // `EtcdMember` makes the machine leave etcd.
        retainOnDelete: true,
      },
    );
    applies.push(apply);
    const { instanceId: machineId, privateAddress } = machine;
    const member = new EtcdMember(
      machine.name,
      defined({
        machineId,
        node,
        endpoint,
        privateAddress,
        credentials,
        peers: before,
        drain,
        rotation: rotation.label("talosCa"),
      }),
      { ...child, ...whileOn, dependsOn: apply, deletedWith: secrets },
    );
    members.push(member);
  }
  warnOfUnproven(unproven, parent);
  const [first] = applies;
  const [firstAddress] = addresses;
  if (first === undefined || firstAddress === undefined) {
    throw new Error("a control plane has at least one machine");
  }
  const ofFirst = defined({ node: firstAddress, endpoint, credentials });
  const bootstrap = new MachineBootstrap(
    `${name}-bootstrap`,
    // It asks the machines that the first one has discovered. As inputs, it would wait for them. In
    // a restore they are recreated one after another, each when etcd is healthy, which needs this
    // bootstrap first.
    defined({ ...ofFirst, recoverFrom: args.recoverFrom }),
    { ...child, dependsOn: first },
  );
  const stage = rotation.label("kubernetesCa");
  const kubeconfig = new ClusterKubeconfig(
    `${name}-kubeconfig`,
    defined({ ...ofFirst, rotation: stage, lifetimeHours: args.kubeconfigLifetimeHours }),
    // The machine generates it from its configuration, and every API server must accept it.
    { ...child, dependsOn: stage === undefined ? bootstrap : [bootstrap, ...applies] },
  );
  const talosEndpoint =
    endpoint === undefined
      ? firstThatIsOn(Object.values(controlPlane.machines), usesPrivate)
      : pulumi.output(endpoint);
  const kubernetes = observeNodes(args, kubeconfig.kubeconfig, talosEndpoint);
  const forgotten = forgetEndedNodes(kubernetes, vpcId, child.parent);
  const configured = pulumi
    .all([kubeconfig.kubeconfig, talosEndpoint, pulumi.all(applies.map(({ id }) => id))])
    .apply(([known, dialled]) => ({ kubeconfig: known, endpoint: dialled }));
  const objects = makeObjects(
    name,
    args,
    lateManifests,
    defined({ nodes: addresses, endpoint, credentials }),
    configured,
    {
      ...child,
      // Talos no longer has a manifest whose objects move here, and already has one that comes back.
      dependsOn: forgotten.apply(() => [kubeconfig, ...applies]),
      deletedWith: secrets,
    },
  );
  const lists: ListName[] = [
    ...(objects === undefined ? [] : (["cluster"] as const)),
    ...(hasKarpenter ? (["karpenter"] as const) : []),
  ];
  const abandonedInventories = abandonedLists(lists, configured);
  if (!syncManifests) {
    warnOfAbandoned(abandonedInventories, parent);
  } else {
    new KubernetesManifests(
      `${name}-manifests`,
      defined({
        nodes: addresses,
        endpoint,
        credentials,
        redactedConfiguration: configuration.redactedConfiguration,
        revision: configuration.revision,
        abandonedInventories,
      }),
      {
        ...child,
        // The node of an ended machine would hold up the rollouts.
        dependsOn: forgotten.apply(() => [
          kubeconfig,
          ...applies,
          ...(objects === undefined ? [] : [objects]),
        ]),
        deletedWith: secrets,
      },
    );
  }
  const { redactedConfiguration } = configuration;
  return {
    redactedConfiguration,
    kubeconfig,
    addresses,
    talosEndpoint,
    kubernetes,
    configured,
    applies,
    members,
    objects,
  };
}

/**
 * The address of the first machine that isn't stopped, or else of the first one. A later machine is only
 * looked at if the ones before are stopped, so that a change of its address changes nothing here.
 */
function firstThatIsOn(
  machines: readonly ControlPlaneMachine[],
  usesPrivate: boolean,
): pulumi.Output<string> {
  const addressOf = ({ privateAddress, publicAddress }: ControlPlaneMachine) =>
    usesPrivate ? privateAddress : publicAddress;
  const [first] = machines;
  const choose = (among: readonly ControlPlaneMachine[]): pulumi.Output<string> => {
    const [candidate, ...others] = among;
    return candidate === undefined
      ? pulumi.output(first && addressOf(first)).apply((address = "") => address)
      : pulumi
          .all([addressOf(candidate), candidate.isStopped])
          .apply(([address, isStopped]) =>
            isStopped || address === "" ? choose(others) : pulumi.output(address),
          );
  };
  return choose(machines);
}
