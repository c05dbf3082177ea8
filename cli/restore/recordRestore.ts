import type { Deployment } from "@pulumi/pulumi/automation";
import type { BegunRestore } from "../../provider/restoreRecord";

/**
 * A stack's state with a restore noted in the cluster's bootstrap, or without one. Pure.
 *
 * @param urn of the `MachineBootstrap`
 */
export function withRestore(
  exported: Deployment,
  urn: string,
  restoring: BegunRestore,
): Deployment {
  const state = exported.deployment as {
    readonly resources: readonly {
      readonly urn: string;
      readonly delete?: boolean;
      readonly outputs?: object;
    }[];
  };
  const resources = state.resources.map((each) =>
    each.urn === urn && each.delete !== true
      ? { ...each, outputs: { ...each.outputs, restoring } }
      : each,
  );
  return { ...exported, deployment: { ...state, resources } };
}
