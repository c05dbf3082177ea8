import { type ChildProcessByStdio, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { createInterface, type Interface } from "node:readline";
import type { Readable, Writable } from "node:stream";
import { quickNodeOptions } from "../../../scripts/openStack";

/** Pulumi's plugin for dynamic resources, which serves the runs of one stack. */
export interface DynamicPlugin {
  readonly port: string;
  /** Gives it back, for the next stack. */
  readonly release: () => void;
}

interface PluginProcess {
  readonly child: ChildProcessByStdio<Writable, Readable, null>;
  readonly lines: Interface;
  readonly ended: Promise<unknown>;
}

/** Those that no stack has. They have loaded Pulumi's SDK, and end with this process. */
const idle = new Set<PluginProcess>();

/**
 * Takes one that is idle, or starts one.
 *
 * @param project folder that resources find this package from
 * @param environment what the engine gives its plugins
 */
export async function takeDynamicPlugin(
  project: string,
  environment: Readonly<Record<string, string>>,
): Promise<DynamicPlugin> {
  await mkdir(project, { recursive: true, mode: 0o700 });
  // Options of Node.js count at its start.
  const isOwn = environment.NODE_OPTIONS !== undefined;
  const given = {
    ...process.env,
    ...environment,
    NODE_OPTIONS: quickNodeOptions(environment.NODE_OPTIONS),
  };
  const [free] = isOwn ? [] : idle;
  const plugin = free ?? startPlugin(given);
  idle.delete(plugin);
  plugin.child.stdin.write(`${JSON.stringify({ project, environment: given })}\n`);
  const [port] = (await Promise.race([
    once(plugin.lines, "line"),
    plugin.ended.then(() => Promise.reject(new Error("Pulumi's plugin ended before it served"))),
  ])) as [string];
  return {
    port,
    release: () => {
      if (isOwn) {
        plugin.child.stdin.end();
      } else if (plugin.child.exitCode === null) {
        idle.add(plugin);
      }
    },
  };
}

function startPlugin(environment: NodeJS.ProcessEnv): PluginProcess {
  const child = spawn(process.execPath, [join(__dirname, "dynamicPlugin.cjs")], {
    env: environment,
    stdio: ["pipe", "pipe", "inherit"],
  });
  child.unref();
  const ended = once(child, "close");
  const plugin = { child, lines: createInterface({ input: child.stdout }), ended };
  void ended.then(() => idle.delete(plugin));
  return plugin;
}
