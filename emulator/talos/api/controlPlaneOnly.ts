import { status } from "@grpc/grpc-js";
import { talosMinor } from "../../../provider/config";
import { RpcError } from "../rpc/rpcError";

/** From this minor on, all methods for control planes are refused alike. Source: talos v1.13.0, `machinehelper.CheckControlplane`. */
const FIRST_MINOR_WITH_ONE_REFUSAL = 13;

/**
 * The refusal of a method that only control planes have.
 *
 * @param method its name in Talos' words, such as `bootstrap`
 * @param before what older releases say, with FAILED_PRECONDITION
 */
export function controlPlaneOnly(talosVersion: string, method: string, before: string): RpcError {
  return (talosMinor(talosVersion) ?? 0) < FIRST_MINOR_WITH_ONE_REFUSAL
    ? new RpcError(status.FAILED_PRECONDITION, before)
    : new RpcError(status.UNIMPLEMENTED, `${method} is only available on control plane nodes`);
}
