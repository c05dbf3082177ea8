import { execFile, execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { eventually } from "../emulator/support/eventually";
import { LocalRuns } from "../engine/support/localRuns";

const run = promisify(execFile);
const root = join(__dirname, "../..");
const talosctl = process.env.TALOSCTL;
const kubectl = hasKubectl();
const pageOf = (path: string) => readFileSync(join(root, path), "utf8");

/** The lines of a first run at most before the command starts: npm's, the build's, those of installing tools. */
const LINES_BEFORE = 40;

/** What `npm run local` and `npm run local:down` run, once the checkout is installed and built. */
describe("npm run local", () => {
  const local = new LocalRuns();
  const { folder } = local;

  afterAll(() => local.close());

  // The life of local environments, in test/life, interrupts it at more moments.
  it("leaves nothing behind when it is interrupted", async () => {
    const { child, exit, until } = local.start("local");
    await until("Instance local-control-plane-1 created");
    expect(local.processes().length).toBeGreaterThan(1);
    child.kill("SIGINT");
    expect(await exit).toBe(130);
    expect(existsSync(folder)).toBe(false);
    // A process that was killed takes a moment to be gone.
    await eventually(() => expect(local.processes()).toEqual([]));
    expect(readdirSync(local.temporary)).toEqual([]);
  });

  it("creates a cluster and says how to use it", async () => {
    const { code, output } = await local.finish("local");
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
    const { code, output } = await local.finish("local");
    expect(code).toBe(0);
    expect(output.match(/^ +\d+ unchanged$/gm)).toHaveLength(1);
    expect(output).toContain("There is nothing to update.");
    expect(output).not.toMatch(/to (create|delete|replace)|Updating/);
    expect(output.split("\n").length).toBeLessThanOrEqual(80 - LINES_BEFORE);
  });

  it("shows no upgrade of a cluster that it hasn't made for that", async () => {
    const { code, output } = await local.finish("local", "upgrade");
    expect(code).toBe(1);
    expect(output).toContain("the local environment has a cluster already");
  });

  it("is removed without a trace", async () => {
    const { code, output } = await local.finish("localDown");
    expect(output).toContain("The local environment is gone.");
    expect(code).toBe(0);
    expect(existsSync(folder)).toBe(false);
    expect(local.processes()).toEqual([]);
  });

  it("can be removed when there is none", async () => {
    expect((await local.finish("localDown")).code).toBe(0);
  });
});

function hasKubectl(): boolean {
  try {
    execFileSync("kubectl", ["version", "--client"], { stdio: "ignore" });
    return true;
  } catch {
    process.stderr.write("kubectl is not on PATH: the tests with it are skipped\n");
    return false;
  }
}
