import { takeSnapshot } from "../../../cli/backup/takeSnapshot";
import { restoreTarget } from "../../../cli/restore/restoreTarget";
import type { GrownCluster } from "./grownCluster";

/** Takes a snapshot of etcd as `talos-aws backup <stack> --file <path>` does. */
export async function snapshotTo({ world: { stack } }: GrownCluster, path: string): Promise<void> {
  const { machines } = restoreTarget(stack.name, await stack.exportStack());
  const [first] = machines;
  if (first === undefined) {
    throw new Error("there is no machine");
  }
  await takeSnapshot(
    {
      machines: machines.map(({ name, machineId, node, privateAddress = "" }) => ({
        ...{ name, instanceId: machineId, role: "controlplane" as const, zone: "" },
        ...{ publicAddress: node, privateAddress },
      })),
      endpoints: machines.map(({ node }) => node),
      credentials: first.credentials,
      kubeconfig: undefined,
    },
    path,
    () => undefined,
  );
}
