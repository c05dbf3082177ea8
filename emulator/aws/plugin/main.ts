import { servePlugin } from "./server";

const PARENT_CHECK_MS = 1_000;

/** The engine reads the port from the first line; it ends the plugin when it is done with it. */
async function main(): Promise<void> {
  const parent = process.ppid;
  // An engine that is killed ends no plugin, so the plugin looks whether it still has its parent.
  setInterval(() => {
    if (process.ppid !== parent) {
      process.exit(0);
    }
  }, PARENT_CHECK_MS);
  const { port } = await servePlugin(process.env);
  process.stdout.write(`${port}\n`);
}

main().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
});
