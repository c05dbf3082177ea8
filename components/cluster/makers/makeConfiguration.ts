import * as pulumi from "@pulumi/pulumi";
import {
  MachineConfiguration,
  type MachineSecrets,
  type MachineType,
  type Patch,
} from "../../../provider";
import { madeOf } from "../../../provider/engine";
import type { KnownAccess } from "../../access/planAuthentication";
import { ACCESS_MANIFEST, planGroupRoles } from "../../access/planGroupRoles";
import { defined } from "../../defined";
import type { OwnManifest } from "../addOns/makeOwnManifests";
import { withOwnManifests } from "../addOns/withOwnManifests";
import { ownPatches, workerPatches } from "../plan/machinePatches";
import type { ClusterPlan } from "../plan/planCluster";
import { isInEcr, planEcrLogin } from "../plan/planEcrLogin";
import { planMetricsPatches } from "../plan/planMetrics";
import { plannedSettingsOf } from "../planned/plannedSettings";
import { accessPatches } from "./makeAccess";
import { type ClusterIdentity, issuerPatches } from "./makeIdentity";
import type { ClusterRotation } from "./makeRotation";
import { whenKeysUsable } from "./whenKeysUsable";

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

/** What the control plane's configuration is made of, besides the arguments. */
interface ControlPlaneParts {
  /** Whose issuer the API servers name in tokens; undefined without `irsa`. */
  readonly identity: ClusterIdentity | undefined;
  /** Undefined if nobody logs in with a token. */
  readonly logins: pulumi.Output<KnownAccess> | undefined;
  /** This package's own manifests that are in it. */
  readonly manifests: readonly OwnManifest[];
}

/** Creates the configuration of all control plane machines, with the manifests of add-ons and of what groups may do. */
export function makeControlPlaneConfiguration(
  name: string,
  args: ClusterPlan,
  sources: ConfigurationSources,
  { identity, logins, manifests: ofAddOns }: ControlPlaneParts,
  opts: pulumi.CustomResourceOptions,
): MachineConfiguration {
  const { endpoint: accessEndpoint } = args.facts.access;
  const { certSans: sans, inlineManifests } = args.machineConfiguration;
  const certSans = pulumi.output(sans);
  const { clusterName, endpoint, secrets } = sources;
  const manifests = [...ofAddOns, ...groupRoles(args)];
  const patches = pulumi.output(args.patches);
  const { versionContract } = secrets;
  const { metrics = [] } = args;
  // The user's patches come after these, and so can change what they say.
  const first = [
    ...(identity === undefined ? [] : [issuerPatches(identity, { endpoint, versionContract })]),
    ...(logins === undefined ? [] : [accessPatches(logins, args, { endpoint, versionContract })]),
    ...(args.kubeconfigLifetimeHours === undefined ? [] : [kubeconfigPatches(args)]),
    ...(isInEcr(args.facts.secretsEncryption?.pluginImage ?? "")
      ? [versionContract.apply(planEcrLogin)]
      : []),
    ...(metrics.length === 0
      ? []
      : [versionContract.apply((contract) => planMetricsPatches(metrics, contract))]),
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
      secretsEncryption: usableKeys(args, secrets),
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
        args,
        role: "controlplane",
        clusterName,
        endpoint,
        issuer: identity?.issuer,
        machineCount: args.machines.controlPlane.named.length,
      }),
    }),
    opts,
  );
}

/** What encrypts Secrets by KMS, once its keys are known to be usable. */
function usableKeys({ facts: { secretsEncryption } }: ClusterPlan, parent: pulumi.Resource) {
  return secretsEncryption === undefined
    ? undefined
    : { ...secretsEncryption, providers: whenKeysUsable(secretsEncryption.providers, parent) };
}

/** The manifest of what groups may do; none without groups. */
function groupRoles({ access }: ClusterPlan): OwnManifest[] {
  const planned = planGroupRoles(access);
  return planned === undefined
    ? []
    : [
        {
          name: ACCESS_MANIFEST,
          contents: pulumi.output(planned.contents),
          delivery: "machineConfiguration",
        },
      ];
}

/** Machines sign administrators' certificates for as long as their configuration says. */
function kubeconfigPatches({ kubeconfigLifetimeHours: hours }: ClusterPlan): Patch[] {
  return hours === undefined
    ? []
    : [{ cluster: { adminKubeconfig: { certLifetime: `${hours}h0m0s` } } }];
}
