import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { talosMinor } from "../../../provider/config";
import {
  ConfigRefusal,
  parseConfig,
  validateAtRuntime,
  validateConfig,
} from "../config/loadConfig";
import { unary } from "../rpc/method";
import { MethodTable } from "../rpc/methodTable";
import { RpcError } from "../rpc/rpcError";
import { storageMethods } from "./hardwareMethods";
import type { MethodContext } from "./methodContext";
import { stateMethods } from "./stateMethods";

const { service } = protocol.machine.MachineService;

/** From this minor on, machined serves maintenance mode. Source: talos v1.13.0, which has no `internal/app/maintenance`. */
const FIRST_MINOR_WITH_MACHINED = 13;

/** Whether machined itself serves a machine without a configuration, instead of a service for that alone. */
export function servesMaintenanceByMachined(talosVersion: string): boolean {
  return (talosMinor(talosVersion) ?? 0) >= FIRST_MINOR_WITH_MACHINED;
}

/**
 * The API of a machine without a configuration, to Talos v1.12 (v1.12.1,
 * `internal/app/maintenance`). It accepts a configuration, and shows its disks and resources that
 * aren't secret.
 */
export function maintenanceMethods({
  state,
  control,
  resources,
}: Pick<MethodContext, "state" | "control" | "resources">): MethodTable {
  return new MethodTable([
    unary(service.ApplyConfiguration, ({ data, mode, dryRun }) => {
      if (mode === "NO_REBOOT" || mode === "STAGED") {
        const name = mode.toLowerCase().replace("_", "-");
        throw unimplemented(
          `apply configuration --mode='${name}' is not supported in maintenance mode`,
        );
      }
      const config = load(data.toString("utf8"), state.talosVersion);
      if (dryRun) {
        return {
          messages: [
            {
              modeDetails:
                "Dry run summary:\nNode is running in maintenance mode and does not have a config yet.",
            },
          ],
        };
      }
      control.configure(config);
      return { messages: [{}] };
    }),
    unary(service.GenerateClientConfiguration, () => {
      throw unimplemented(
        "client configuration (talosconfig) can't be generated in the maintenance mode",
      );
    }),
    ...[service.Version, service.Reset, service.Upgrade, service.MetaWrite, service.MetaDelete].map(
      ({ path }) => ({
        path,
        invoke: () => {
          throw unimplemented("API is not implemented in maintenance mode");
        },
      }),
    ),
    ...storageMethods(state),
    ...stateMethods(resources),
  ]);
}

/** Talos' words before the problems, by the stage that found them. */
const REFUSED = {
  validate: "configuration validation failed",
  runtime: "runtime configuration validation failed",
} as const;

function load(text: string, talosVersion: string) {
  try {
    const config = parseConfig(text);
    validateConfig(config, talosVersion);
    validateAtRuntime(config, talosVersion);
    return config;
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) {
      throw error;
    }
    throw error.stage === "parse"
      ? new RpcError(status.UNKNOWN, `failed to parse config: ${error.message}`)
      : new RpcError(status.INVALID_ARGUMENT, `${REFUSED[error.stage]}: ${error.message}`);
  }
}

function unimplemented(message: string): RpcError {
  return new RpcError(status.UNIMPLEMENTED, message);
}
