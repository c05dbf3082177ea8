import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { cp, mkdir, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { messageOfError } from "../../provider/base/messageOfError";
import type { SchemaFile } from "../../provider/config/schema/configSchema";
import { folderFingerprint } from "../folderFingerprint";
import { goCommand } from "../goCommand";
import { type KubeletTypes, kubeletSchemaOf } from "../kubeletSchema";
import { paths } from "../paths";
import type { ApiDescription } from "./apiDescription";
import { MACHINERY } from "./fetchTalos";
import { goModOf, isMissingModule, replacementsIn, withRelease } from "./goModule";
import type { GeneratedFacts, TalosModules } from "./releaseFacts";

/** Where the programs that are built with a release have their sources. */
const SOURCES = {
  schema: "provider/config/schema/generator",
  api: "scripts/apiDescriptor",
  types: "scripts/goTypes",
} as const;

/** Whose replacements are taken for modules that nobody has. */
const ORACLE_MOD = "test/conformance/oracle/go.mod";

/** Of a reason: its beginning says what is missing. */
const MOST_CHARACTERS = 1500;

/** A folder with a program that is compared with the package, and its go.mod and go.sum for a release. */
export interface OracleModule {
  readonly goMod: string;
  readonly goSum: string;
  readonly program: string;
}

/**
 * Builds and runs what describes a release, in a folder of the cache that is its own. What was made before from
 * the same sources is taken from there.
 */
export class ReleasePrograms {
  /** What could not be done, with the reasons. */
  readonly failures: string[] = [];

  /** @param former the go.mod of the newest oracle: what it takes in place of modules that nobody has */
  constructor(
    private readonly modules: TalosModules,
    private readonly former: string,
    private readonly say: (line: string) => void,
  ) {}

  /** What the programs print; undefined where they can't be built or refuse the release. */
  async generated(libraries: string): Promise<GeneratedFacts> {
    const { release, machinery } = this.modules;
    return {
      documents: await this.told<SchemaFile>("schema", [machinery], { [MACHINERY]: release }),
      api: await this.api(),
      kubelet: await this.told<KubeletTypes>(
        "types",
        [],
        { "k8s.io/kubelet": libraries },
        "kubelet",
      ).then((types) => types && kubeletSchemaOf(types, libraries, release)),
    };
  }

  /** The description of the API alone. */
  api(): Promise<ApiDescription | undefined> {
    return this.told<ApiDescription>("api", [], { [MACHINERY]: this.modules.release });
  }

  /**
   * The program of a folder with a release; undefined where it can't be built.
   *
   * @param folder of its sources, in the checkout
   * @param goMod the text that is taken for another release
   */
  async oracle(folder: string, goMod: string): Promise<OracleModule | undefined> {
    const { release } = this.modules;
    const workspace = await this.workspace(folder.replace(/^.*\//, ""), folder);
    const program = join(workspace, "program");
    const read = async (): Promise<OracleModule> => ({
      goMod: await readFile(join(workspace, "go.mod"), "utf8"),
      goSum: await readFile(join(workspace, "go.sum"), "utf8"),
      program,
    });
    const build = async (replaces: Readonly<Record<string, string>>): Promise<OracleModule> => {
      await writeFile(join(workspace, "go.mod"), withRelease(goMod, MACHINERY, release, replaces));
      await goCommand(["mod", "tidy"], { cwd: workspace });
      await goCommand(["build", "-trimpath", "-ldflags", "-s -w", "-o", `${program}.new`, "."], {
        cwd: workspace,
      });
      await rename(`${program}.new`, program);
      return read();
    };
    return this.attempt(`${folder} can't be built with Talos ${release}`, () => {
      if (existsSync(program)) {
        return read();
      }
      this.say(`building ${folder} with Talos ${release} (a minute or two) …`);
      return this.withReplacements(build);
    });
  }

  /** What a program prints, as JSON. */
  private async told<Printed>(
    name: keyof typeof SOURCES,
    args: readonly string[],
    requires: Readonly<Record<string, string>>,
    tag?: string,
  ): Promise<Printed | undefined> {
    const { release } = this.modules;
    const folder = SOURCES[name];
    return this.attempt(`${folder} can't describe Talos ${release}`, async () => {
      const workspace = await this.workspace(name, folder);
      const printed = join(workspace, "printed.json");
      const known = await readFile(printed, "utf8").catch(() => undefined);
      if (known !== undefined) {
        return JSON.parse(known) as Printed;
      }
      this.say(`building ${folder} with Talos ${release} (a minute or two) …`);
      const program = join(workspace, "program");
      await this.withReplacements(async (replaces) => {
        await writeFile(join(workspace, "go.mod"), goModOf("adopted", requires, replaces));
        const tags = tag === undefined ? [] : ["-tags", tag];
        await goCommand(["build", ...tags, "-ldflags", "-s -w", "-o", program, "."], {
          cwd: workspace,
          environment: { GOFLAGS: "-mod=mod -buildvcs=false" },
        });
      });
      const { stdout } = await promisify(execFile)(program, [...args], { maxBuffer: 64 << 20 });
      await rm(program);
      await writeFile(`${printed}.new`, stdout);
      await rename(`${printed}.new`, printed);
      return JSON.parse(stdout) as Printed;
    });
  }

  /** A folder with a copy of sources, named after them and the release. */
  private async workspace(name: string, folder: string): Promise<string> {
    const sources = join(paths.root, folder);
    const workspace = join(
      paths.cache,
      `adopt/${this.modules.release}/${name}-${folderFingerprint(sources)}`,
    );
    await mkdir(workspace, { recursive: true });
    await cp(sources, workspace, {
      recursive: true,
      filter: (path) => !/\.(?:mod|sum)$/.test(path),
    });
    return workspace;
  }

  /**
   * Builds with the modules that Talos' own go.mod takes; if one of them can't be had, with those that the
   * newest oracle takes.
   */
  private async withReplacements<Built>(
    build: (replaces: Readonly<Record<string, string>>) => Promise<Built>,
  ): Promise<Built> {
    const goMod = await readFile(join(this.modules.machinery, "go.mod"), "utf8");
    const own = replacementsIn(goMod);
    try {
      return await build(own);
    } catch (error) {
      if (!isMissingModule(error)) {
        throw error;
      }
      return build({ ...own, ...replacementsIn(this.former) });
    }
  }

  private async attempt<Done>(what: string, work: () => Promise<Done>): Promise<Done | undefined> {
    try {
      return await work();
    } catch (error) {
      const reason = messageOfError(error);
      const way = isMissingModule(error)
        ? ` Write another release of that module as a "replace" into ${ORACLE_MOD}, and run the command again.`
        : "";
      this.failures.push(`${what}: ${reason.replace(/\s+/g, " ").slice(0, MOST_CHARACTERS)}${way}`);
      return undefined;
    }
  }
}
