import { execFile, spawn } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import type { RunRequest } from "@pulumi/pulumi/proto/language_pb";
import { configurationOf, type RunProgram } from "../../engine/support/languageHost";

const run = promisify(execFile);

/** Where Pulumi's own runner of programs in Python is: Go has downloaded it for the generator. */
async function pythonRunner(): Promise<string> {
  const module = ["list", "-m", "-f", "{{.Dir}}", "github.com/pulumi/pulumi/sdk/v3"];
  const { stdout } = await run("go", module, { cwd: join(__dirname, "../generator") });
  return join(stdout.trim(), "python/cmd/pulumi-language-python-exec");
}

/** Runs `__main__.py` with a Python that has the SDKs, by Pulumi's own runner. */
export function runPythonProgram(python: string): RunProgram {
  return async (request, engine) => {
    const options = {
      monitor: request.getMonitorAddress(),
      engine,
      project: request.getProject(),
      stack: request.getStack(),
      organization: request.getOrganization(),
      pwd: request.getPwd(),
      root_directory: request.getPwd(),
      parallel: String(request.getParallel()),
      dry_run: String(request.getDryrun()),
    };
    const given = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value]);
    return ended(python, ["-u", await pythonRunner(), ...given, "."], request, {});
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
