import { execFile, execFileSync, spawn } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { FORMER_RELEASES, NEWEST_RELEASES } from "../../provider/config/newestReleases";
import { eventually } from "../emulator/support/eventually";
import { STATE_WRITTEN_ONCE } from "../engine/support/attachPlugins";

const run = promisify(execFile);
const root = join(__dirname, "../..");
const talosctl = process.env.TALOSCTL;
const kubectl = hasKubectl();
const pageOf = (path: string) => readFileSync(join(root, path), "utf8");

/** The lines of a first run at most before the command starts: npm's, the build's, those of installing tools. */
const LINES_BEFORE = 40;

/** What `npm run local` and `npm run local:down` run, once the checkout is installed and built. */
describe("npm run local", () => {
  let parent: string;
  let folder: string;
  /** Where what it starts keeps temporary files: other tests have some too. */
  let temporary: string;

  beforeAll(() => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    parent = mkdtempSync(join(root, ".cache/test/local-"));
    folder = join(parent, "local");
    temporary = mkdtempSync(join(tmpdir(), "local-command-"));
  });

  afterAll(async () => {
    await finish("localDown");
    rmSync(parent, { recursive: true, force: true });
    rmSync(temporary, { recursive: true, force: true });
  });

  function start(script: string, ...args: string[]) {
    const child = spawn(process.execPath, [join(root, `dist/scripts/${script}.js`), ...args], {
      env: {
        ...process.env,
        ...STATE_WRITTEN_ONCE,
        TALOS_AWS_LOCAL_DIR: folder,
        TMPDIR: temporary,
      },
      stdio: ["ignore", "pipe", "pipe"],
    });
    let output = "";
    const collect = (chunk: Buffer) => (output += chunk.toString());
    child.stdout.on("data", collect);
    child.stderr.on("data", collect);
    const exit = new Promise<number | null>((resolve) => child.once("close", resolve));
    const until = async (text: string) => {
      while (!output.includes(text)) {
        await Promise.race([new Promise((resolve) => setTimeout(resolve, 20)), failOnExit(exit)]);
      }
    };
    return { child, exit, until, output: () => output };
  }

  async function finish(
    script: string,
    ...args: string[]
  ): Promise<{ code: number | null; output: string }> {
    const { exit, output } = start(script, ...args);
    const code = await exit;
    return { code, output: output() };
  }

  it.each([
    ["while the cloud starts", "The embedded cloud runs"],
    ["while machines are made", "Instance local-control-plane-1 created"],
    ["while a machine is configured", "ConfigurationApply local-control-plane-1 created"],
  ])("leaves nothing behind when it is interrupted %s", async (_when, text) => {
    const { child, exit, until } = start("local");
    await until(text);
    expect(processesOf(folder).length).toBeGreaterThan(1);
    child.kill("SIGINT");
    expect(await exit).toBe(130);
    expect(existsSync(folder)).toBe(false);
    // A process that was killed takes a moment to be gone.
    await eventually(() => expect(processesOf(folder)).toEqual([]));
    expect(readdirSync(temporary)).toEqual([]);
  });

  it("creates a cluster and says how to use it", async () => {
    const { code, output } = await finish("local");
    expect(output).toContain(
      "MachineBootstrap local-bootstrap created: etcd is up and healthy after",
    );
    expect(output).not.toMatch(/waiting for|connection refused/);
    expect(output.split("\n").length).toBeLessThanOrEqual(80 - LINES_BEFORE);
    expect(output).toContain("https://k8s.local.talos.example:6443");
    expect(output).toMatch(new RegExp(`^export KUBECONFIG=${folder}/kubeconfig$`, "m"));
    expect(output).toMatch(new RegExp(`^export TALOSCONFIG=${folder}/talosconfig$`, "m"));
    expect(code).toBe(0);
    // What the pages show of a run.
    const count = /^ +other resources: \d+ created$/m;
    const [shown] = count.exec(output) ?? [];
    expect(shown).toBeDefined();
    for (const page of ["docs/guides/local.md", "README.md"]) {
      expect(count.exec(pageOf(page))?.[0]).toBe(shown);
    }
    for (const file of ["kubeconfig", "talosconfig"]) {
      expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
    }
  });

  it("is drawn as README shows it", async () => {
    const script = join(root, "dist/scripts/commandLine.js");
    const { stdout } = await run(process.execPath, [script, "topology", "local", "--mermaid"], {
      env: { ...process.env, TALOS_AWS_LOCAL_DIR: folder },
    });
    // A machine has any free address of its subnet.
    const subnets = (text: string) => text.replaceAll(/(?<=10\.0\.\d+\.)\d+(?=")/g, "x");
    const [, shown = ""] =
      /^```mermaid\n(flowchart TB\n[^]*?)^```$/m.exec(pageOf("README.md")) ?? [];
    expect(subnets(shown)).toBe(subnets(stdout));
  });

  (kubectl ? it : it.skip)("works with kubectl", async () => {
    const args = ["--kubeconfig", join(folder, "kubeconfig"), "get", "nodes", "--no-headers"];
    const { stdout } = await run("kubectl", args);
    expect(stdout.trim().split("\n")).toHaveLength(3);
    const ready = / Ready +control-plane .* (\S+)$/gm;
    expect([...stdout.matchAll(ready)].map(([, version]) => version)).toEqual(
      Array<string>(3).fill(NEWEST_RELEASES.kubernetesVersion),
    );
  });

  (talosctl === undefined ? it.skip : it)("works with talosctl", async () => {
    const ask = async (...args: string[]) => {
      const config = ["--talosconfig", join(folder, "talosconfig")];
      return (await run(talosctl ?? "", [...config, ...args])).stdout;
    };
    const [, servers = ""] = (await ask("version")).split("Server:");
    expect([...servers.matchAll(/^\s+Tag:\s+(\S+)$/gm)].map(([, tag]) => tag)).toEqual(
      Array<string>(3).fill(NEWEST_RELEASES.talosVersion),
    );
    expect((await ask("get", "members")).match(/ controlplane /g)).toHaveLength(9);
    expect((await ask("etcd", "members")).match(/ false\s*$/gm)).toHaveLength(9);
  });

  it("runs on a cloud whose machines can be made to fail", async () => {
    const cli = join(root, "dist/emulator/cli.js");
    const ask = async (...args: string[]) =>
      (await run(process.execPath, [cli, ...args, "--state-dir", join(folder, "cloud")])).stdout;
    expect((await ask("status")).match(/ running$/gm)).toHaveLength(3);
    expect(await ask("fault", "delay", "us-east-1a", "latencyMs=1")).toMatch(/^fault-1 is in i-/);
    expect(await ask("lift", "all")).toContain("fault-1");
  });

  it("changes nothing when it runs again", async () => {
    const { code, output } = await finish("local");
    expect(code).toBe(0);
    expect(output.match(/^ +\d+ unchanged$/gm)).toHaveLength(1);
    expect(output).toContain("There is nothing to update.");
    expect(output).not.toMatch(/to (create|delete|replace)|Updating/);
    expect(output.split("\n").length).toBeLessThanOrEqual(80 - LINES_BEFORE);
  });

  it("shows no upgrade of a cluster that it hasn't made for that", async () => {
    const { code, output } = await finish("local", "upgrade");
    expect(code).toBe(1);
    expect(output).toContain("the local environment has a cluster already");
  });

  it("is removed without a trace", async () => {
    const { code, output } = await finish("localDown");
    expect(output).toContain("The local environment is gone.");
    expect(code).toBe(0);
    expect(existsSync(folder)).toBe(false);
    expect(processesOf(folder)).toEqual([]);
  });

  it("can be removed when there is none", async () => {
    expect((await finish("localDown")).code).toBe(0);
  });

  it("shows an upgrade, as its page has it", async () => {
    const { code, output } = await finish("local", "upgrade");
    expect(code).toBe(0);
    const [former, newest] = [FORMER_RELEASES, NEWEST_RELEASES];
    const start = `Creating a cluster with Talos ${former.talosVersion} and Kubernetes ${former.kubernetesVersion} …`;
    const plan = `for Talos ${former.talosVersion} → ${newest.talosVersion}`;
    for (const line of [start, plan]) {
      expect(output).toContain(line);
      expect(pageOf("docs/guides/local.md")).toContain(line);
    }
    expect(
      output.match(/ConfigurationApply local-control-plane-\d updated: healthy/g),
    ).toHaveLength(3);
    expect(output).toContain("KubernetesUpgrade local-kubernetes updated: upgraded and healthy");
    expect(output).toContain(`version   Kubernetes ${newest.kubernetesVersion}`);
  });

  it("keeps the contract that such a cluster was made with", async () => {
    const { code, output } = await finish("local");
    expect(output).toContain("There is nothing to update.");
    expect(code).toBe(0);
  });
});

async function failOnExit(exit: Promise<number | null>): Promise<never> {
  throw new Error(`it ended with exit code ${(await exit) ?? "none"} before that`);
}

/** The processes that were started for a folder: it is in the environment they inherited. */
function processesOf(folder: string): string[] {
  const all = execFileSync("ps", ["axeww", "-o", "command="], {
    encoding: "utf8",
    maxBuffer: 64 * 1024 * 1024,
  });
  return all.split("\n").filter((command) => command.includes(folder));
}

function hasKubectl(): boolean {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write("kubectl is not on PATH: the tests with it are skipped\n");
    return false;
  }
}
