import type { Deployment } from "@pulumi/pulumi/automation";
import { type BegunRestore, restoreId } from "../../provider/resources";
import type { RestoreTarget } from "./restoreTarget";

interface WrittenResource {
  readonly urn: string;
  readonly delete?: boolean;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/**
 * A stack's state with a restore recorded in it: in the cluster's bootstrap, which continues it,
 * and in its health, which then checks again because its recorded triggers differ. Pure.
 */
export function withRestore(
  exported: Deployment,
  { bootstrap, health }: Pick<RestoreTarget, "bootstrap" | "health">,
  restoring: BegunRestore,
): Deployment {
  const noted: Readonly<Record<string, object>> = {
    [bootstrap]: { restoring },
    ...(health !== undefined && { [health]: { triggers: [restoreId(restoring)] } }),
  };
  const state = exported.deployment as { readonly resources: readonly WrittenResource[] };
  const resources = state.resources.map((each) =>
    noted[each.urn] !== undefined && each.delete !== true
      ? { ...each, outputs: { ...each.outputs, ...noted[each.urn] } }
      : each,
  );
  return { ...exported, deployment: { ...state, resources } };
}
