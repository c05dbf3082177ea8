import * as pulumi from "@pulumi/pulumi";
import {
  MachineConfiguration,
  type MachineSecrets,
  type MachineType,
  type Patch,
} from "../../../provider";
import { madeOf } from "../../../provider/engine/markedInputs";
import { defined } from "../../defined";
import type { OwnManifest } from "../addOns/makeOwnManifests";
import { withOwnManifests } from "../addOns/withOwnManifests";
import { ownPatches, workerPatches } from "../plan/machinePatches";
import type { ClusterPlan } from "../plan/planCluster";
import { plannedSettingsOf } from "../planned/plannedSettings";
import { type ClusterIdentity, issuerPatches } from "./makeIdentity";
import type { ClusterRotation } from "./makeRotation";

/**
 * The root volume's name on Nitro machines, whatever its name in EC2 (`/dev/xvda` in Talos'
 * images). It only has to be valid: the image is already installed, and Talos upgrades its own
 * disk.
 */
const INSTALL_DISK = "/dev/nvme0n1";

/** The inputs that all machine configurations of a cluster share. */
interface ConfigurationSources {
  readonly clusterName: pulumi.Output<string>;
  /** URL of the Kubernetes API. */
  readonly endpoint: pulumi.Output<string>;
  readonly secrets: MachineSecrets;
  readonly rotation: ClusterRotation;
}

/** The arguments of every machine configuration of a role. */
export function configurationOf(
  role: MachineType,
  args: ClusterPlan,
  { clusterName, endpoint, secrets, rotation }: ConfigurationSources,
) {
  const { podCidrs, serviceCidrs } = args.facts.ranges;
  return {
    clusterName,
    endpoint,
    ...rotation.of(role),
    platform: "aws" as const,
    talosVersion: args.talosVersion,
    versionContract: secrets.versionContract,
    contractDefaults: args.contractDefaults,
    newDefaults: args.newDefaults,
    kubernetesVersion: args.kubernetesVersion,
    installDisk: INSTALL_DISK,
    cni: args.facts.podNetwork.cni,
    kubeSpan: args.kubeSpan,
    podCidrs: [...podCidrs],
    serviceCidrs: [...serviceCidrs],
  };
}

/**
 * Creates the configuration of all control plane machines, with the manifests of add-ons.
 *
 * @param identity whose issuer the API servers name in tokens; undefined without `irsa`
 * @param manifests this package's own that are in it
 */
export function makeControlPlaneConfiguration(
  name: string,
  args: ClusterPlan,
  sources: ConfigurationSources,
  identity: ClusterIdentity | undefined,
  manifests: readonly OwnManifest[],
  opts: pulumi.CustomResourceOptions,
): MachineConfiguration {
  const { endpoint: accessEndpoint } = args.facts.access;
  const { certSans: sans, inlineManifests } = args.machineConfiguration;
  const certSans = pulumi.output(sans);
  const { clusterName, endpoint, secrets } = sources;
  const patches = pulumi.output(args.patches);
  const { versionContract } = secrets;
  // The user's patches come after these, and so can change what they say.
  const first = [
    ...(identity === undefined ? [] : [issuerPatches(identity, { endpoint, versionContract })]),
    ...(args.kubeconfigLifetimeHours === undefined ? [] : [kubeconfigPatches(args)]),
  ];
  return new MachineConfiguration(
    `${name}-control-plane`,
    defined({
      ...args.machineConfiguration,
      // Machines know their own names and addresses, but not a load balancer's name.
      ...(accessEndpoint !== undefined && {
        certSans: madeOf(
          certSans.apply((given) => [...(given ?? []), accessEndpoint]),
          sans,
        ),
      }),
      ...(manifests.length > 0 && {
        // What is secret in the add-ons' own manifests is known by its place.
        inlineManifests: madeOf(withOwnManifests(inlineManifests, manifests), inlineManifests),
      }),
      ...configurationOf("controlplane", args, sources),
      machineType: "controlplane" as const,
      patches:
        first.length === 0
          ? args.patches
          : madeOf(
              pulumi
                .all([pulumi.all(first), patches])
                .apply(([own, given]) => [...own.flat(), ...(given ?? [])]),
              args.patches,
            ),
      machinePatches: ownPatches(args.controlPlane.machines),
      otherPatches: workerPatches(args),
      nodeCount: args.facts.mostNodes,
      controlPlaneCount: args.machines.controlPlane.named.length,
      plannedSettings: plannedSettingsOf({
        ...{ args, role: "controlplane", clusterName, endpoint: sources.endpoint },
        issuer: identity?.issuer,
        machineCount: args.machines.controlPlane.named.length,
      }),
    }),
    opts,
  );
}

/** Machines sign administrators' certificates for as long as their configuration says. */
function kubeconfigPatches({ kubeconfigLifetimeHours: hours }: ClusterPlan): Patch[] {
  return hours === undefined
    ? []
    : [{ cluster: { adminKubeconfig: { certLifetime: `${hours}h0m0s` } } }];
}
