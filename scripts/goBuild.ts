import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { promisify } from "node:util";

const run = promisify(execFile);

/** A program to build from published Go modules. */
export interface GoProgram {
  /** The file to make. */
  readonly target: string;
  /** Import path of its main package. */
  readonly package: string;
  /** Modules by path, with the version of each. */
  readonly requires: Readonly<Record<string, string>>;
  /** Modules to take in place of others: `path` → `path version`. Default: none. */
  readonly replaces?: Readonly<Record<string, string>>;
  /** Linker flags besides those that strip the binary. Default: none. */
  readonly flags?: string;
}

/**
 * Builds a program with Go, in a temporary folder beside its target. The target appears whole or
 * not at all.
 *
 * @throws Error that names what to install when there is no Go, or with the end of Go's output
 */
export async function goBuild(program: GoProgram): Promise<void> {
  await run("go", ["version"]).catch(() => {
    throw new Error(
      "Go is needed to build this tool and isn't on PATH: install Go 1.25 or newer (https://go.dev/dl, or Debian's package golang) and run the command again",
    );
  });
  const folder = dirname(program.target);
  await mkdir(folder, { recursive: true });
  const workspace = await mkdtemp(join(folder, "go-build-"));
  try {
    const lines = (entries: Readonly<Record<string, string>>, keyword: string, arrow: string) =>
      Object.entries(entries).map(([path, other]) => `${keyword} ${path} ${arrow}${other}`);
    const goMod = [
      "module build",
      "go 1.25",
      ...lines(program.requires, "require", ""),
      ...lines(program.replaces ?? {}, "replace", "=> "),
    ];
    await writeFile(join(workspace, "go.mod"), `${goMod.join("\n")}\n`);
    const built = join(workspace, "built");
    await run(
      "go",
      ["build", "-ldflags", `-s -w ${program.flags ?? ""}`, "-o", built, program.package],
      {
        cwd: workspace,
        env: { ...process.env, GOFLAGS: "-mod=mod", CGO_ENABLED: "0" },
        maxBuffer: 64 * 1024 * 1024,
      },
    );
    await rename(built, program.target);
  } catch (error) {
    const output =
      error instanceof Error && "stderr" in error ? String(error.stderr) : String(error);
    const tail = output.trim().split("\n").slice(-5).join("\n");
    throw new Error(`building ${program.package} with Go failed:\n${tail}`, { cause: error });
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
