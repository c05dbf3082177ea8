import { messageOfError } from "../../../provider/base";
import { servePlugin } from "./server";

const PARENT_CHECK_MS = 1_000;

/** The engine reads the port from the first line, and ends the plugin when it has finished. */
async function main(): Promise<void> {
  const parent = process.ppid;
  // A killed engine doesn't end its plugins, so the plugin checks whether its parent still exists.
  setInterval(() => {
    if (process.ppid !== parent) {
      process.exit(0);
    }
  }, PARENT_CHECK_MS);
  const { port } = await servePlugin(process.env);
  process.stdout.write(`${port}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${messageOfError(error)}\n`);
  process.exitCode = 1;
});
