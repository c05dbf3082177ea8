import { fstatSync } from "node:fs";
import { isEnginePlugin } from "./isEnginePlugin";

/**
 * In the engine's plugin for dynamic resources: ends the process when the engine is gone. The
 * plugin doesn't by itself, and what an orphan goes on doing to machines would meet what the next
 * run does: a second bootstrap at the wrong moment destroys an etcd that is starting.
 *
 * The engine holds the other end of the plugin's standard input and writes nothing to it, so its
 * end is the engine's. In any other process this does nothing.
 */
export function endWithEngine(): void {
  if (isEnginePlugin() && !process.stdin.listeners("end").includes(end) && fstatSync(0).isFIFO()) {
    process.stdin.on("end", end).resume();
  }
}

function end(): void {
  process.exit(1);
}
