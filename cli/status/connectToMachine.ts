import { TalosClient } from "../../provider/api/talosClient";
import type { ClusterAccess, KnownMachine } from "./clusterAccess";

/**
 * Connects to a machine of a stack. A control plane machine whose address is an endpoint is dialled
 * directly, others through an endpoint: the firewall admits operators only to the control plane.
 */
export function connectToMachine(
  machine: KnownMachine,
  { endpoints, credentials }: ClusterAccess,
): TalosClient {
  const own = addressesOf(machine);
  const [address = ""] = own;
  const direct = own.find((each) => endpoints.includes(each));
  const through = direct === undefined ? endpoints : [direct];
  return TalosClient.connect({
    endpoints: through.length > 0 ? through : [address],
    node: direct ?? (machine.privateAddress === "" ? address : machine.privateAddress),
    credentials,
  });
}

/** A machine's addresses, the public one first. */
export function addressesOf({ publicAddress, privateAddress }: KnownMachine): string[] {
  return [publicAddress, privateAddress].filter((each) => each !== "");
}
