import { status } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import type { ApplyConfiguration } from "../../../provider/api/gen/machine/ApplyConfiguration";
import type { ApplyConfigurationRequest__Output } from "../../../provider/api/gen/machine/ApplyConfigurationRequest";
import { encodeDocuments } from "../../../provider/config";
import { rebootReason, rebootsForConfigurations } from "../config/immediateChange";
import {
  ConfigRefusal,
  type LoadedConfig,
  parseConfig,
  validateAtRuntime,
  validateConfig,
} from "../config/loadConfig";
import { requireSameVolumes } from "../config/ownVolumes";
import { unifiedDiff } from "../config/unifiedDiff";
import type { NodeControl } from "../machine/nodeControl";
import { type Method, unary } from "../rpc/method";
import { RpcError } from "../rpc/rpcError";
import { goDuration } from "../rpc/times";
import type { MethodContext } from "./methodContext";

const { service } = protocol.machine.MachineService;

/** Default timeout of a configuration in try mode (talos v1.12.1, `ConfigTryTimeout`). */
const DEFAULT_TRY_MS = 60_000;

const WITH_REBOOT = "Applied configuration with a reboot";
const WITHOUT_REBOOT = "Applied configuration without a reboot";
const AT_NEXT_REBOOT = "Staged configuration to be applied after the next reboot";
/** Source: talos v1.14.1, `v1alpha1_server.go`. */
const NO_REBOOT_MODE =
  "the REBOOT mode is not supported, please use AUTO or NO_REBOOT modes instead";

/** ApplyConfiguration of machined, which serves maintenance mode too from Talos v1.13 on. */
export function configurationMethods({ state, control }: MethodContext): Method[] {
  return [
    unary(service.ApplyConfiguration, (request) => {
      const text = request.data.toString("utf8");
      if (state.config === undefined) {
        const next = load(text, state.talosVersion, undefined);
        return { messages: [applyFirst(request, next, control)] };
      }
      const { configs } = control;
      if (!configs) {
        throw new RpcError(status.UNKNOWN, "no current config");
      }
      const next = load(text, state.talosVersion, configs.active);
      const plan = planApply(request, configs.active, next, state.talosVersion);
      if (request.dryRun) {
        return { messages: [dryRun(plan, configs.active, next)] };
      }
      switch (plan.mode) {
        case "NO_REBOOT":
          control.apply(next);
          break;
        case "TRY":
          control.try(next, plan.tryMs);
          break;
        case "STAGED":
          control.stage(next);
          break;
        case "REBOOT":
          control.stage(next);
          control.reboot({ actorId: "", mode: "DEFAULT", takeover: true });
          break;
      }
      return { messages: [{ mode: plan.mode, modeDetails: plan.details + plan.reason }] };
    }),
  ];
}

/**
 * A configuration for a machine without one (talos v1.13.0 and v1.14.1, `v1alpha1_server.go`). A staged one is only kept in
 * memory: the partition for it is made after the first configuration.
 */
function applyFirst(
  { mode, dryRun }: ApplyConfigurationRequest__Output,
  next: LoadedConfig,
  control: NodeControl,
): ApplyConfiguration {
  if (mode === "TRY") {
    throw new RpcError(status.UNIMPLEMENTED, "a first configuration on trial is not simulated");
  }
  const applied = mode === "STAGED" ? "STAGED" : "NO_REBOOT";
  const modeDetails = applied === "STAGED" ? AT_NEXT_REBOOT : WITHOUT_REBOOT;
  if (dryRun) {
    return {
      mode: applied,
      modeDetails: dryRunSummary(modeDetails, "", encodeDocuments(next.documents)),
    };
  }
  if (applied === "NO_REBOOT") {
    control.configure(next);
  }
  return { mode: applied, modeDetails };
}

/** The effect of an apply. */
interface ApplyPlan {
  readonly mode: "REBOOT" | "NO_REBOOT" | "STAGED" | "TRY";
  readonly details: string;
  /** Why it reboots, if the node selected the mode. */
  readonly reason: string;
  readonly tryMs: number;
}

function planApply(
  { mode, tryModeTimeout }: ApplyConfigurationRequest__Output,
  current: LoadedConfig,
  next: LoadedConfig,
  talosVersion: string,
): ApplyPlan {
  const reboots = rebootsForConfigurations(talosVersion);
  const tryMs = tryModeTimeout
    ? Number(tryModeTimeout.seconds) * 1000 + tryModeTimeout.nanos / 1e6
    : DEFAULT_TRY_MS;
  const plain = { reason: "", tryMs };
  if (mode === "REBOOT") {
    if (!reboots) {
      throw new RpcError(status.UNIMPLEMENTED, NO_REBOOT_MODE);
    }
    return { ...plain, mode, details: WITH_REBOOT };
  }
  if (mode === "STAGED") {
    return {
      ...plain,
      mode,
      details: AT_NEXT_REBOOT,
    };
  }
  const reason = reboots ? rebootReason(current.documents, next.documents) : undefined;
  if (mode === "AUTO") {
    return reason === undefined
      ? { ...plain, mode: "NO_REBOOT", details: WITHOUT_REBOOT }
      : { mode: "REBOOT", details: WITH_REBOOT, reason: `: ${reason}`, tryMs };
  }
  if (reason !== undefined) {
    throw new RpcError(status.INVALID_ARGUMENT, reason);
  }
  if (mode === "NO_REBOOT") {
    return { ...plain, mode, details: WITHOUT_REBOOT };
  }
  const reverted = `\nThe config is applied in 'try' mode and will be automatically reverted back in ${goDuration(tryMs)}`;
  return { ...plain, mode, details: WITHOUT_REBOOT + reverted };
}

function dryRun(plan: ApplyPlan, current: LoadedConfig, next: LoadedConfig): ApplyConfiguration {
  const [details = ""] = plan.details.split("\n");
  return {
    mode: plan.mode,
    modeDetails: dryRunSummary(
      details,
      encodeDocuments(current.documents),
      encodeDocuments(next.documents),
    ),
  };
}

function dryRunSummary(details: string, before: string, after: string): string {
  const difference = unifiedDiff(before, after);
  return `Dry run summary:\n${details} (skipped in dry-run).\nConfig diff:\n\n${difference === "" ? "No changes." : difference}`;
}

/** @param current what the machine runs; undefined in maintenance mode */
function load(text: string, talosVersion: string, current: LoadedConfig | undefined): LoadedConfig {
  try {
    const config = parseConfig(text);
    if (!config.facts && current) {
      throw new ConfigRefusal(
        "parse",
        "the applied machine configuration doesn't contain v1alpha1 config, did you mean to patch the machine config instead?",
      );
    }
    validateConfig(config, talosVersion);
    validateAtRuntime(config, talosVersion);
    if (current) {
      requireSameVolumes(current, config, talosVersion);
    }
    return config;
  } catch (error) {
    if (!(error instanceof ConfigRefusal)) {
      throw error;
    }
    throw new RpcError(status.INVALID_ARGUMENT, error.message);
  }
}
