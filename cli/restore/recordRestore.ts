import type { Deployment } from "@pulumi/pulumi/automation";
import { type BegunRestore, restoreId } from "../../provider/resources";
import type { Properties } from "../properties";
import { recordedStack } from "../repair/pendingOperations";
import type { RestoreTarget } from "./restoreTarget";

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
  const resources = recordedStack(exported).resources.map((each) =>
    noted[each.urn] !== undefined && each.delete !== true
      ? { ...each, outputs: { ...each.outputs, ...noted[each.urn] } }
      : each,
  );
  return { ...exported, deployment: { ...(exported.deployment as Properties), resources } };
}
