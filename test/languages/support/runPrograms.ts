import { spawn } from "node:child_process";
import { join } from "node:path";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { configurationOf, type RunProgram } from "../../engine/support/languageHost";

/** Runs `__main__.py` with a Python that has the SDKs. */
export function runPythonProgram(python: string): RunProgram {
  return (request, engine) => {
    const args = [
      join(__dirname, "run.py"),
      request.getMonitorAddress(),
      engine,
      request.getProject(),
      request.getStack(),
      String(request.getParallel()),
      String(request.getDryrun()),
      "__main__.py",
    ];
    return ended(python, args, request, {});
  };
}

/** Runs the program that Go has built. It reads all about its stack from the environment. */
export function runGoProgram(program: string): RunProgram {
  return (request, engine) =>
    ended(program, [], request, {
      PULUMI_MONITOR: request.getMonitorAddress(),
      PULUMI_ENGINE: engine,
      PULUMI_PROJECT: request.getProject(),
      PULUMI_STACK: request.getStack(),
      PULUMI_PARALLEL: String(request.getParallel()),
      PULUMI_DRY_RUN: String(request.getDryrun()),
    });
}

function ended(
  command: string,
  args: readonly string[],
  request: RunRequest,
  about: Readonly<Record<string, string>>,
): Promise<number | null> {
  const child = spawn(command, args, {
    cwd: request.getPwd(),
    stdio: ["ignore", "ignore", "inherit"],
    env: { ...process.env, ...configurationOf(request), ...about },
  });
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("exit", resolve);
  });
}
