import { spawn, type ChildProcessWithoutNullStreams } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import { messageOfError } from "../../provider/base";
import type { FailedCheck } from "../talos/faults/machineFaults";
import { talosImages } from "./amis";

const START_DEADLINE_MS = 60_000;
const STOP_DEADLINE_MS = 5_000;

/** Environment variable with the socket of `motoForks.py serve`, which speeds up repeated starts. */
export const FORKS_VARIABLE = "TALOS_EMULATOR_FORKS";

/** Options of `startMotoServer`. */
export interface MotoServerOptions {
  /** A Python that has moto installed, see `ensureMoto`. */
  readonly python: string;
  /** First three numbers of the public addresses of instances. */
  readonly instanceNetwork: string;
  /** First three numbers of Elastic IP addresses. */
  readonly elasticNetwork: string;
  /**
   * Upper bound in milliseconds for two times, whatever an auto scaling group asks for. These are
   * the warm-up of an instance, and how long a lifecycle hook holds an ending one. Default: 1000.
   */
  readonly warmUpMs?: number;
  /** Called after each call that may have changed something, before the caller gets its answer. */
  readonly onChange: (change: MotoChange) => void;
  /**
   * Returns the bytes of an instance's console: those of now, or those that EC2 took last. Default: EC2
   * shows none.
   */
  readonly consoleOf?: (instanceId: string, isLive: boolean) => Promise<Buffer>;
  /** Called with what is wrong with a call that AWS' model of the service forbids; moto has refused it. */
  readonly onViolation?: (text: string) => void;
  /** Called when the process ends unexpectedly. */
  readonly onUnexpectedEnd: (reason: string) => void;
  readonly onLog: (line: string) => void;
}

/** A call that may have changed something in the emulated cloud. */
export interface MotoChange {
  /** Such as `RunInstances`. Undefined for services without form-encoded requests. */
  readonly action: string | undefined;
  readonly region: string | undefined;
}

/** Health of targets by target group ARN and target id, for DescribeTargetHealth. */
export type TargetHealthReport = Readonly<
  Record<string, Readonly<Record<string, TargetHealthEntry>>>
>;

/** One target's health in the terms of the load balancing API. */
export interface TargetHealthEntry {
  readonly state: "initial" | "healthy" | "unhealthy";
  readonly reason?: string;
  readonly description?: string;
}

/** What EC2's checks find wrong, by instance id, for DescribeInstanceStatus. */
export type FailedChecksReport = Readonly<Record<string, readonly FailedCheck[]>>;

/** moto's process, serving the emulated AWS interfaces. */
export interface MotoServer {
  /** `http://127.0.0.1:<port>` for every AWS service. */
  readonly url: string;
  readonly pid: number;
  reportTargetHealth(report: TargetHealthReport): void;
  reportFailedChecks(report: FailedChecksReport): void;
  stop(): Promise<void>;
}

/**
 * Starts moto on a free port of 127.0.0.1. Its process ends with this one, even when this one is killed.
 *
 * @throws Error when moto doesn't start, with its output.
 */
export async function startMotoServer(options: MotoServerOptions): Promise<MotoServer> {
  const folder = await mkdtemp(path.join(tmpdir(), "talos-emulator-"));
  try {
    const images = path.join(folder, "images.json");
    await writeFile(images, JSON.stringify(talosImages()));
    const child = spawn(
      options.python,
      [
        ...launcher(),
        "--amis",
        images,
        "--instance-network",
        options.instanceNetwork,
        "--elastic-network",
        options.elasticNetwork,
        "--warm-up-seconds",
        String((options.warmUpMs ?? 1000) / 1000),
      ],
      { stdio: ["pipe", "pipe", "pipe"], env: environmentOfMoto() },
    );
    return await serverOf(child, options);
  } finally {
    // Once moto listens it has read the images; nothing else is in the folder.
    await rm(folder, { recursive: true, force: true });
  }
}

/** Arguments for Python: those of moto's launcher, or of the client that asks `motoForks.py serve` for a fork. */
function launcher(): string[] {
  const folder = path.join(__dirname, "moto");
  return process.env[FORKS_VARIABLE] === undefined
    ? [path.join(folder, "motoLauncher.py")]
    : ["-S", "-E", path.join(folder, "motoForks.py")];
}

/** The parent's environment without variables that configure moto or Python. */
function environmentOfMoto(): NodeJS.ProcessEnv {
  return {
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(MOTO|PYTHON|AWS)_?/.test(name)),
    ),
    PYTHONUNBUFFERED: "1",
  };
}

async function serverOf(
  child: ChildProcessWithoutNullStreams,
  options: MotoServerOptions,
): Promise<MotoServer> {
  let stopping = false;
  let complaint = "";
  const ended = new Promise<string>((resolve) => {
    child.once("error", (error) => resolve(error.message));
    child.once("close", (code, signal) =>
      resolve(`ended with ${signal ?? `exit code ${code ?? ""}`}`),
    );
  });
  child.stdin.on("error", (error) => options.onLog(`moto no longer listens: ${error.message}`));
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    complaint = `${complaint}${text}`.slice(-4_000);
    if (!stopping) {
      options.onLog(`moto: ${text.trimEnd()}`);
    }
  });
  const port = await new Promise<number>((resolve, reject) => {
    const deadline = setTimeout(() => {
      child.kill("SIGKILL");
      reject(new Error(`moto did not listen within ${START_DEADLINE_MS / 1000} s: ${complaint}`));
    }, START_DEADLINE_MS);
    void ended.then((reason) => {
      clearTimeout(deadline);
      reject(new Error(`moto did not start, it ${reason}: ${complaint}`));
    });
    createInterface({ input: child.stdout }).on("line", (line) => {
      const message = parseMessage(line);
      if (message?.event === "listening") {
        clearTimeout(deadline);
        resolve(message.port);
      } else if (message?.event === "changed" && !stopping) {
        options.onChange({ action: message.action, region: message.region });
      } else if (message?.event === "console" && !stopping) {
        void consoleText(options, message).then((console) => {
          child.stdin.write(`${JSON.stringify({ console })}\n`);
        });
      } else if (message?.event === "violation" && !stopping) {
        options.onLog(`moto: a call breaks AWS' model of the service: ${message.text}`);
        options.onViolation?.(message.text);
      }
    });
  });
  void ended.then((reason) => {
    if (!stopping) {
      options.onUnexpectedEnd(`moto ${reason}: ${complaint}`);
    }
  });
  const tell = (report: object) => {
    if (!stopping) {
      child.stdin.write(`${JSON.stringify(report)}\n`);
    }
  };
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    reportTargetHealth: (targetHealth) => tell({ targetHealth }),
    reportFailedChecks: (failedChecks) => tell({ failedChecks }),
    stop: async () => {
      stopping = true;
      child.stdin.end();
      const kill = setTimeout(() => child.kill("SIGKILL"), STOP_DEADLINE_MS);
      await ended;
      clearTimeout(kill);
    },
  };
}

/** An instance's console in base64; nothing of one whose machine can't say it, which is logged. */
async function consoleText(
  { consoleOf, onLog }: MotoServerOptions,
  { instanceId, isLive }: { readonly instanceId: string; readonly isLive: boolean },
): Promise<string> {
  try {
    return (await consoleOf?.(instanceId, isLive))?.toString("base64") ?? "";
  } catch (error) {
    onLog(`console of ${instanceId}: ${messageOfError(error)}`);
    return "";
  }
}

type Message =
  | { readonly event: "listening"; readonly port: number }
  | { readonly event: "violation"; readonly text: string }
  | { readonly event: "console"; readonly instanceId: string; readonly isLive: boolean }
  | {
      readonly event: "changed";
      readonly action: string | undefined;
      readonly region: string | undefined;
    };

function parseMessage(line: string): Message | undefined {
  let message: unknown;
  try {
    message = JSON.parse(line);
  } catch {
    // Libraries moto loads may print; only whole JSON lines are the launcher's own.
    return undefined;
  }
  if (typeof message !== "object" || message === null || !("event" in message)) {
    return undefined;
  }
  if (message.event === "listening" && "port" in message && typeof message.port === "number") {
    return { event: "listening", port: message.port };
  }
  if (message.event === "violation" && "text" in message && typeof message.text === "string") {
    return { event: "violation", text: message.text };
  }
  if (message.event === "console" && "instanceId" in message && "isLive" in message) {
    const { instanceId, isLive } = message;
    return { event: "console", instanceId: text(instanceId) ?? "", isLive: isLive === true };
  }
  if (message.event === "changed" && "action" in message && "region" in message) {
    return { event: "changed", action: text(message.action), region: text(message.region) };
  }
  return undefined;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" ? value : undefined;
}
