import type { CustomResourceOptions, Output, Resource } from "@pulumi/pulumi";
import type { PulumiFn } from "@pulumi/pulumi/automation";
import { makeRotation } from "../../../components/cluster/makers/makeRotation";
import { defined } from "../../../components/defined";
import {
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationApply,
  EtcdMember,
  KubernetesManifests,
  KubernetesUpgrade,
  MachineBootstrap,
  MachineConfiguration,
  MachineSecrets,
  type MachineType,
  type Patch,
  RotationGate,
} from "../../../provider";
import { LAB } from "../support/labRelease";
import { addressOf, type LifeWish, machinesOf } from "./lifeWish";

/** What the program needs of the lab. */
export interface LifeSurroundings {
  /** The address at which clients and machines reach any API server, on port 6443. */
  readonly balancer: string;
  /** The lab's patch of a role. */
  readonly labPatches: Readonly<Record<"controlplane" | "worker", Patch>>;
  /** The id of a machine: another one after its disk was wiped. */
  readonly machineId: (name: string) => string;
}

/** Ten years, as the cluster's own access has in `TalosCluster`. */
const LIFETIME_HOURS = 87_600;
const DRAIN = { timeoutSeconds: 240 };
const SETTLED_SECONDS = 5;

/**
 * A program with all the product's resources of a cluster, in the order and with the dependencies that `TalosCluster`
 * gives them (components/cluster/makers/startControlPlane.ts, makeWorkerPools.ts), on machines that the lab made instead of AWS.
 *
 * @param wish read anew in each run
 */
export function lifeProgram(wish: () => LifeWish, around: LifeSurroundings): PulumiFn {
  return () => {
    const wanted = wish();
    const { controlPlanes, workers } = wanted;
    const addresses = controlPlanes.map(addressOf);
    const secrets = new MachineSecrets(
      "life-secrets",
      defined({ versionContract: "v1.12", rotation: wanted.rotation }),
    );
    const rotation = makeRotation("life", defined({ rotation: wanted.rotation }), secrets, {});
    const { secretsBundle } = rotation.of("controlplane");
    const { credentials, talosconfig } = new ClientConfiguration(
      "life-access",
      defined({
        clusterName: "life",
        secretsBundle,
        endpoints: addresses,
        acceptedAuthorities: rotation.trusted("talosCa"),
        lifetimeHours: LIFETIME_HOURS,
      }),
    );
    const configurationOf = (machineType: MachineType) =>
      new MachineConfiguration(`life-${machineType}`, {
        ...rotation.of(machineType),
        clusterName: "life",
        endpoint: `https://${around.balancer}:6443`,
        machineType,
        platform: "metal",
        talosVersion: LAB.talos,
        versionContract: secrets.versionContract,
        kubernetesVersion: wanted.kubernetesVersion,
        installDisk: "/dev/sda",
        patches: [
          around.labPatches[machineType === "worker" ? "worker" : "controlplane"],
          ...((machineType === "worker" ? wanted.patches?.worker : wanted.patches?.controlplane) ??
            []),
        ],
      });
    const controlPlane = configurationOf("controlplane");
    const gates: Resource[] = [];
    const applies: ConfigurationApply[] = [];
    const members: EtcdMember[] = [];
    const apply = (
      name: string,
      configuration: MachineConfiguration,
      more: {
        readonly drain: object;
        readonly patches?: Output<Patch>[];
        readonly onDestroy?: object;
      },
      opts: CustomResourceOptions,
    ) => {
      const { machineConfiguration, redactedConfiguration, revision } = configuration;
      return new ConfigurationApply(
        name,
        defined({
          machineId: around.machineId(name),
          node: addressOf(name),
          privateAddress: addressOf(name),
          credentials,
          machineConfiguration,
          redactedConfiguration,
          revision,
          ...more,
          timeoutSeconds: wanted.applyTimeoutSeconds,
          settledSeconds: SETTLED_SECONDS,
          manifestsFollow: true,
        }),
        opts,
      );
    };
    for (const [index, name] of controlPlanes.entries()) {
      const node = addressOf(name);
      const machineId = around.machineId(name);
      if (index === 0) {
        const { redactedConfiguration, revision } = controlPlane;
        const asked = { machineId, node, credentials, redactedConfiguration };
        gates.push(
          new KubernetesUpgrade("life-kubernetes", {
            ...asked,
            revision,
            settledSeconds: SETTLED_SECONDS,
            drain: DRAIN,
          }),
        );
        if (wanted.rotation !== undefined) {
          gates.push(new RotationGate("life-rotation", { ...asked, rotation: wanted.rotation }));
        }
      }
      const patch = index === 0 ? rotation.firstMachinePatch : undefined;
      const configured = apply(
        name,
        controlPlane,
        {
          drain: DRAIN,
          onDestroy: { leaveEtcd: true },
          ...(patch !== undefined && { patches: [patch] }),
        },
        {
          dependsOn: [...gates, ...applies.slice(-1), ...members.slice(-1)],
          retainOnDelete: true,
        },
      );
      applies.push(configured);
      members.push(
        new EtcdMember(
          name,
          defined({
            machineId,
            node,
            privateAddress: node,
            credentials,
            peers: addresses.slice(0, index),
            drain: DRAIN,
            rotation: rotation.label("talosCa"),
          }),
          { dependsOn: configured, deletedWith: secrets },
        ),
      );
    }
    const [first = ""] = addresses;
    const bootstrap = new MachineBootstrap(
      "life-bootstrap",
      defined({ node: first, credentials, recoverFrom: wanted.recoverFrom }),
      { dependsOn: applies.slice(0, 1) },
    );
    const stage = rotation.label("kubernetesCa");
    const { kubeconfig } = new ClusterKubeconfig(
      "life-kubeconfig",
      defined({
        node: first,
        credentials,
        rotation: stage,
        renewalWindowHours: wanted.kubeconfigRenewalHours,
      }),
      { dependsOn: stage === undefined ? bootstrap : [bootstrap, ...applies] },
    );
    const manifests = new KubernetesManifests(
      "life-manifests",
      defined({
        nodes: addresses,
        credentials,
        redactedConfiguration: controlPlane.redactedConfiguration,
        revision: controlPlane.revision,
        timeoutSeconds: wanted.manifestsTimeoutSeconds ?? 900,
      }),
      { dependsOn: [bootstrap, ...applies], deletedWith: secrets },
    );
    const worker = configurationOf("worker");
    const configuredWorkers: ConfigurationApply[] = [];
    for (const name of workers) {
      configuredWorkers.push(
        apply(
          name,
          worker,
          { drain: { ...DRAIN, controlPlanes: addresses, removeNode: true } },
          { dependsOn: [...applies, ...configuredWorkers.slice(-1)], deletedWith: secrets },
        ),
      );
    }
    const machines = [...applies, ...configuredWorkers];
    new ClusterHealth(
      "life-health",
      defined({
        controlPlaneNodes: addresses,
        workerNodes: workers.map(addressOf),
        credentials,
        kubeconfig,
        rotation: wanted.rotation,
        triggers: machines.map(({ configurationHash }) => configurationHash),
      }),
      { dependsOn: [...machines, ...members, manifests] },
    );
    return Promise.resolve({ kubeconfig, talosconfig, credentials, machines: machinesOf(wanted) });
  };
}
