import { fstatSync } from "node:fs";

/**
 * In the engine's plugin for dynamic resources: ends the process when the engine ends. The plugin
 * doesn't do this itself. Otherwise it would continue to change machines beside the next run: a
 * second bootstrap at the wrong moment destroys an etcd that is starting.
 *
 * The engine holds the other end of the plugin's standard input and writes nothing to it. So the
 * input ends when the engine does. In other processes this does nothing.
 */
export function endWithEngine(): void {
  if (isEnginePlugin() && !process.stdin.listeners("end").includes(end) && fstatSync(0).isFIFO()) {
    process.stdin.on("end", end).resume();
  }
}

function end(): void {
  process.exit(1);
}

/** Whether this process is the engine's plugin for dynamic resources (pulumi v3.230.0). */
export function isEnginePlugin(): boolean {
  return /[\\/]cmd[\\/]dynamic-provider/.test(process.argv[1] ?? "");
}
