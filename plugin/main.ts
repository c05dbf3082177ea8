import { endWithEngine } from "../provider/endWithEngine";
import { usePlugin } from "../provider/usePlugin";
import { servePlugin } from "./server";

/** The engine reads the port from the first line, and ends the plugin when it has finished. */
async function main(): Promise<void> {
  usePlugin();
  endWithEngine();
  const { port } = await servePlugin(engineAddress(process.argv.slice(2)));
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
