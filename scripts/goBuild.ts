import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withFileLock } from "../emulator/aws/fileLock";
import { goCommand } from "./goCommand";

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
 * not at all. Where another process builds it already, its build is waited for.
 *
 * @param say told when there is something to wait for
 * @throws Error that names what to install when there is no Go, or with the end of Go's output
 */
export async function goBuild(program: GoProgram, say: (line: string) => void): Promise<void> {
  await mkdir(dirname(program.target), { recursive: true });
  await withFileLock(`${program.target}.lock`, say, async () => {
    if (!existsSync(program.target)) {
      await build(program);
    }
  });
}

async function build(program: GoProgram): Promise<void> {
  const folder = dirname(program.target);
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
    await goCommand(
      ["build", "-ldflags", `-s -w ${program.flags ?? ""}`, "-o", built, program.package],
      workspace,
      { GOFLAGS: "-mod=mod" },
    );
    await rename(built, program.target);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}
