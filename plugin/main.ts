import { usePlugin } from "../provider/engine";
import { endWithEngine } from "./endWithEngine";
import { servePlugin } from "./server";

/** The engine reads the port from the first line, and ends the plugin when it has finished. */
async function main(): Promise<void> {
  usePlugin();
  const engine = engineAddress(process.argv.slice(2));
  if (engine !== undefined) {
    endWithEngine(engine);
  }
  const { port } = await servePlugin(engine);
  process.stdout.write(`${port}\n`);
}

/**
 * The engine's address among the arguments that it starts a plugin with. Source: pulumi v3.230.0,
 * sdk/go/common/resource/plugin/plugin.go.
 */
function engineAddress(args: readonly string[]): string | undefined {
  return args.find((arg, index) => !arg.startsWith("-") && args[index - 1] !== "--tracing");
}

void main();
