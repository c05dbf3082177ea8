import { credentials, Metadata } from "@grpc/grpc-js";
import { EngineClient } from "@pulumi/pulumi/proto/engine_grpc_pb";
import { LogRequest, LogSeverity } from "@pulumi/pulumi/proto/engine_pb";
import { engineCall } from "../base/engineCall";
import { presentable } from "../base/printable";
import type { Progress } from "../base/progress";
import { isEnginePlugin } from "./endWithEngine";

/** The time limit of a log call to the engine. */
const LOG_TIMEOUT_MS = 2_000;

/** Progress that is sent to the engine. */
export interface EngineProgress extends Progress {
  /** Resolves when all lines have arrived, or can't arrive. */
  readonly told: () => Promise<void>;
}

/**
 * Sends progress to the engine, which shows it beside the resource. Reports are ephemeral: a terminal
 * shows the last one in the resource's row while the run lasts, and output without a terminal is a line
 * for each. The diagnostics at the end, `--json` and Pulumi Cloud's log have warnings only. Source:
 * pulumi v3.230.0, pkg/backend/display. In a process that isn't the engine's plugin, it prints to
 * standard output and standard error.
 *
 * @param urn the resource; without one the engine shows it beside the stack
 * @param address the engine's, `host:port`. Default: that of the call, or of the plugin's arguments
 */
export function engineProgress(
  urn: string | undefined,
  address = engineCall()?.engine ?? (isEnginePlugin() ? process.argv[2] : undefined),
): EngineProgress {
  if (address === undefined) {
    return {
      report: (line) => process.stdout.write(`${presentable(line)}\n`),
      warn: (line) => process.stderr.write(`${presentable(line)}\n`),
      told: () => Promise.resolve(),
    };
  }
  const engine = clientOf(address);
  let last = Promise.resolve();
  const tell = (severity: LogSeverity, line: string, isEphemeral: boolean) => {
    const request = new LogRequest();
    request.setSeverity(severity);
    request.setMessage(presentable(line));
    request.setEphemeral(isEphemeral);
    request.setUrn(urn ?? "");
    last = last.then(() => log(engine, request));
  };
  return {
    report: (line) => tell(LogSeverity.INFO, line, true),
    warn: (line) => tell(LogSeverity.WARNING, line, false),
    told: () => last,
  };
}

const clients = new Map<string, EngineClient>();

function clientOf(address: string): EngineClient {
  const client = clients.get(address) ?? new EngineClient(address, credentials.createInsecure());
  clients.set(address, client);
  return client;
}

/** If the engine is gone, the line is lost and nothing else happens. */
function log(engine: EngineClient, request: LogRequest): Promise<void> {
  return new Promise((resolve) => {
    engine.log(request, new Metadata(), { deadline: Date.now() + LOG_TIMEOUT_MS }, () => resolve());
  });
}
