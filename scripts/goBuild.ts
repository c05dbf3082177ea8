import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { withFileLock } from "../emulator/aws/fileLock";
import { goCommand, isDownload, isPackage } from "./goCommand";
import type { StepLog } from "./runStep";

/** How the names of the temporary folders begin. */
const WORKSPACE_PREFIX = "go-build-";

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
  /**
   * Lines of a `go.sum`: the hashes of `requires`, and of modules that their own `go.sum` lacks. So nobody can put
   * other code in the place of any module, and no database has to be asked.
   */
  readonly sums: readonly string[];
  /** Linker flags besides those that strip the binary. Default: none. */
  readonly flags?: string;
}

/** Leaves out what the linker strips anyway: that is a tenth of the compiler's work. */
const WITHOUT_DEBUG_DATA = "-gcflags=all=-dwarf=false";

/**
 * Builds a program with Go, in a temporary folder beside its target. The target appears whole or
 * not at all. Where another process builds it already, this one waits for that build.
 *
 * @throws Error that names what to install when there is no Go, or with the end of Go's output
 */
export async function goBuild(program: GoProgram, log: StepLog): Promise<void> {
  await mkdir(dirname(program.target), { recursive: true });
  await withFileLock(`${program.target}.lock`, log.say, async () => {
    if (!existsSync(program.target)) {
      await build(program, log);
    }
  });
}

async function build(program: GoProgram, { at }: StepLog): Promise<void> {
  const folder = dirname(program.target);
  await removeFormer(folder);
  const workspace = await mkdtemp(join(folder, WORKSPACE_PREFIX));
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
    const options = { cwd: workspace, environment: { GOFLAGS: "-mod=mod" } };
    at("asking for modules");
    const pinned = await pinModules(program, workspace);
    let modules = 0;
    const toCompile = await goCommand(
      [
        "list",
        "-deps",
        WITHOUT_DEBUG_DATA,
        "-f",
        "{{if .Stale}}{{.ImportPath}}{{end}}",
        program.package,
      ],
      {
        ...options,
        onLine: (line) => {
          modules += isDownload(line) ? 1 : 0;
          at(`downloading module ${modules}`);
        },
      },
    );
    await refuseUnpinned(workspace, pinned);
    const total = toCompile.split("\n").filter((line) => line !== "").length;
    let packages = 0;
    await goCommand(
      [
        "build",
        "-v",
        WITHOUT_DEBUG_DATA,
        "-ldflags",
        `-s -w ${program.flags ?? ""}`,
        "-o",
        built,
        program.package,
      ],
      {
        ...options,
        onLine: (line) => {
          packages += isPackage(line) ? 1 : 0;
          at(packages < total ? `compiling package ${packages} of ${total}` : "linking");
        },
      },
    );
    await rename(built, program.target);
  } finally {
    await rm(workspace, { recursive: true, force: true });
  }
}

/**
 * Writes the hashes of all modules: those of the required ones, which Go checks when it fetches them, and those in their
 * own `go.sum`.
 *
 * @returns the lines
 */
async function pinModules(
  { requires, sums }: GoProgram,
  workspace: string,
): Promise<ReadonlySet<string>> {
  const file = join(workspace, "go.sum");
  const lines = new Set(sums);
  const write = () => writeFile(file, [...lines].map((line) => `${line}\n`).join(""));
  await write();
  const modules = Object.entries(requires).map(([path, version]) => `${path}@${version}`);
  for (const module of modules) {
    const told = await goCommand(["mod", "download", "-json", module], {
      cwd: workspace,
      // Without a hash in the file it would take what it gets.
      environment: { GOFLAGS: "-mod=readonly" },
    });
    const { Dir: folder } = JSON.parse(told) as { readonly Dir: string };
    const own = await readFile(join(folder, "go.sum"), "utf8").catch(() => "");
    own.split("\n").forEach((line) => line !== "" && lines.add(line));
  }
  await write();
  return lines;
}

/** Go adds what it misses, so an added line is a module that nobody has pinned. */
async function refuseUnpinned(workspace: string, pinned: ReadonlySet<string>): Promise<void> {
  const text = await readFile(join(workspace, "go.sum"), "utf8").catch(() => "");
  const added = text.split("\n").filter((line) => line !== "" && !pinned.has(line));
  if (added.length > 0) {
    throw new Error(
      `the hashes of these modules aren't pinned, so nothing was built: compare them with a source that you trust, and add the lines to "sums":\n${added.join("\n")}`,
    );
  }
}

/** Removes the workspaces of builds that were killed. The caller holds the lock: none is in use. */
async function removeFormer(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (name.startsWith(WORKSPACE_PREFIX)) {
      await rm(join(folder, name), { recursive: true, force: true });
    }
  }
}
