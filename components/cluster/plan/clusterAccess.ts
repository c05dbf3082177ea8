import { type AccessScope, checkAccess } from "../../access/checkAccess";
import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import { type PropertyProblem, within } from "../../problems";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";

/** What of a cluster decides about its logins. */
export function accessScopeOf({ kubernetesVersion, facts }: ChosenClusterArgs): AccessScope {
  const { names, irsa } = facts;
  return {
    kubernetesVersion,
    ownIssuers: [
      `https://${names.recordName}:${KUBERNETES_API_PORT}`,
      // The rest of the URL has the region.
      ...(irsa === undefined ? [] : [`https://${irsa.bucketName}.s3.`]),
    ],
  };
}

/** All problems of how people log in. */
export function checkClusterAccess(args: ChosenClusterArgs): PropertyProblem[] {
  const { access, network } = args;
  if (access === undefined) {
    return [];
  }
  const isOutOfReach = access.aws !== undefined && network.internetAccess === false;
  const reason =
    "API servers read AWS' public keys on the internet, to which no endpoint leads, and network.internetAccess is false: use an issuer in the network with access.oidc, or leave it out";
  return [
    ...within("access", checkAccess(access, accessScopeOf(args))),
    ...(isOutOfReach ? [{ property: "access.aws", reason }] : []),
  ];
}
