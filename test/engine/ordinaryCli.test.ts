import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import { type Emulator, startEmulator } from "../../emulator";
import { type LanguageHost, startLanguageHost } from "./support/languageHost";
import { ordinaryPulumi } from "./support/ordinaryPulumi";

const root = join(__dirname, "../..");

describe("the ordinary Pulumi CLI in environments/", () => {
  let emulator: Emulator;
  let host: LanguageHost;
  let folder: string;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache/test/cli-"));
    // The CLI writes into the settings of a stack, so it works on a copy of the project.
    cpSync(join(root, "environments"), folder, { recursive: true });
    const project = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
    const main = relative(folder, join(root, "dist/environments/index.js"));
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      project.replace("../dist/environments/index.js", main),
    );
    emulator = await startEmulator({ timings: { bootMs: 100, rebootMs: 100, joinMs: 100 } });
    host = await startLanguageHost();
    await pulumi("stack", "init", "sandbox");
  }, 120_000);

  afterAll(async () => {
    host.close();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  }, 60_000);

  const pulumi = (...args: string[]) =>
    ordinaryPulumi({ folder, stateDir: folder, emulator, host }, ...args);

  const inStack = () => ["-s", "sandbox"];

  it("previews the sandbox as it is shipped, and says what is still to be set", async () => {
    const { code, output } = await pulumi("preview", ...inStack());
    expect(output).toContain("talos-aws:index:TalosCluster sandbox create");
    expect(output).toContain('"example.com" is a placeholder that nobody can own');
    expect(code).toBe(0);
  }, 120_000);

  it("refuses to bring it up before that is set", async () => {
    const { code, output } = await pulumi("up", "--yes", "--skip-preview", ...inStack());
    expect(code).not.toBe(0);
    expect(output).toContain('"example.com" is a placeholder that nobody can own');
    expect(output).toContain('operatorCidrs[0]: "192.0.2.0/24" is a placeholder');
    expect(emulator.nodes()).toEqual([]);
  }, 120_000);

  it("refuses a misspelt setting with the one that was meant", async () => {
    const file = join(folder, "Pulumi.sandbox.yaml");
    const before = readFileSync(file, "utf8");
    writeFileSync(file, before.replace("talos-aws:operatorCidrs", "talos-aws:operatorCidr"));
    const { code, output } = await pulumi("preview", ...inStack());
    writeFileSync(file, before);
    expect(code).not.toBe(0);
    expect(output).toMatch(/operatorCidr\b.*did you mean "operatorCidrs"/);
  }, 120_000);

  it("brings the sandbox up and destroys it", async () => {
    const file = join(folder, "Pulumi.sandbox.yaml");
    const settings = readFileSync(file, "utf8")
      .replace("domain: example.com", "domain: talos.internal")
      .replace("- 192.0.2.0/24", "- 127.0.0.0/8");
    writeFileSync(file, settings);
    const up = await pulumi("up", "--yes", "--skip-preview", ...inStack());
    expect(up.output).toContain('"https://k8s.sandbox.talos.internal:6443"');
    expect(up.code).toBe(0);
    expect(emulator.nodes().map(({ stage }) => stage)).toEqual(["running"]);
    const output = ["stack", "output", "kubeconfig", "-s", "sandbox"];
    expect((await pulumi(...output)).output.trim()).toBe("[secret]");
    expect((await pulumi(...output, "--show-secrets")).output).toContain("kind: Config");
    const again = await pulumi("preview", "--expect-no-changes", ...inStack());
    expect(again.code).toBe(0);
    const down = await pulumi("destroy", "--yes", "--skip-preview", "-s", "sandbox");
    expect(down.code).toBe(0);
    expect(emulator.nodes()).toEqual([]);
  }, 240_000);
});
