import { execFile, execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse, stringify } from "yaml";
import { type Emulator, startEmulator } from "../../emulator";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { attachAwsPlugin, type AttachedPlugins } from "./support/attachPlugins";
import { makeAccount } from "./support/exampleAccount";
import { type LanguageHost, startLanguageHost } from "./support/languageHost";
import {
  ordinaryEnvironment,
  ordinaryPulumi,
  type OrdinaryPulumiOptions,
  type PulumiResult,
} from "./support/ordinaryPulumi";
import { makePackedProject, type PackedProject } from "./support/packedProject";

const root = join(__dirname, "../..");

/** The last zone of README's program. There is no `eu-central-1d`. */
const [LAST_ZONE, NO_ZONE] = ["eu-central-1c", "eu-central-1d"];

const kubectl = process.env.KUBECTL ?? "kubectl";
const hasKubectl = starts(kubectl, ["version", "--client"]);
if (!hasKubectl) {
  process.stderr.write(
    "skipped: no kubectl on PATH; install it or set KUBECTL to it to have it find a cluster by its name\n",
  );
}

/** Node.js runs TypeScript by itself from 22.18 on; before, an ES module has to be compiled. */
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const runsTypeScript = major > 22 || (major === 22 && minor >= 18);
if (!runsTypeScript) {
  process.stderr.write(
    `skipped: Node.js ${process.versions.node} runs no TypeScript; with 22.18 or newer, a program is also run as an ES module\n`,
  );
}

let project: PackedProject;

beforeAll(async () => {
  project = await makePackedProject();
});
afterAll(() => project.close());
// The runner checks a program's types, which takes seconds each time: once is enough.
afterEach(() => {
  vi.stubEnv("PULUMI_NODEJS_TRANSPILE_ONLY", "true");
});
afterAll(() => vi.unstubAllEnvs());

// One stack's life: each test goes on where the one before it ended.
describe("README's program, run by plain pulumi with the packed package in a folder of its own", () => {
  let emulator: Emulator;
  let host: LanguageHost;
  let attached: AttachedPlugins;
  let options: OrdinaryPulumiOptions;
  let program: string;
  const pulumi = (...args: string[]) => ordinaryPulumi(options, ...args);

  beforeAll(async () => {
    const folder = join(project.folder, "quickstart");
    cpSync(join(root, "examples/quickstart"), folder, { recursive: true });
    program = readFileSync(join(folder, "index.ts"), "utf8");
    emulator = await startEmulator({ timings: { bootMs: 100, rebootMs: 100, joinMs: 100 } });
    host = await startLanguageHost();
    attached = await attachAwsPlugin(emulator.environment);
    const stateDir = join(project.folder, "state");
    options = { folder, installed: project.folder, stateDir, emulator, host, attached };
    await pulumi("stack", "init", "demo");
    await pulumi("config", "set", "aws:region", "eu-central-1");
  });

  afterAll(async () => {
    attached.close();
    host.close();
    await emulator.stop();
  });

  /** Runs something on the program with other text in it. */
  async function withChange<Result>(
    changes: Readonly<Record<string, string>>,
    work: () => Promise<Result>,
  ): Promise<Result> {
    const file = join(options.folder, "index.ts");
    const text = Object.entries(changes).reduce((before, [from, to]) => {
      expect(before).toContain(from);
      return before.replace(from, to);
    }, program);
    writeFileSync(file, text);
    return work().finally(() => writeFileSync(file, program));
  }

  const preview = (...args: string[]) => pulumi("preview", ...args);
  const up = (...args: string[]) => pulumi("up", "--yes", ...args);

  /** Resource types that the stack has recorded. */
  async function recorded(): Promise<readonly string[]> {
    const { output } = await pulumi("stack", "export");
    const { deployment } = JSON.parse(output) as Exported;
    return (deployment.resources ?? []).map(({ type }) => type);
  }

  async function talosAws(...args: string[]): Promise<PulumiResult> {
    const main = join(project.folder, "node_modules/pulumi-talos-aws/dist/cli/main.js");
    const env = await ordinaryEnvironment(options);
    return new Promise((resolve) => {
      const settings = { cwd: options.folder, env, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(process.execPath, [main, ...args], settings, (_error, out, err) => {
        resolve({ code: child.exitCode ?? 1, output: out + err });
      });
    });
  }

  it("says all that is wrong with its arguments, once and without a stack of calls", async () => {
    const changes = {
      [`"${NEWEST_RELEASES.talosVersion}"`]: '"1.12",\n  controlPlane: { machineCount: 2 }',
    };
    const { code, output } = await withChange(changes, preview);
    expect(diagnosticsOf(output)).toEqual([
      `error: the cluster "demo" can't be made of these arguments:`,
      `  - talosVersion: "1.12" is no Talos release: write it in full, as in "${NEWEST_RELEASES.talosVersion}"`,
      `  - controlPlane.machineCount: 2 control plane machines survive no more losses than 1, because etcd needs a majority: take 1, 3 or 5`,
    ]);
    expect(code).not.toBe(0);
  });

  it("does not begin without the hosted zone", async () => {
    const { code, output } = await up();
    expect(output).toMatch(/error: can't find the public hosted zone "example\.com"/);
    expect(output).not.toContain("Updating (demo)");
    expect(code).not.toBe(0);
    expect(await recorded()).toEqual([]);
  });

  it("creates nothing that costs money without it, where the preview was skipped", async () => {
    const { code, output } = await up("--skip-preview");
    expect(output).toMatch(/error: .*can't find the public hosted zone .*example\.com/);
    expect(code).not.toBe(0);
    const made = await recorded();
    expect(
      made.filter((type) => /^aws:(ec2|lb)\/(natGateway|eip|instance|load)/.test(type)),
    ).toEqual([]);
  });

  it("comes up, and shows no change after a refresh", async () => {
    await makeAccount(emulator);
    const { code, output } = await up("--skip-preview");
    expect(output).toContain('"https://k8s.demo.example.com:6443"');
    expect(output).toMatch(/kubeconfig *: \[secret\]/);
    expect(code).toBe(0);
    expect(emulator.nodes().map(({ stage }) => stage)).toEqual(["running", "running", "running"]);
    expect(await pulumi("refresh", "--yes", "--expect-no-changes")).toMatchObject({ code: 0 });
  });

  it.skipIf(!hasKubectl)(
    "is found by its name, by what asks the embedded cloud's proxy",
    async () => {
      const { output } = await pulumi("stack", "output", "kubeconfig", "--show-secrets");
      const file = join(project.folder, "kubeconfig");
      writeFileSync(file, output, { mode: 0o600 });
      expect(output).toContain("server: https://k8s.demo.example.com:6443");
      const env = { ...process.env, ...emulator.nameEnvironment, KUBECONFIG: file };
      const words = ["get", "nodes", "--no-headers"];
      const { stdout } = await promisify(execFile)(kubectl, words, { env });
      expect(stdout.match(/ Ready +control-plane /g)).toHaveLength(3);
    },
  );

  it("gets another name by an alias, also as an ES module, and is neither replaced nor restarted", async () => {
    const file = join(options.folder, "package.json");
    const manifest = readFileSync(file, "utf8");
    if (runsTypeScript) {
      writeFileSync(file, manifest.replace('"private"', '"type": "module",\n  "private"'));
    }
    const renamed = readFileSync(join(root, "examples/renamed/index.ts"), "utf8");
    const { code, output } = await withChange({ [program]: renamed }, preview);
    writeFileSync(file, manifest);
    expect(output).toMatch(/aws:ec2:Instance +platform-control-plane-1 +update/);
    // AWS' names stay, and tags follow.
    const operations = output.match(/^ [~+-]{1,2} +\S+:\S+ \S+ .*$/gm) ?? [];
    expect(
      operations.filter((line) => !/ update \[diff: ~(rootBlockDevice,)?tags\]$/.test(line)),
    ).toEqual([]);
    expect(output).toMatch(/Resources:\n +~ \d+ to update\n +\d+ unchanged\n/);
    expect(code).toBe(0);
  });

  it("keeps the policies of the packed package, and shows no change", async () => {
    const pack = join(project.folder, "policy-pack");
    cpSync(join(root, "examples/policy-pack"), pack, { recursive: true });
    const { code, output } = await preview("--expect-no-changes", "--policy-pack", pack);
    expect(output).toMatch(/talos-aws@v\S+ \(local: .*\)/);
    expect(code).toBe(0);
  });

  it("fails the preview of a change to a zone that isn't there, by pulumi and by talos-aws", async () => {
    const noSuchZone = /EC2 has no "m6i\.large" in eu-central-1d/;
    const before = emulator.nodes();
    await withChange({ [LAST_ZONE]: NO_ZONE }, async () => {
      const previewed = await preview();
      expect(previewed.output).toMatch(noSuchZone);
      expect(previewed.code).not.toBe(0);
      const reported = await talosAws("preview", "demo");
      expect(reported.output).toMatch(noSuchZone);
      expect(reported.code).not.toBe(0);
    });
    expect(emulator.nodes()).toEqual(before);
  });

  it("takes a change, and goes down", async () => {
    // The bucket stands for what a Kubernetes provider makes, whose plugin can't be had everywhere.
    const workload =
      'new Bucket("workload", { tags: { cluster: cluster.kubeconfigWhenHealthy.apply(() => "healthy") } });';
    const changes = {
      "  network:":
        "  patches: [{ machine: { sysctls: { 'vm.max_map_count': '262144' } } }],\n  network:",
      import: 'import { Bucket } from "@pulumi/aws/s3";\nimport',
      "export const": `${workload}\nexport const`,
    };
    await withChange(changes, async () => {
      const changed = await up();
      expect(changed.code).toBe(0);
      expectOrder(changed.output, / demo-health updated /, /Bucket workload creating/);
      expect(await preview("--expect-no-changes")).toMatchObject({ code: 0 });
    });
    const destroyed = await pulumi("destroy", "--yes");
    expect(destroyed.code).toBe(0);
    expectOrder(destroyed.output, /Bucket workload deleted /, /demo-control-plane-\d delet/);
    expect(emulator.nodes()).toEqual([]);
    expect(await recorded()).toEqual([]);
  });
});

describe("templates/cluster", () => {
  it("makes a project that previews a cluster with its own settings alone", async () => {
    const template = join(project.folder, "node_modules/pulumi-talos-aws/templates/cluster");
    const emulator = await startEmulator();
    const host = await startLanguageHost();
    const attached = await attachAwsPlugin(emulator.environment);
    try {
      await makeAccount(emulator);
      const folder = join(project.folder, "made");
      mkdirSync(folder);
      const stateDir = join(project.folder, "state-of-template");
      const options = { folder, installed: project.folder, stateDir, emulator, host, attached };
      const pulumi = (...args: string[]) => ordinaryPulumi(options, ...args);
      const words = ["--generate-only", "--yes", "--name", "mine", "--description", "Of a test"];
      expect(await pulumi("new", template, ...words)).toMatchObject({ code: 0 });
      const read = (file: string) => readFileSync(join(folder, file), "utf8");
      expect(JSON.parse(read("package.json"))).toMatchObject({ name: "mine" });
      const { template: asked } = parse(readFileSync(join(template, "Pulumi.yaml"), "utf8")) as {
        readonly template: { readonly config: Readonly<Record<string, { default?: string }>> };
      };
      const answers: Readonly<Record<string, string>> = {
        domain: "example.com",
        operatorCidrs: "203.0.113.7/32,203.0.113.8/32",
      };
      const config = Object.fromEntries(
        Object.entries(asked.config).map(([name, { default: value = answers[name] }]) => [
          name.includes(":") ? name : `mine:${name}`,
          value,
        ]),
      );
      await pulumi("stack", "init", "dev");
      writeFileSync(join(folder, "Pulumi.dev.yaml"), stringify({ config }));
      const { code, output } = await pulumi("preview");
      expect(output).toContain('"https://k8s.dev.example.com:6443"');
      expect(output).toMatch(/\+ \d+ to create\n/);
      expect(code).toBe(0);
    } finally {
      attached.close();
      host.close();
      await emulator.stop();
    }
  });
});

interface Exported {
  readonly deployment: { readonly resources?: readonly { readonly type: string }[] };
}

/** The lines below `Diagnostics:`, without those that tell which plugins run. */
function diagnosticsOf(output: string): string[] {
  const [, after = ""] = output.split("Diagnostics:\n");
  const [diagnostics = ""] = after.split("\n\n");
  return diagnostics
    .split("\n")
    .filter((line) => /^ {4}/.test(line) && !line.includes("warning: using pulumi-"))
    .map((line) => line.slice(4));
}

/** Expects a line of an update or a destroy before all lines of another kind. */
function expectOrder(output: string, first: RegExp, then: RegExp): void {
  const [, ran = ""] = output.split(/^(?:Updating|Destroying) \(demo\)/m);
  const lines = ran.split("\n");
  const [before, after] = [first, then].map((each) => lines.findIndex((line) => each.test(line)));
  expect(before).toBeGreaterThan(-1);
  expect(after).toBeGreaterThan(before ?? 0);
}

function starts(command: string, args: readonly string[]): boolean {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
}
