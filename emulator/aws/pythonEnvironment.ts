import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdir, readFile, rename, writeFile } from "node:fs/promises";
import path from "node:path";
import { createInterface } from "node:readline";
import { packageRoot } from "../packageRoot";
import { withFileLock } from "./fileLock";

/** Options of `ensureMoto`. */
export interface EnsureMotoOptions {
  /** Folder for the virtual environment. Default: `.cache` in the package's own folder. */
  readonly cacheDir?: string;
  /** Called with one line about each step. Default: nothing is logged. */
  readonly onLog?: (line: string) => void;
  /** Takes how far an installation is, such as `package 3 of 7`. Default: silence. */
  readonly onProgress?: (state: string) => void;
}

/** A Python that has moto and its server installed. */
export interface MotoInstallation {
  /** Path of the virtual environment's interpreter. */
  readonly python: string;
}

/** Python or its `venv` module is missing. The message says what to install. */
export class PythonMissingError extends Error {
  override readonly name = "PythonMissingError";
}

const OLDEST_MINOR = 10;
const REQUIREMENTS = path.join(__dirname, "moto", "requirements.txt");
const CANDIDATES = [
  "python3",
  ...[14, 13, 12, 11, 10].map((minor) => `python3.${minor}`),
  "python",
];

/**
 * Creates a virtual environment with the pinned release of `moto[server]`, or finds an existing one.
 * Several processes can call it at once: one installs and the others wait.
 *
 * @throws PythonMissingError when no Python 3.10 or later with `venv` and `pip` is found.
 * @throws Error when the installation fails, with what pip said.
 */
export async function ensureMoto(options: EnsureMotoOptions = {}): Promise<MotoInstallation> {
  const log = options.onLog ?? (() => undefined);
  const requirements = await readFile(REQUIREMENTS, "utf8");
  const fingerprint = createHash("sha256").update(requirements).digest("hex").slice(0, 12);
  const cacheDir = path.resolve(options.cacheDir ?? path.join(packageRoot(), ".cache"));
  const folder = path.join(cacheDir, `moto-${fingerprint}`);
  const python = path.join(folder, "bin", "python");
  const stamp = path.join(folder, "installed");
  if (existsSync(stamp) && (await works(python))) {
    return { python };
  }
  await mkdir(cacheDir, { recursive: true });
  await withFileLock(`${folder}.lock`, log, async () => {
    if (existsSync(stamp) && (await works(python))) {
      return;
    }
    const base = await findPython();
    log(`installing moto, the emulation of AWS, into "${folder}" (once, about a minute)`);
    const startedAt = Date.now();
    const progress = options.onProgress ?? (() => undefined);
    progress("making a virtual environment");
    await runOrThrow(base, ["-m", "venv", "--clear", folder]);
    const total = requirements.split("\n").filter((line) => /^\w/.test(line)).length;
    let collected = 0;
    await runOrThrow(
      python,
      [
        "-m",
        "pip",
        "install",
        "--no-input",
        "--disable-pip-version-check",
        "--no-deps",
        // Python compiles the few modules that it loads; pip would compile all services of AWS.
        "--no-compile",
        "--prefer-binary",
        "--progress-bar",
        "off",
        "--require-hashes",
        "--requirement",
        REQUIREMENTS,
      ],
      (line) => {
        collected += line.startsWith("Collecting ") ? 1 : 0;
        progress(
          line.startsWith("Installing collected packages")
            ? `unpacking ${total} packages`
            : `downloading package ${collected} of ${total}`,
        );
      },
    );
    progress("loading moto for the first time");
    await runOrThrow(python, ["-c", "import moto.server"]);
    await writeFile(`${stamp}.new`, requirements);
    await rename(`${stamp}.new`, stamp);
    log(`moto is installed (${Math.round((Date.now() - startedAt) / 1000)} s)`);
  });
  return { python };
}

async function works(python: string): Promise<boolean> {
  const result = await run(python, ["-c", "pass"]);
  return result.exitCode === 0;
}

/** The first Python on PATH that is new enough and can create virtual environments. */
async function findPython(): Promise<string> {
  const seen: string[] = [];
  for (const candidate of CANDIDATES) {
    const version = await run(candidate, [
      "-c",
      "import sys; print('%d.%d' % sys.version_info[:2])",
    ]);
    const [major, minor] = version.stdout.trim().split(".").map(Number);
    if (version.exitCode !== 0 || major === undefined || minor === undefined) {
      continue;
    }
    if (major !== 3 || minor < OLDEST_MINOR) {
      seen.push(`${candidate} is Python ${version.stdout.trim()}`);
      continue;
    }
    const modules = await run(candidate, ["-c", "import venv, ensurepip"]);
    if (modules.exitCode === 0) {
      return candidate;
    }
    seen.push(`${candidate} (Python ${version.stdout.trim()}) has no venv module`);
  }
  throw new PythonMissingError(
    `the emulated AWS needs Python 3.${OLDEST_MINOR} or later with venv and pip` +
      `${seen.length === 0 ? ", and no python3 is on PATH" : `: ${seen.join("; ")}`}; install it, on ` +
      "Debian and Ubuntu with `apt-get install python3 python3-venv`, on macOS with " +
      "`brew install python`",
  );
}

async function runOrThrow(
  command: string,
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<void> {
  const result = await run(command, args, onLine);
  if (result.exitCode !== 0) {
    throw new Error(
      `"${command} ${args.join(" ")}" failed with exit code ${result.exitCode ?? "none"}:\n` +
        `${result.stdout}${result.stderr}`.trim(),
    );
  }
}

interface Finished {
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(
  command: string,
  args: readonly string[],
  onLine: (line: string) => void = () => undefined,
): Promise<Finished> {
  return new Promise((resolve) => {
    const child = spawn(command, args, { stdio: ["ignore", "pipe", "pipe"], env: process.env });
    let stdout = "";
    let stderr = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => (stdout += text));
    createInterface({ input: child.stdout }).on("line", onLine);
    child.stderr.setEncoding("utf8").on("data", (text: string) => (stderr += text));
    child.once("error", (error) => resolve({ exitCode: null, stdout, stderr: error.message }));
    child.once("close", (exitCode) => resolve({ exitCode, stdout, stderr }));
  });
}
