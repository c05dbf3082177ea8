import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { promisify } from "node:util";
import { type Emulator, startEmulator } from "../../emulator";
import packageJson from "../../package.json";
import { languageNames } from "../../scripts/reference/languageNames";
import {
  nameIn,
  type PackageDescription,
  readPackageDescription,
} from "../../scripts/reference/packageDescription";
import { makePluginArchive, type PluginArchive } from "../../scripts/release/pluginArchive";
import { exampleOf, readExampleProgram } from "../../scripts/schema/examples/exampleProgram";
import { ExampleTypes } from "../../scripts/schema/examples/exampleTypes";
import { goExample } from "../../scripts/schema/examples/goExample";
import { pythonExample } from "../../scripts/schema/examples/pythonExample";
import { packageFacts } from "../../scripts/schema/packageFacts";
import { makeAccount, makeDisk } from "../engine/support/exampleAccount";
import { type RunProgram, startLanguageHost } from "../engine/support/languageHost";
import { pluginCli } from "../engine/support/pluginCli";
import { liveQuickstart } from "../engine/support/quickstartLife";
import { type GitHubRelease, serveGitHubRelease } from "./support/gitHubRelease";
import { runGoProgram, runPythonProgram } from "./support/runPrograms";

const root = join(__dirname, "../..");
const run = promisify(execFile);
const { version } = packageJson;
const plugin = `talos-aws@${version}`;

/** A language whose SDK and quickstart are tried. */
interface Language {
  /** As `pulumi package gen-sdk` names it. */
  readonly name: "go" | "nodejs" | "python";
  /** Makes the SDK in the folder usable, and throws if it does not compile. */
  readonly compileSdk: (folder: string) => Promise<unknown>;
  readonly quickstart?: Quickstart;
}

interface Quickstart {
  readonly file: string;
  /** Lines after those of the example. Default: none. */
  readonly more?: string;
  /** Secret outputs of these lines. */
  readonly secretOutputs?: readonly string[];
  readonly changed: (program: string) => string;
  readonly compile?: (folder: string) => Promise<unknown>;
  readonly runProgram: (folder: string) => RunProgram;
}

const inFolder = (folder: string, environment: Readonly<Record<string, string>> = {}) => ({
  cwd: folder,
  maxBuffer: 1 << 26,
  env: { ...process.env, ...environment },
});

const { types, resources } = readPackageDescription();
const exampleTypes = new ExampleTypes(types, resources);

const pythonIn = (folder: string) => join(folder, "venv/bin/python");

// Go has compiled most of its SDK for the engine, with the same flags.
const goFlags = { CGO_ENABLED: "0", GOFLAGS: "-mod=mod -gcflags=all=-dwarf=false" };

const languages: readonly Language[] = [
  {
    name: "python",
    compileSdk: async (folder) => {
      await run("python3", ["-m", "venv", "venv"], inFolder(folder));
      const quiet = ["--quiet", "--disable-pip-version-check", "--no-input"];
      const install = ["-m", "pip", "install", ...quiet, "-r", "requirements.txt"];
      await run(pythonIn(folder), install, inFolder(folder));
      await run(
        pythonIn(folder),
        ["-W", "error", "-m", "compileall", "-q", "-f", "sdks"],
        inFolder(folder),
      );
    },
    quickstart: {
      file: "__main__.py",
      more: 'pulumi.export("deployKubeconfig", cluster.get_kubeconfig(user="ci").kubeconfig)\n',
      secretOutputs: ["deployKubeconfig"],
      changed: (program) =>
        program.replace(
          'environment="demo",',
          '$& patches=[{"machine": {"sysctls": {"vm.max_map_count": "262144"}}}],',
        ),
      runProgram: (folder) => runPythonProgram(pythonIn(folder)),
    },
  },
  {
    name: "go",
    compileSdk: (folder) =>
      run("go", ["build", "./..."], inFolder(join(folder, "sdks/talos-aws"), goFlags)),
    quickstart: {
      file: "main.go",
      changed: (program) =>
        program.replace(
          /Environment: .*/,
          '$&\n Patches: pulumi.Array{pulumi.Map{"machine": pulumi.Map{"sysctls": pulumi.StringMap{"vm.max_map_count": pulumi.String("262144")}}}},',
        ),
      compile: (folder) => run("go", ["build", "-o", "program", "."], inFolder(folder, goFlags)),
      runProgram: (folder) => runGoProgram(join(folder, "program")),
    },
  },
  {
    name: "nodejs",
    compileSdk: async (folder) => {
      symlinkSync(join(root, "node_modules"), join(folder, "node_modules"));
      const compiler = join(root, "node_modules/typescript/bin/tsc");
      await run(process.execPath, [compiler, "-p", "sdks/talos-aws", "--noEmit"], inFolder(folder));
    },
  },
];

describe("the plugin's archive, in languages besides TypeScript", () => {
  let folder: string;
  let archive: PluginArchive;
  let release: GitHubRelease;
  let emulator: Emulator;

  const optionsIn = (name: string) => {
    const own = join(folder, name);
    mkdirSync(own, { recursive: true });
    const generators = process.env.PULUMI_SDK_GENERATOR ?? "";
    const yamlHost = process.env.PULUMI_YAML_HOST ?? "";
    return {
      folder: own,
      pluginDirs: [generators, yamlHost],
      emulator,
      environment: { PULUMI_HOME: join(folder, "home"), ...release.environment },
    };
  };
  const cli = (name: string, ...args: readonly string[]) => pluginCli(optionsIn(name), ...args);

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-languages-"));
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const { stdout } = await run("npm", pack, inFolder(root));
    const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
    archive = await makePluginArchive(join(folder, "release"), join(folder, filename), version);
    const source = packageFacts.pluginDownloadURL;
    release = await serveGitHubRelease(source, version, folder, [archive.path]);
    const timings = { bootMs: 100, rebootMs: 100, joinMs: 100 };
    emulator = await startEmulator({ cacheDir: join(root, ".cache"), timings });
    await makeAccount(emulator);
    await makeDisk(emulator);
  });

  afterAll(async () => {
    release.close();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it("has the checksum that is beside it", () => {
    const sha256 = createHash("sha256").update(readFileSync(archive.path)).digest("hex");
    expect(archive.sha256).toBe(sha256);
    expect(readFileSync(`${archive.path}.sha256`, "utf8")).toBe(
      `${sha256}  ${basename(archive.path)}\n`,
    );
  });

  it("is added to a project in Python by one command, from a release on GitHub", async () => {
    const { folder: project } = optionsIn("python");
    cpSync(join(root, "examples/quickstart-python"), project, { recursive: true });
    const { code, output } = await cli("python", "package", "add", "talos-aws");
    expect({ code, output }).toMatchObject({ code: 0 });
    expect(output).toContain("Added package Talos on AWS");
    const requirements = readFileSync(join(project, "requirements.txt"), "utf8").split("\n");
    expect(requirements.filter((line) => line.includes("sdks/talos-aws"))).toHaveLength(1);
    await run(pythonIn(project), ["-c", "import pulumi_talos_aws"], inFolder(project));
  });

  it("gives its schema", async () => {
    const { output } = await cli("schema", "package", "get-schema", plugin);
    // The CLI leaves out what is empty, and sorts.
    const given = JSON.parse(output) as PackageDescription & { readonly version: string };
    expect(given.version).toBe(version);
    const written = readPackageDescription();
    for (const part of ["resources", "functions", "types"] as const) {
      expect(Object.keys(given[part]).sort()).toEqual(Object.keys(written[part]).sort());
    }
    const cluster = "talos-aws:index:TalosCluster";
    expect(given.resources[cluster]).toMatchObject(written.resources[cluster] ?? {});
  });

  it("is added to a project in YAML", async () => {
    const { folder: project } = optionsIn("added");
    writeFileSync(join(project, "Pulumi.yaml"), "name: added\nruntime: yaml\n");
    const { code, output } = await cli("added", "package", "add", plugin);
    expect(output).toContain("Added package Talos on AWS");
    expect(code).toBe(0);
    expect(readFileSync(join(project, "Pulumi.yaml"), "utf8")).toContain(plugin);
  });

  describe.each(languages)("$name", ({ name, compileSdk, quickstart }) => {
    it("has an SDK that compiles", async () => {
      const { folder: project } = optionsIn(name);
      if (quickstart !== undefined) {
        cpSync(join(root, `examples/quickstart-${name}`), project, { recursive: true });
      }
      const generate = ["package", "gen-sdk", plugin, "--language", name, "--local"];
      const { code, output } = await cli(name, ...generate, "--out", join(project, "generated"));
      expect({ code, output }).toMatchObject({ code: 0 });
      cpSync(join(project, "generated", name), join(project, "sdks/talos-aws"), {
        recursive: true,
      });
      rmSync(join(project, "generated"), { recursive: true });
      await compileSdk(project);
    });

    it.skipIf(name === "nodejs")("has the names that the reference gives it", () => {
      const { property, resource } = languageNames[name === "go" ? "go" : "python"];
      const words = new Set(textBelow(join(optionsIn(name).folder, "sdks")).match(/\w+/g));
      const { resources, types } = readPackageDescription();
      const properties = [
        ...Object.values(resources).map(({ inputProperties }) => inputProperties),
        ...Object.values(types).map((type) => type.properties ?? {}),
      ].flatMap((each) => Object.keys(each));
      const names = [
        ...properties.map(property),
        ...Object.keys(resources).map(nameIn).map(resource),
      ];
      expect(names.filter((each) => !words.has(each))).toEqual([]);
    });

    it.skipIf(name !== "python")("previews every example of the schema", async () => {
      const options = optionsIn(name);
      const program = join(options.folder, "__main__.py");
      const text = readFileSync(program, "utf8");
      writeFileSync(program, pythonExample(readExampleProgram(), exampleTypes));
      const host = await startLanguageHost(runPythonProgram(pythonIn(options.folder)));
      try {
        await pluginCli(options, "stack", "init", "examples");
        await pluginCli(options, "config", "set", "aws:region", "eu-central-1");
        const { code, output } = await pluginCli(options, "preview", `--client=${host.address}`);
        expect({ code, output }).toMatchObject({ code: 0 });
      } finally {
        host.close();
        writeFileSync(program, text);
      }
    });

    it.skipIf(name !== "go")("compiles every example of the schema", async () => {
      const { folder: project } = optionsIn(name);
      const program = readExampleProgram();
      const examples = Object.keys(readPackageDescription().resources).map(
        (token) => [nameIn(token), exampleOf(token, program)] as const,
      );
      for (const [example, resources] of [...examples, ["All", program] as const]) {
        const own = join(project, "examples", example);
        mkdirSync(own, { recursive: true });
        writeFileSync(join(own, "main.go"), `${goExample(resources, exampleTypes)}\n`);
      }
      await run("go", ["vet", "./examples/..."], inFolder(project, goFlags));
      const { stdout } = await run("gofmt", ["-l", "examples"], inFolder(project));
      expect(stdout).toBe("");
    });

    it.skipIf(name !== "python")("is told its misspelt arguments, and no trace", async () => {
      const options = optionsIn(name);
      const program = join(options.folder, "__main__.py");
      const text = readFileSync(program, "utf8");
      const misspelt =
        'control_plane={"instance_typ": "m7i.large", "machine_cont": 3}, add_ons={"ebs_csi": {"extra_arg": {}}}, tags={"any_key": "a"},';
      writeFileSync(program, text.replace('environment="demo",', `$& ${misspelt}`));
      const host = await startLanguageHost(runPythonProgram(pythonIn(options.folder)));
      try {
        await pluginCli(options, "stack", "init", "misspelt");
        const { code, output } = await pluginCli(options, "preview", `--client=${host.address}`);
        const [, diagnostics = ""] = /Diagnostics:([^]*?)Resources:/.exec(output) ?? [];
        const lines = diagnostics.split("\n").map((line) => line.trim());
        // Python's SDK says that the run has ended, if the engine still listens (pulumi v3.274.1, runtime/settings.py).
        const isOwn = (line: string) =>
          !/^($|warning: using |pulumi:pulumi:Stack |error: Resource monitor has terminated)/.test(
            line,
          );
        expect(lines.filter(isOwn)).toEqual([
          "talos-aws:index:ImmutableArguments (demo-refused):",
          expect.stringMatching(
            /^error: .* the TalosCluster "demo" can't be made of these arguments:$/,
          ),
          '- add_ons.ebs_csi.extra_arg: there is no such argument: did you mean "extra_args"?',
          '- control_plane.instance_typ: there is no such argument: did you mean "instance_type"?',
          '- control_plane.machine_cont: there is no such argument: did you mean "machine_count"?',
        ]);
        expect(code).not.toBe(0);
      } finally {
        host.close();
        writeFileSync(program, text);
      }
    });

    it.skipIf(quickstart === undefined)(
      "brings the quickstart up, previews a change, and takes it down",
      async () => {
        const options = optionsIn(name);
        const { file = "", more = "", changed = String, compile, runProgram } = quickstart ?? {};
        const { secretOutputs = [] } = quickstart ?? {};
        appendFileSync(join(options.folder, file), more);
        const host = await startLanguageHost(runProgram?.(options.folder));
        try {
          await liveQuickstart({
            ...options,
            file,
            changed,
            secretOutputs,
            runOptions: [`--client=${host.address}`],
            ...(compile && { compile: () => compile(options.folder) }),
          });
        } finally {
          host.close();
        }
      },
    );
  });
});

function textBelow(folder: string): string {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(go|py)$/.test(entry.name))
    .map(({ parentPath, name }) => readFileSync(join(parentPath, name), "utf8"))
    .join("\n");
}
