import * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";
import type { ClusterMachineConfigurationArgs } from "../arguments/clusterControlPlaneArgs";
import type { AddOnChoices } from "./addOnChoices";

/** Options that add-ons need on every machine. */
type NodeOptions = Pick<
  ClusterMachineConfigurationArgs,
  "kubeletExtraArgs" | "externalCloudProvider" | "registerWithFqdn"
>;

/** The options of every machine: the given ones, and those that the add-ons need. */
export function nodeOptions(given: NodeOptions, addOns: AddOnChoices): NodeOptions {
  const { cloudController, servingCertificateApprover } = addOns;
  return defined({
    kubeletExtraArgs: servingCertificateApprover
      ? pulumi
          .output(given.kubeletExtraArgs)
          .apply((more) => ({ "rotate-server-certificates": "true", ...more }))
      : given.kubeletExtraArgs,
    ...(cloudController !== undefined && {
      externalCloudProvider: defined({ manifests: cloudController.manifestUrls }),
      registerWithFqdn: given.registerWithFqdn ?? true,
    }),
  });
}

/** A role with more permissions. A role that exists already, or `none`, is not changed. */
export function permit(
  role: ClusterRoleArgs | undefined,
  more: NodePermissions,
): ClusterRoleArgs | undefined {
  const isOurs = role?.none !== true && role?.instanceProfileName === undefined;
  return isOurs && Object.keys(more).length > 0
    ? { ...role, permissions: { ...role?.permissions, ...more } }
    : role;
}
