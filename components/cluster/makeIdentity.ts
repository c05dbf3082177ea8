import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { type Patch, type SecretsBundle, serviceAccountKeySet } from "../../provider";
import { defined } from "../defined";
import { ServiceAccountIssuer } from "../identity/serviceAccountIssuer";
import { ServiceAccountRole } from "../identity/serviceAccountRole";
import { type KnownPermissions, planPermissions } from "../permissions/planNodePolicy";
import type { PolicyScope } from "../permissions/policyDocument";
import { AWS_ADD_ONS, addOnChoices, type AwsAddOnName, isOwn } from "./addOns/addOnChoices";
import { SYSTEM_NAMESPACE } from "./addOns/objects/addOnScope";
import { CLOUD_CONTROLLER_ACCOUNT } from "./addOns/objects/cloudControllerObjects";
import { CLUSTER_AUTOSCALER_ACCOUNT } from "./addOns/objects/clusterAutoscalerObjects";
import { EBS_CSI_ACCOUNT } from "./addOns/objects/ebsCsiObjects";
import { EXTERNAL_DNS_ACCOUNT } from "./addOns/objects/externalDnsObjects";
import { LOAD_BALANCER_CONTROLLER_ACCOUNT } from "./addOns/objects/loadBalancerControllerObjects";
import type { TalosClusterArgs } from "./arguments/talosClusterArgs";
import { clusterIrsa } from "./clusterIrsa";

/** How a cluster's pods get roles of their own. */
export interface ClusterIdentity {
  readonly issuer: ServiceAccountIssuer;
  /** Roles of this package's own add-ons. */
  readonly roles: Partial<Readonly<Record<AwsAddOnName, ServiceAccountRole>>>;
}

/** Whose role it is, and what its resources are called. */
export const ADD_ON_ACCOUNTS: Readonly<
  Record<AwsAddOnName, readonly [account: string, child: string]>
> = {
  cloudController: [CLOUD_CONTROLLER_ACCOUNT, "cloud-controller"],
  ebsCsi: [EBS_CSI_ACCOUNT, "ebs-csi"],
  clusterAutoscaler: [CLUSTER_AUTOSCALER_ACCOUNT, "cluster-autoscaler"],
  loadBalancerController: [LOAD_BALANCER_CONTROLLER_ACCOUNT, "load-balancer-controller"],
  externalDns: [EXTERNAL_DNS_ACCOUNT, "external-dns"],
};

/**
 * Publishes a cluster's public keys, and makes roles for its add-ons; undefined where pods have none.
 *
 * @param child options of a child of the cluster
 */
export function makeIdentity(
  name: string,
  args: TalosClusterArgs,
  sources: {
    readonly clusterName: pulumi.Output<string>;
    readonly secretsBundle: pulumi.Output<SecretsBundle>;
  },
  child: pulumi.ComponentResourceOptions,
): ClusterIdentity | undefined {
  const irsa = clusterIrsa(args);
  if (irsa === undefined) {
    return undefined;
  }
  const { tags, protect, controlPlane = {} } = args;
  const { permissionsBoundaryArn, path } = controlPlane.role ?? {};
  // Of the bundle only what everybody may know gets here.
  const keySet = pulumi.unsecret(
    sources.secretsBundle.apply((bundle) => serviceAccountKeySet(bundle, irsa.publicKeys)),
  );
  const issuer = new ServiceAccountIssuer(
    `${name}-oidc`,
    defined({ bucketName: irsa.bucketName, keySet, protect, tags }),
    child,
  );
  const choices = addOnChoices(args.addOns ?? {});
  const { region } = aws.getRegionOutput({}, child);
  const permissions = permissionsOf(args);
  const roles = AWS_ADD_ONS.flatMap((addOn) => {
    const choice = choices[addOn];
    if (choice === undefined || !isOwn(choice)) {
      return [];
    }
    const [account, suffix] = ADD_ON_ACCOUNTS[addOn];
    const policy = pulumi
      .all([region, sources.clusterName, permissions[addOn]])
      .apply(([where, clusterName, known]) => policyOf({ region: where, clusterName }, known));
    const role = new ServiceAccountRole(
      `${name}-${suffix}`,
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
    return [[addOn, role] as const];
  });
  return { issuer, roles: Object.fromEntries(roles) };
}

/** What API servers are told of the issuer. */
export function issuerPatch(
  { issuer }: ClusterIdentity,
  endpoint: pulumi.Input<string>,
): pulumi.Output<Patch> {
  return pulumi
    .all([issuer.url, issuer.keysUrl, endpoint])
    .apply(([url, keysUrl, former]) => planIssuerPatch(url, keysUrl, former));
}

/**
 * What API servers are told of an issuer: they go on taking tokens that were issued before there was one.
 *
 * @param former the issuer that Talos gives them, the cluster's endpoint
 */
export function planIssuerPatch(url: string, keysUrl: string, former: string) {
  return {
    cluster: {
      apiServer: {
        extraArgs: {
          "service-account-issuer": url,
          "service-account-jwks-uri": keysUrl,
          // The same flag once more: Talos takes one value for each name, in the order of names, and the API
          // server reads "_" as "-". The first issues tokens, all are taken.
          service_account_issuer: former,
        },
      },
    },
  };
}

function policyOf(scope: PolicyScope, permissions: KnownPermissions) {
  return { Version: "2012-10-17" as const, Statement: planPermissions(scope, permissions) };
}

function permissionsOf(
  args: TalosClusterArgs,
): Readonly<Record<AwsAddOnName, pulumi.Output<KnownPermissions>>> {
  const { ebsCsi, externalDns } = addOnChoices(args.addOns ?? {});
  const keys = ebsCsi?.kmsKeyArns;
  return {
    cloudController: pulumi.output({
      cloudController: true,
    }),
    ebsCsi: pulumi.output({ ebsCsi: true, ...(keys && { ebsCsiKmsKeyArns: keys }) }),
    clusterAutoscaler: pulumi.output({ clusterAutoscaler: true }),
    loadBalancerController: pulumi.output({ loadBalancerController: true }),
    externalDns: pulumi
      .output([...(externalDns?.zoneIds ?? [])])
      .apply((externalDnsZoneIds) => ({ externalDnsZoneIds })),
  };
}
