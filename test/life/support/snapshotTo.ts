import { takeSnapshot } from "../../../cli/backup/takeSnapshot";
import { restoreTarget } from "../../../cli/restore/restoreTarget";
import type { EngineWorld } from "../../engine/support/engineWorld";

/** Takes a snapshot of etcd as `talos-aws backup <stack> --file <path>` does. */
export async function snapshotTo(
  { world: { stack } }: { readonly world: Pick<EngineWorld, "stack"> },
  path: string,
): ReturnType<typeof takeSnapshot> {
  const { machines } = restoreTarget(stack.name, await stack.exportStack());
  const [first] = machines;
  if (first === undefined) {
    throw new Error("there is no machine");
  }
  return takeSnapshot(
    {
      machines: machines.map(({ name, machineId, node, privateAddress = "" }) => ({
        name,
        instanceId: machineId,
        role: "controlplane" as const,
        zone: "",
        publicAddress: node,
        privateAddress,
      })),
      endpoints: machines.map(({ node }) => node),
      credentials: first.credentials,
      kubeconfig: undefined,
    },
    path,
    () => undefined,
  );
}
