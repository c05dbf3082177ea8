import * as pulumi from "@pulumi/pulumi";
import { MachineSecrets } from "../../../provider";
import { defined } from "../../defined";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import type { ClusterPlan } from "../plan/planCluster";

/**
 * Creates the secrets of a cluster.
 *
 * @param child options of a child of the cluster
 */
export function makeSecrets(
  name: string,
  args: ClusterPlan,
  child: pulumi.CustomResourceOptions,
): MachineSecrets {
  return new MachineSecrets(
    `${name}-secrets`,
    defined({
      versionContract: args.versionContract,
      contractDefaults: args.contractDefaults,
      allowContractChange: acceptsDefaults(args),
      rotation: args.rotation,
    }),
    { ...child, protect: args.protect ?? false },
  );
}

/** Whether the program accepts the defaults of another contract; undefined where it accepts none. */
function acceptsDefaults(args: TalosClusterArgs): pulumi.Output<boolean> | undefined {
  const accepted = args.acceptedChanges?.contractDefaults;
  return accepted === undefined
    ? undefined
    : pulumi
        .output(args.versionContract)
        .apply((contract) => (args.contractDefaults ?? contract) === accepted);
}
