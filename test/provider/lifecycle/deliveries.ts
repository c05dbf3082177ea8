import { clock } from "../../../provider/base/clock";
import { hashDocuments } from "../../../provider/config/hash";
import { decodeDocuments } from "../../../provider/config/yaml/encode";
import type { Delivery } from "../../../provider/lifecycle/delivery/delivery";
import type { Machine } from "../../../provider/lifecycle/machine";
import type { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { issueCredentials } from "../api/testPki";
import { recordedProgress } from "../progress";

/** A delivery with all that it reported. */
export interface WatchedDelivery extends Delivery {
  readonly lines: string[];
}

/** The machine at an address, as the administrator of a cluster reaches it. */
export async function machineAt(
  cluster: Pick<SimulatedCluster, "secrets">,
  node: string,
  endpoint = node,
): Promise<Machine> {
  return { node, endpoint, credentials: await issueCredentials(cluster.secrets.certs.os) };
}

/** A configuration on its way to a machine. */
export function deliveryOf(machine: Machine, text: string, timeoutMs = 600_000): WatchedDelivery {
  const progress = recordedProgress();
  return {
    machine,
    text,
    hash: hashDocuments(decodeDocuments(text)),
    deadline: clock.now() + timeoutMs,
    mode: "auto",
    progress,
    lines: progress.lines,
  };
}
