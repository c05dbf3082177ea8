import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import type { Patch, UserKubeconfigArgs } from "../../../provider";
import { joinCertificates } from "../../../provider/pki";
import { checkAccess } from "../../access/checkAccess";
import { loginKubeconfig } from "../../access/loginKubeconfig";
import { planAccessPatches } from "../../access/planAccessPatches";
import { hasIssuers, type KnownAccess, planAuthentication } from "../../access/planAuthentication";
import { orFailRun } from "../../failRun";
import { refuse } from "../../problems";
import { accessScopeOf } from "../plan/clusterAccess";
import type { ClusterPlan } from "../plan/planCluster";
import type { PatchSources } from "./makeIdentity";

/**
 * How people log in, when all of it is known. What wasn't known before is checked then.
 *
 * @param cluster fails the run if it is wrong
 */
export function knownAccess(
  args: ClusterPlan,
  cluster: pulumi.Resource,
): pulumi.Output<KnownAccess> | undefined {
  const { access } = args;
  if (!hasIssuers(access)) {
    return undefined;
  }
  return pulumi.output(access).apply((known = {}) =>
    orFailRun(cluster, () => {
      refuse("access", checkAccess(known, accessScopeOf(args)));
      return { oidc: known.oidc ?? [], ...(known.aws && { aws: known.aws }) };
    }),
  );
}

/** Patches of the control planes that make API servers accept people's tokens. */
export function accessPatches(
  access: pulumi.Output<KnownAccess>,
  { contractDefaults, newDefaults }: ClusterPlan,
  sources: PatchSources,
): pulumi.Output<Patch[]> {
  return pulumi
    .all([access, sources.endpoint, sources.versionContract])
    .apply(([known, endpoint, contract]) =>
      planAccessPatches(planAuthentication(known, endpoint), contract, {
        contractDefaults,
        newDefaults,
      }),
    );
}

/** The kubeconfig of people who log in; undefined without an issuer. */
export function makeLoginKubeconfig(
  args: ClusterPlan,
  access: pulumi.Output<KnownAccess> | undefined,
  sources: Pick<UserKubeconfigArgs, "clusterName" | "secretsBundle" | "acceptedAuthorities"> & {
    /** URL of the Kubernetes API. */
    readonly endpoint: pulumi.Input<string>;
  },
  options: pulumi.InvokeOptions,
): pulumi.Output<string | undefined> {
  if (access === undefined) {
    return pulumi.output<string | undefined>(undefined);
  }
  const region =
    args.access?.aws === undefined ? undefined : aws.getRegionOutput({}, options).region;
  // Only the CA's certificate remains, which every client gets.
  return pulumi.unsecret(
    pulumi
      .all([
        access,
        sources.clusterName,
        sources.endpoint,
        region,
        pulumi.output(sources.secretsBundle),
        pulumi.output(sources.acceptedAuthorities),
      ] as const)
      .apply(([known, clusterName, serverUrl, where, bundle, accepted = []]) =>
        loginKubeconfig(known, {
          clusterName,
          serverUrl,
          region: where,
          authorityCertificate: joinCertificates([bundle.certs.k8s.crt, ...accepted]),
        }),
      ),
  );
}
