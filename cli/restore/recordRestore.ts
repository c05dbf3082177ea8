import type { Deployment } from "@pulumi/pulumi/automation";
import { type BegunRestore, restoreId } from "../../provider/restoreRecord";
import type { RestoreTarget } from "./restoreTarget";

interface WrittenResource {
  readonly urn: string;
  readonly delete?: boolean;
  readonly outputs?: Readonly<Record<string, unknown>>;
}

/**
 * A stack's state with a restore noted in it: in the cluster's bootstrap, which goes on with it, and in its
 * health, which then looks again, as what it was made well with differs. Pure.
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
