import { execFileSync } from "node:child_process";
import type {
  Deployment,
  DestroyResult,
  OutputMap,
  RefreshResult,
  Stack,
  UpResult,
  UpdateSummary,
} from "@pulumi/pulumi/automation";
import { withoutReports } from "../../../cli/engine/shownStack";
import { exportedOutputs } from "./exportedOutputs";

/**
 * The same stack, whose operations read outputs and summary when a test looks at them: most don't, and
 * it takes as much processor time as a small `up`.
 */
export function readLater(stack: Stack): Stack {
  const unread = withoutReports(stack);
  const lazy = Object.create(stack) as Stack;
  lazy.up = async (options) => withSummary(stack, withOutputs(stack, await unread.up(options)));
  lazy.refresh = async (options) => withSummary(stack, await unread.refresh(options));
  lazy.destroy = async (options) => withSummary(stack, await unread.destroy(options));
  return lazy;
}

function withOutputs(stack: Stack, result: UpResult): UpResult {
  let outputs: OutputMap | undefined;
  return Object.defineProperty(result, "outputs", {
    get: () => (outputs ??= readOutputs(stack)),
    enumerable: true,
  });
}

function withSummary<Result extends UpResult | RefreshResult | DestroyResult>(
  stack: Stack,
  result: Result,
): Result {
  let summary: UpdateSummary | undefined;
  return Object.defineProperty(result, "summary", {
    get: () => (summary ??= readSummary(stack)),
    enumerable: true,
  });
}

function readOutputs(stack: Stack): OutputMap {
  const exported = runEngine(stack, "stack", "export", "--show-secrets");
  return exportedOutputs(JSON.parse(exported) as Deployment);
}

function readSummary(stack: Stack): UpdateSummary | undefined {
  const args = ["history", "--json", "--show-secrets", "--page-size", "1", "--page", "1"];
  return (JSON.parse(runEngine(stack, "stack", ...args)) as UpdateSummary[])[0];
}

/** Waits for the engine, as a property that is looked at can't be waited for. */
function runEngine({ name, workspace }: Stack, ...args: readonly string[]): string {
  return execFileSync(
    workspace.pulumiCommand.command,
    [...args, "--stack", name, "--non-interactive"],
    {
      cwd: workspace.workDir,
      env: { ...process.env, ...workspace.envVars },
      encoding: "utf8",
      maxBuffer: 64 * 1024 * 1024,
    },
  );
}
