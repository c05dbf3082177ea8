import * as pulumi from "@pulumi/pulumi";
import { defined } from "../../defined";
import type { NodePermissions } from "../../permissions/nodePermissions";
import type { ClusterRoleArgs } from "../arguments/clusterControlPlaneArgs";
import type { ClusterMachineConfigurationArgs } from "../arguments/talosClusterArgs";
import type { AddOnChoices } from "./addOnChoices";

/** Options that add-ons need of every machine. */
type NodeOptions = Pick<
  ClusterMachineConfigurationArgs,
  "kubeletExtraArgs" | "externalCloudProvider" | "registerWithFqdn"
>;

/** What a cluster's add-ons need of the configuration of every machine, beside what is given. */
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

/** A role with more permissions; one that is there, or none, is left as it is. */
export function permit(
  role: ClusterRoleArgs | undefined,
  more: NodePermissions,
): ClusterRoleArgs | undefined {
  const isOurs = role?.none !== true && role?.instanceProfileName === undefined;
  return isOurs && Object.keys(more).length > 0
    ? { ...role, permissions: { ...role?.permissions, ...more } }
    : role;
}
