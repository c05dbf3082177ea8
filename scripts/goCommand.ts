import { execFile, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

/** How many lines of Go's output an error has. */
const MAX_LINES = 5;

/** How Go is run. */
export interface GoCommandOptions {
  readonly cwd: string;
  /** Variables besides those of this process. Default: none. */
  readonly environment?: Readonly<Record<string, string>>;
  /** Takes each line of Go's progress, which it writes to standard error. */
  readonly onLine?: (line: string) => void;
}

/**
 * Runs Go in a folder.
 *
 * @returns its standard output
 * @throws Error that names what to install when there is no Go, or with the end of Go's output
 */
export async function goCommand(
  args: readonly string[],
  { cwd, environment = {}, onLine }: GoCommandOptions,
): Promise<string> {
  await promisify(execFile)("go", ["version"]).catch(() => {
    throw new Error(
      "Go is needed to build this tool and isn't on PATH: install Go 1.26 or newer (https://go.dev/dl, or Debian's package golang) and run the command again",
    );
  });
  const env = { ...process.env, CGO_ENABLED: "0", ...environment };
  const child = spawn("go", args, { cwd, env, stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  child.stdout.setEncoding("utf8").on("data", (text: string) => (output += text));
  const lines: string[] = [];
  createInterface({ input: child.stderr }).on("line", (line) => {
    lines.push(line);
    onLine?.(line);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once("error", reject);
    child.once("close", resolve);
  });
  if (code !== 0) {
    const told = lines.filter((line) => !isProgress(line)).slice(-MAX_LINES);
    throw new Error(`go ${args[0] ?? ""} failed in ${cwd}:\n${told.join("\n")}`);
  }
  return output;
}

/** Whether a line only names a module that is downloaded, or a package that is compiled (`-v`). */
function isProgress(line: string): boolean {
  return isDownload(line) || isPackage(line);
}

/** Whether a line names a module that Go downloads. */
export function isDownload(line: string): boolean {
  return line.startsWith("go: downloading ");
}

/** Whether a line names a package that Go compiles, as `go build -v` prints them. */
export function isPackage(line: string): boolean {
  return /^[\w./~-]+$/.test(line);
}
