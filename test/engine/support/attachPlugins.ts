import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { servePlugin } from "../../../emulator/aws/plugin/server";
import { withLazyModules } from "../../../scripts/openStack";

/**
 * Has the engine write its state once, when it ends, instead of before and after each step: half of its
 * processor time. Not for a test that ends it in between.
 */
export const STATE_WRITTEN_ONCE = { PULUMI_EXPERIMENTAL: "true", PULUMI_SKIP_CHECKPOINTS: "true" };

/** Plugins that run already, for one engine after the other. */
export interface AttachedPlugins {
  /** Has an engine attach to them, and write its state once. */
  readonly environment: Readonly<Record<string, string>>;
  readonly close: () => Promise<void>;
}

/**
 * Starts the plugins once for all runs of a stack: the stand-in for AWS in this process, Pulumi's
 * plugin for dynamic resources in one of its own.
 *
 * @param stateDir that of the stack, whose project the resources find this package from
 * @param environment what the engine gives its plugins
 */
export async function attachPlugins(
  stateDir: string,
  environment: Readonly<Record<string, string>>,
): Promise<AttachedPlugins> {
  const standIn = await servePlugin({ ...process.env, ...environment });
  const project = join(stateDir, "project");
  await mkdir(project, { recursive: true, mode: 0o700 });
  const plugin = spawn(process.execPath, [join(__dirname, "dynamicPlugin.cjs")], {
    cwd: project,
    env: {
      ...process.env,
      ...environment,
      NODE_OPTIONS: withLazyModules(environment.NODE_OPTIONS),
    },
    stdio: ["pipe", "pipe", "inherit"],
  });
  const ended = once(plugin, "close");
  const close = async () => {
    standIn.close();
    plugin.stdin.end();
    await ended;
  };
  const [port] = (await Promise.race([
    once(createInterface({ input: plugin.stdout }), "line"),
    ended.then(() => Promise.reject(new Error("Pulumi's plugin ended before it served"))),
  ])) as [string];
  return {
    environment: {
      ...STATE_WRITTEN_ONCE,
      PULUMI_DEBUG_PROVIDERS: `aws:${standIn.port},pulumi-nodejs:${port}`,
    },
    close,
  };
}
