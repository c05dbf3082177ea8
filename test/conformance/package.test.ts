import { execFile } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { createRequire, isBuiltin } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import type { Emulator, startEmulator } from "../../emulator";
import packageJson from "../../package.json";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { nameIn, readPackageDescription } from "../../scripts/reference/packageDescription";
import {
  EXAMPLE_FILE,
  exampleOf,
  readExampleProgram,
} from "../../scripts/schema/examples/exampleProgram";
import { typeScriptExample } from "../../scripts/schema/examples/typeScriptExample";
import { DISK_BUCKET, makeAccount, makeDisk } from "../engine/support/exampleAccount";
import { type LanguageHost, startLanguageHost } from "../engine/support/languageHost";
import { ordinaryPulumi } from "../engine/support/ordinaryPulumi";
import { pluginCli } from "../engine/support/pluginCli";
import { QUICKSTART_PATCH } from "../engine/support/quickstartChange";
import { liveQuickstart } from "../engine/support/quickstartLife";

const root = join(__dirname, "../..");
const run = promisify(execFile);
const load = createRequire(__filename);
const {
  version,
  devDependencies,
}: {
  version: string;
  devDependencies: Record<string, string>;
} = packageJson;

/** Choices of the compiler for projects that resolve modules as old ones do, which TypeScript 7 no longer has. */
const NODE10 = [
  "--module",
  "commonjs",
  "--moduleResolution",
  "node10",
  "--ignoreDeprecations",
  "6.0",
  "--noEmit",
];

const TALOS = NEWEST_RELEASES.talosVersion;
/** A release of the same minor without an image. */
const NO_TALOS = "v1.14.9";

/** The smallest cluster there is. */
const CLUSTER = `{
  environment: "packed",
  domain: "talos.internal",
  dns: { createZone: true },
  talosVersion: "${TALOS}",
  versionContract: "${NEWEST_RELEASES.versionContract}",
  kubernetesVersion: "${NEWEST_RELEASES.kubernetesVersion}",
  operatorCidrs: ["127.0.0.0/8"],
  controlPlane: { machineCount: 1 },
  network: { zones: ["us-east-1a"] },
}`;

const TYPESCRIPT = `import * as pulumi from "@pulumi/pulumi";
import { TalosCluster, type TalosClusterArgs } from "pulumi-talos-aws";
import { ApiLoadBalancer } from "pulumi-talos-aws/components";
import { startEmulator, type Emulator } from "@pulumi-talos-aws/emulator";
import { allRules, type Rule } from "pulumi-talos-aws/policies";
import { MachineSecrets } from "pulumi-talos-aws/provider";

const args: TalosClusterArgs = ${CLUSTER};
const cluster = new TalosCluster("packed", args);

export const endpoint: pulumi.Output<string> = cluster.endpoint;
export const kubeconfig = cluster.kubeconfig;
export const exported: string[] = [ApiLoadBalancer.name, startEmulator.name, MachineSecrets.name];
export const rules: number = allRules().map((rule: Rule) => rule.name).length;
export type Cloud = Emulator;
// @ts-expect-error an environment is a text
export const wrong: TalosClusterArgs = { ...args, environment: 1 };
`;

/** Components in YAML that a cluster does not create itself. */
const MORE_COMPONENTS = `
  ingress:
    type: talos-aws:IngressLoadBalancer
    properties:
      vpcId: \${demo.vpcId}
      subnetIds: ['\${demo.subnetIds["eu-central-1a"]}']
      machineGroupId: \${demo.securityGroupIds.worker}
      clientCidrs: [203.0.113.7/32]
      listeners: { https: { port: 443, targetPort: 30443 } }
  image:
    type: talos-aws:SchematicImage
    properties:
      talosVersion: ${TALOS}
      architecture: amd64
      bucket: ${DISK_BUCKET}
      key: talos-${TALOS}-amd64.raw
      systemExtensions: [siderolabs/iscsi-tools]
`;

/** Packages of this checkout, and the one module of each that asks for a package which may be missing. */
const packages = {
  "pulumi-talos-aws": { optional: ["dist/cli/offline/loadEmulator.js"] },
  "@pulumi-talos-aws/emulator": { optional: [] },
} as const;
type PackageName = keyof typeof packages;
const names = Object.keys(packages) as PackageName[];

describe("the packages as npm packs them", () => {
  let folder: string;
  const tarballs = new Map<PackageName, string>();
  let emulator: Emulator | undefined;
  let host: LanguageHost | undefined;

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), "talos-aws-packed-"));
    // The suite has run the build that packing would run again.
    const pack = ["pack", "--ignore-scripts", "--json", "--pack-destination", folder];
    const all = ["--workspaces", "--include-workspace-root"];
    const { stdout } = await run("npm", [...pack, ...all], { cwd: root, maxBuffer: 1 << 24 });
    for (const { name, filename } of JSON.parse(stdout) as {
      name: PackageName;
      filename: string;
    }[]) {
      tarballs.set(name, join(folder, filename));
    }
  });

  afterAll(async () => {
    host?.close();
    await emulator?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  describe.each(names)("%s", (name) => {
    it.each(["publint", "attw"])("is resolved correctly by %s", async (tool) => {
      await run(process.execPath, [binaryOf(tool), tarballs.get(name) ?? ""]);
    });
  });

  it("installs into a project elsewhere, with the types of every entry", async () => {
    const project = { name: "fresh", version: "1.0.0", private: true };
    writeFileSync(join(folder, "package.json"), JSON.stringify(project));
    const peers = ["@pulumi/aws", "@pulumi/pulumi"].map(
      (name) => `${name}@${devDependencies[name] ?? ""}`,
    );
    const quiet = ["--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"];
    await run("npm", ["install", ...quiet, ...tarballs.values(), ...peers], { cwd: folder });
    writeProgram("typescript", "index.ts", TYPESCRIPT, { type: "module" });
    // What the newest compiler no longer has, the one before it still does.
    const [newest, before] = ["typescript-native", "typescript"];
    await compile(newest, ["--module", "esnext", "--moduleResolution", "bundler", "--noEmit"]);
    await compile(before, NODE10);
    await compile(newest, ["--module", "node16"]);
  });

  it.each(names)("has %s run nothing when it is installed", (name) => {
    const file = join(folder, "node_modules", name, "package.json");
    const { scripts = {} } = JSON.parse(readFileSync(file, "utf8")) as Manifest;
    // npm 11.19 asks people to approve these, of a tarball or a repository also `prepare`.
    const asked = ["preinstall", "install", "postinstall", "prepare"];
    expect(Object.keys(scripts).filter((script) => asked.includes(script))).toEqual([]);
  });

  it("has types that every example of the schema meets", async () => {
    mkdirSync(join(folder, "examples"));
    const files = Object.keys(readPackageDescription().resources).map((token) => {
      const file = `examples/${nameIn(token)}.ts`;
      writeFileSync(join(folder, file), typeScriptExample(exampleOf(token, readExampleProgram())));
      return file;
    });
    await compile("typescript", NODE10, files);
  });

  it.each(names)("imports only packages that %s depends on", (name) => {
    const installed = join(folder, "node_modules", name);
    const manifest = JSON.parse(readFileSync(join(installed, "package.json"), "utf8")) as Manifest;
    const brought = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
    const optional: readonly string[] = packages[name].optional;
    const others = readdirSync(join(installed, "dist"), { recursive: true, encoding: "utf8" })
      .filter((file) => file.endsWith(".js") && !optional.includes(`dist/${file}`))
      .flatMap((file) => importsOf(join(installed, "dist", file)))
      .filter((imported) => !isBuiltin(imported) && !brought.includes(imported));
    expect(others).toEqual([]);
  });

  it("contains nothing of the emulator, and asks for its package by name", async () => {
    const installed = join(folder, "node_modules/pulumi-talos-aws");
    expect(readdirSync(join(installed, "dist"))).not.toContain("emulator");
    const lock = readFileSync(join(installed, "package.json"), "utf8");
    expect((JSON.parse(lock) as Manifest).dependencies).not.toHaveProperty("@aws-sdk/client-ec2");
    const entry = join(installed, "dist/cli/offline/loadEmulator.js");
    const program = `require(${JSON.stringify(entry)}).loadEmulator().then(
      ({ startEmulator }) => console.log(typeof startEmulator), (error) => console.log(error.message))`;
    const load = async () => (await run(process.execPath, ["-e", program])).stdout;
    expect(await load()).toBe("function\n");
    const [there, away] = [join(folder, "node_modules/@pulumi-talos-aws"), join(folder, "away")];
    renameSync(there, away);
    const missing = await load();
    renameSync(away, there);
    expect(missing).toBe(
      `a preview without an account needs the package "@pulumi-talos-aws/emulator", which isn't installed: npm install --save-dev @pulumi-talos-aws/emulator@${version}\n`,
    );
  });

  it("has one manifest and each module once, so that nothing takes a copy for the package", () => {
    const dist = readdirSync(join(folder, "node_modules/pulumi-talos-aws/dist"));
    expect(dist.filter((name) => ["dist", "package.json"].includes(name))).toEqual([]);
  });

  it("asks the engine for no plugin, because dynamic resources need none", () => {
    const installed = join(folder, "node_modules/pulumi-talos-aws/package.json");
    expect(JSON.parse(readFileSync(installed, "utf8"))).not.toHaveProperty("pulumi.resource");
  });

  it("contains the command line", async () => {
    const { stdout } = await run(join(folder, "node_modules/.bin/talos-aws"), ["--version"]);
    expect(stdout.trim()).toBe(version);
    const { stdout: usage } = await run(join(folder, "node_modules/.bin/talos-aws-emulator"), [
      "--help",
    ]);
    expect(usage).toMatch(/^usage: /);
  });

  it("brings a cluster up from an ES module, and down again", async () => {
    emulator ??= await startInstalled();
    host ??= await startLanguageHost();
    const options = {
      folder: join(folder, "typescript"),
      installed: folder,
      stateDir: join(folder, "state/typescript"),
      emulator,
      host,
    };
    await ordinaryPulumi(options, "stack", "init", "dev");
    const up = await ordinaryPulumi(options, "up", "--yes", "--skip-preview");
    expect(up.output).toContain('"https://k8s.packed.talos.internal:6443"');
    expect(up.output).toMatch(/kubeconfig *: \[secret\]/);
    expect(up.code).toBe(0);
    expect(emulator.nodes().map(({ stage }) => stage)).toEqual(["running"]);
    const again = await ordinaryPulumi(options, "preview", "--expect-no-changes");
    expect(again.code).toBe(0);
    const down = await ordinaryPulumi(options, "destroy", "--yes", "--skip-preview");
    expect(down.code).toBe(0);
    expect(emulator.nodes()).toEqual([]);
  });

  it.skipIf(process.env.PULUMI_YAML_HOST === undefined)(
    "brings the quickstart up from YAML, previews a change, and takes it down",
    async () => {
      emulator ??= await startInstalled();
      await makeAccount(emulator);
      await makeDisk(emulator);
      const program = readFileSync(join(root, "examples/quickstart-yaml/Pulumi.yaml"), "utf8");
      writeFileSync(
        join(folder, "Pulumi.yaml"),
        program.replace("resources:\n", `resources:\n${MORE_COMPONENTS}`),
      );
      const options = { folder, pluginDirs: [process.env.PULUMI_YAML_HOST ?? ""], emulator };
      await liveQuickstart({
        ...options,
        file: "Pulumi.yaml",
        isInterrupted: true,
        changed: (program) =>
          program.replace(
            "environment: demo",
            `$&\n      patches: [${JSON.stringify(QUICKSTART_PATCH)}]`,
          ),
      });
      // Every example of the schema at once.
      const quickstart = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
      const [head = ""] = quickstart.split("resources:");
      writeFileSync(join(folder, "Pulumi.yaml"), head + readFileSync(EXAMPLE_FILE, "utf8"));
      const examples = await pluginCli(options, "preview");
      expect(examples).toMatchObject({ code: 0 });
      // A problem that shows only when AWS is asked fails the preview of a component too. The engine ends the preview at the
      // first such problem, so there is one alone.
      writeFileSync(join(folder, "Pulumi.yaml"), program.replaceAll(TALOS, NO_TALOS));
      const { code, output } = await pluginCli(options, "preview");
      expect(output).toContain(`no image "talos-${NO_TALOS}-eu-central-1-amd64"`);
      expect(code).not.toBe(0);
    },
  );

  function writeProgram(name: string, file: string, text: string, manifest: object): void {
    mkdirSync(join(folder, name));
    writeFileSync(join(folder, name, file), text);
    writeFileSync(join(folder, name, "package.json"), JSON.stringify(manifest));
    const project = `name: ${name}\nruntime: { name: nodejs, options: { typescript: false } }\n`;
    writeFileSync(join(folder, name, "Pulumi.yaml"), `${project}main: index.js\n`);
  }

  async function compile(
    compiler: string,
    choices: readonly string[],
    files: readonly string[] = ["typescript/index.ts"],
  ): Promise<void> {
    const always = ["--strict", "--target", "es2022", "--skipLibCheck", "--types", "node"];
    const program = join(root, "node_modules", compiler, "bin/tsc");
    const args = [program, ...always, ...choices, ...files];
    const result = await run(process.execPath, args, { cwd: folder }).catch((error: unknown) => {
      throw new Error(`tsc ${choices.join(" ")}: ${(error as { stdout: string }).stdout}`);
    });
    expect(result.stdout).toBe("");
  }

  /** The emulator of the package that was installed, with what this checkout has set up for it. */
  function startInstalled(): Promise<Emulator> {
    const entry = join(folder, "node_modules/@pulumi-talos-aws/emulator/dist/emulator/index.js");
    const installed = load(entry) as { startEmulator: typeof startEmulator };
    const timings = { bootMs: 100, rebootMs: 100, joinMs: 100 };
    return installed.startEmulator({ cacheDir: join(root, ".cache"), timings });
  }
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly peerDependencies: Readonly<Record<string, string>>;
  readonly scripts?: Readonly<Record<string, string>>;
}

/** Names of the packages that a compiled file imports. */
function importsOf(file: string): string[] {
  const found = readFileSync(file, "utf8").matchAll(/(?:require|import)\("([^."][^"]*)"\)/g);
  return [...found].map(([, specifier = ""]) =>
    specifier.split("/", specifier.startsWith("@") ? 2 : 1).join("/"),
  );
}

function binaryOf(tool: string): string {
  return join(root, "node_modules/.bin", tool);
}
