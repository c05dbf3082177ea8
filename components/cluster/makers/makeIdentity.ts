import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { type Patch, type SecretsBundle, serviceAccountKeySet } from "../../../provider";
import { type ConfigDocument, plannedPatches } from "../../../provider/config";
import { fromBase64 } from "../../../provider/pki";
import { SYSTEM_NAMESPACE } from "../../addOns/common/addOnScope";
import type { AddOnName } from "../../addOns/registry";
import { defined } from "../../defined";
import { ServiceAccountIssuer } from "../../identity/serviceAccountIssuer";
import { ServiceAccountRole } from "../../identity/serviceAccountRole";
import type { ClusterPlan } from "../plan/planCluster";
import { addOnPolicy } from "../plan/planClusterRoles";

/** IAM roles for a cluster's service accounts. */
export interface ClusterIdentity {
  readonly issuer: ServiceAccountIssuer;
  /** Roles of the add-ons that this package writes objects for. */
  readonly roles: Partial<Readonly<Record<AddOnName, ServiceAccountRole>>>;
}

/**
 * Publishes a cluster's public keys and creates the roles of its add-ons; undefined without IAM
 * roles for service accounts.
 * @param child options of a child of the cluster
 */
export function makeIdentity(
  name: string,
  args: ClusterPlan,
  sources: {
    readonly clusterName: pulumi.Output<string>;
    readonly secretsBundle: pulumi.Output<SecretsBundle>;
    /** All public keys that API servers accept, if these are more: `ClusterRotation`. */
    readonly serviceAccountKeys: pulumi.Output<string>[] | undefined;
  },
  child: pulumi.ComponentResourceOptions,
): ClusterIdentity | undefined {
  const irsa = args.facts.irsa;
  if (irsa === undefined) {
    return undefined;
  }
  const { tags, protect, controlPlane } = args;
  const { permissionsBoundaryArn, path } = controlPlane.role ?? {};
  // Only public keys of the bundle remain here.
  const keySet = pulumi.unsecret(
    pulumi
      .all([sources.secretsBundle, pulumi.all(sources.serviceAccountKeys ?? [])])
      .apply(([bundle, accepted]) =>
        serviceAccountKeySet(bundle, [...accepted.map(fromBase64), ...irsa.publicKeys]),
      ),
  );
  const issuer = new ServiceAccountIssuer(
    `${name}-oidc`,
    defined({ bucketName: irsa.bucketName, keySet, protect, tags }),
    child,
  );
  const { region } = aws.getRegionOutput({}, child);
  const roles = args.permissions.addOns.map(({ addOn, account, roleName, permissions }) => {
    const policy = pulumi
      .all([region, sources.clusterName, pulumi.output(permissions)])
      .apply(([where, clusterName, known]) => addOnPolicy({ region: where, clusterName }, known));
    const role = new ServiceAccountRole(
      `${name}-${roleName}`,
      defined({
        namespace: SYSTEM_NAMESPACE,
        name: account,
        issuerUrl: issuer.url,
        providerArn: issuer.providerArn,
        policy,
        permissionsBoundaryArn,
        path,
        tags,
      }),
      child,
    );
    return [addOn, role] as const;
  });
  return { issuer, roles: Object.fromEntries(roles) };
}

/** What patches of API servers follow from. */
export interface PatchSources {
  /** URL of the Kubernetes API. */
  readonly endpoint: pulumi.Input<string>;
  /** The dialect of the configuration. */
  readonly versionContract: pulumi.Input<string>;
}

/** Patches of the control planes that set the issuer of the API servers. */
export function issuerPatches(
  { issuer }: ClusterIdentity,
  sources: PatchSources,
): pulumi.Output<Patch[]> {
  return pulumi
    .all([issuer.url, issuer.keysUrl, sources.endpoint, sources.versionContract])
    .apply(([url, keysUrl, former, contract]) => planIssuerPatches(url, keysUrl, former, contract));
}

/**
 * The patches that set the issuer of the API servers. They still accept tokens of the former issuer. The
 * audience stays that one. These flags also count instead of `KubeServiceAccountConfig`, which Talos v1.14
 * has by its own contract, and during a rotation (`control_plane_final.go`).
 *
 * @param former the issuer that Talos sets by default, the cluster's endpoint
 * @param versionContract of the configuration, which decides where flags stand
 */
export function planIssuerPatches(
  url: string,
  keysUrl: string,
  former: string,
  versionContract: string,
): ConfigDocument[] {
  const flags = "cluster.apiServer.extraArgs";
  return plannedPatches(versionContract, [
    [`${flags}.service-account-issuer`, url],
    [`${flags}.service-account-jwks-uri`, keysUrl],
    // The same flag a second time: Talos takes one value per name and sorts by name, and the
    // API server reads "_" as "-". The first value issues tokens; all of them are accepted.
    [`${flags}.service_account_issuer`, former],
  ]);
}
