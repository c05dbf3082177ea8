import * as pulumi from "@pulumi/pulumi";
import type { MachineConfiguration, MachineSecrets } from "../../../provider";
import type { KnownAccess } from "../../access/planAuthentication";
import type { AddOnDelivery } from "../../addOns/common/addOnDelivery";
import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import { makeOwnManifests, type OwnManifest } from "../addOns/makeOwnManifests";
import type { ClusterPlan } from "../plan/planCluster";
import { knownAccess } from "./makeAccess";
import { configurationOf, makeControlPlaneConfiguration } from "./makeConfiguration";
import { type ClusterIdentity, makeIdentity } from "./makeIdentity";
import { type ClusterRotation, makeRotation } from "./makeRotation";
import { makeSecrets } from "./makeSecrets";

/** The configurations of a cluster's machines, and what they are made of. */
export interface ClusterConfiguration {
  readonly clusterName: pulumi.Output<string>;
  /** URL of the Kubernetes API. */
  readonly endpoint: pulumi.Output<string>;
  readonly secrets: MachineSecrets;
  readonly rotation: ClusterRotation;
  /** How AWS knows the cluster's service accounts; undefined without `irsa`. */
  readonly identity: ClusterIdentity | undefined;
  /** This package's own manifests that are applied after the bootstrap. */
  readonly lateManifests: readonly OwnManifest[];
  /** Those of add-ons that have a list of their own. */
  readonly apartManifests: readonly OwnManifest[];
  /** Who logs in with a token; undefined if nobody does. */
  readonly logins: pulumi.Output<KnownAccess> | undefined;
  /** The configuration of all control plane machines. */
  readonly controlPlane: MachineConfiguration;
  /** The arguments of every worker's configuration. */
  readonly ofWorkers: ReturnType<typeof configurationOf>;
}

/**
 * Makes what machines of a cluster run: its secrets in the stage of their rotations, and the configuration of the
 * control plane. It needs nothing of AWS but the region, and the bucket of an issuer.
 *
 * @param cluster their parent
 */
export function makeClusterConfiguration(
  name: string,
  args: ClusterPlan,
  cluster: pulumi.Resource,
): ClusterConfiguration {
  const child = { parent: cluster };
  const clusterName = pulumi.output(args.clusterName ?? name);
  const endpoint = pulumi.output(`https://${args.facts.names.recordName}:${KUBERNETES_API_PORT}`);
  const secrets = makeSecrets(name, args, child);
  const rotation = makeRotation(name, args, secrets, child);
  const { secretsBundle } = rotation.of("controlplane");
  const identity = makeIdentity(
    name,
    args,
    { clusterName, secretsBundle, serviceAccountKeys: rotation.serviceAccountKeys },
    child,
  );
  const sources = { clusterName, endpoint, secrets, rotation };
  const manifests = makeOwnManifests(
    args,
    {
      clusterName,
      servingAuthorities: rotation.authorities("kubernetesCa"),
      roles: identity?.roles ?? {},
    },
    child,
  );
  const apartManifests = manifests.filter(({ isApart }) => isApart);
  const at = (where: AddOnDelivery) =>
    manifests.filter(({ delivery, isApart }) => delivery === where && isApart !== true);
  const logins = knownAccess(args, cluster);
  const controlPlane = makeControlPlaneConfiguration(
    name,
    args,
    sources,
    { identity, logins, manifests: at("machineConfiguration") },
    child,
  );
  const ofWorkers = configurationOf("worker", args, sources);
  const lateManifests = at("afterBootstrap");
  return { ...sources, identity, lateManifests, apartManifests, logins, controlPlane, ofWorkers };
}
