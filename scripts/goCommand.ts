import { execFile } from "node:child_process";
import { promisify } from "node:util";

const run = promisify(execFile);

/**
 * Runs Go in a folder.
 *
 * @throws Error that names what to install when there is no Go, or with the end of Go's output
 */
export async function goCommand(
  args: readonly string[],
  cwd: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<void> {
  await run("go", ["version"]).catch(() => {
    throw new Error(
      "Go is needed to build this tool and isn't on PATH: install Go 1.25 or newer (https://go.dev/dl, or Debian's package golang) and run the command again",
    );
  });
  const env = { ...process.env, CGO_ENABLED: "0", ...environment };
  await run("go", args, { cwd, env, maxBuffer: 64 * 1024 * 1024 }).catch((error: unknown) => {
    const output =
      error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    const tail = output.trim().split("\n").slice(-5).join("\n");
    throw new Error(`go ${args[0] ?? ""} failed in ${cwd}:\n${tail}`, { cause: error });
  });
}
