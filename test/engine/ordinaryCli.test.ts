import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join, relative } from "node:path";
import {
  DescribeInstancesCommand,
  EC2Client,
  ModifyInstanceAttributeCommand,
} from "@aws-sdk/client-ec2";
import { type Emulator, startEmulator } from "../../emulator";
import { attachAwsPlugin, type AttachedPlugins } from "./support/attachPlugins";
import { type LanguageHost, startLanguageHost } from "./support/languageHost";
import { ordinaryEnvironment, ordinaryPulumi, type PulumiResult } from "./support/ordinaryPulumi";
import { ReportService } from "./support/reportService";

const root = join(__dirname, "../..");
const scripts = join(root, "examples/ci/scripts");

// One stack's life: each test goes on where the one before it ended.
describe("the ordinary Pulumi CLI in environments/, and the scripts of examples/ci", () => {
  const service = new ReportService();
  let emulator: Emulator;
  let host: LanguageHost;
  let attached: AttachedPlugins;
  let folder: string;
  /** The settings of the stack: at first as they are shipped. The CLI writes into them too. */
  let settings: string;
  let pulumi: (...args: string[]) => Promise<PulumiResult>;
  let env: NodeJS.ProcessEnv;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache/test/ci-"));
    const project = join(folder, "environments");
    cpSync(join(root, "environments"), project, { recursive: true });
    edit(join(project, "Pulumi.yaml"), (text) => {
      const main = relative(project, join(root, "dist/environments/index.js"));
      return text.replace("../dist/environments/index.js", main);
    });
    settings = join(project, "Pulumi.sandbox.yaml");
    emulator = await startEmulator({
      timings: { bootMs: 100, rebootMs: 100, shutdownMs: 100, joinMs: 100 },
    });
    host = await startLanguageHost();
    attached = await attachAwsPlugin(emulator.environment);
    const options = { folder: project, stateDir: join(folder, "state"), emulator, host, attached };
    pulumi = (...args) => ordinaryPulumi(options, ...args);
    await pulumi("stack", "init", "sandbox");
    const ordinary = await ordinaryEnvironment(options);
    const event = join(folder, "event.json");
    writeFileSync(event, JSON.stringify({ pull_request: { number: 7 } }));
    env = {
      ...ordinary,
      PULUMI_HOME: join(folder, ".pulumi"),
      PROJECT_DIR: "environments",
      TALOS_AWS: `${process.execPath} ${join(root, "dist/cli/main.js")}`,
      GITHUB_API_URL: await service.start(),
      GITHUB_REPOSITORY: "team/clusters",
      GITHUB_TOKEN: "token-of-a-test",
      GITHUB_EVENT_PATH: event,
    };
  });

  afterAll(async () => {
    await service.stop();
    attached.close();
    host.close();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** Runs a script as a step of a job does, in the checkout. */
  function run(script: string, ...args: string[]): Promise<{ code: number; output: string }> {
    return runWith(env, script, ...args);
  }

  function runWith(
    env: NodeJS.ProcessEnv,
    script: string,
    ...args: string[]
  ): Promise<{ code: number; output: string }> {
    const path = join(scripts, script);
    const [command, ...all] = script.endsWith(".sh") ? [path, ...args] : ["node", path, ...args];
    return new Promise((resolve) => {
      const options = { cwd: folder, env, maxBuffer: 64 * 1024 * 1024 };
      const child = execFile(command, all, options, (_error, stdout, stderr) => {
        resolve({ code: child.exitCode ?? 1, output: stdout + stderr });
      });
    });
  }

  const inStack = () => ["-s", "sandbox"];

  it("previews the shipped sandbox, and names the missing settings", async () => {
    const { code, output } = await pulumi("preview", ...inStack());
    expect(output).toContain("talos-aws:index:TalosCluster sandbox create");
    expect(output).toContain('"example.com" is a placeholder that nobody can own');
    expect(code).toBe(0);
  });

  it("rejects an update without them", async () => {
    const { code, output } = await pulumi("up", "--yes", "--skip-preview", ...inStack());
    expect(code).not.toBe(0);
    expect(output).toContain('"example.com" is a placeholder that nobody can own');
    expect(output).toContain('operatorCidrs[0]: "192.0.2.0/24" is a placeholder');
    expect(emulator.nodes()).toEqual([]);
  });

  it("rejects a misspelt setting with a suggestion", async () => {
    const before = readFileSync(settings, "utf8");
    writeFileSync(settings, before.replace("talos-aws:operatorCidrs", "talos-aws:operatorCidr"));
    const { code, output } = await pulumi("preview", ...inStack());
    writeFileSync(settings, before);
    expect(code).not.toBe(0);
    expect(output).toMatch(/operatorCidr\b.*did you mean "operatorCidrs"/);
  });

  it("comments a preview on the pull request", async () => {
    edit(settings, (text) =>
      text
        .replace("domain: example.com", "domain: talos.internal")
        .replace("- 192.0.2.0/24", "- 127.0.0.0/8"),
    );
    expect(await run("preview.sh", "sandbox", "preview.md")).toMatchObject({ code: 0 });
    expect(await run("report.mjs", "comment", "preview.md")).toEqual({
      code: 0,
      output: "added\n",
    });
    const [comment] = service.items.comments;
    expect(comment?.body).toMatch(/^<!-- talos-aws preview of sandbox -->\n/);
    expect(comment?.body).toContain("to create");
    expect(comment?.body).toContain("Cost:");
  });

  it("reports why there is no preview", async () => {
    const { code, output } = await run("preview.sh", "nowhere", "nowhere.md");
    expect(code).not.toBe(0);
    expect(output).toMatch(/no stack .*["']nowhere["']/);
  });

  it("creates the sandbox, with secret outputs, and finds no change afterwards", async () => {
    const other = await run("up.sh", "sandbox", "0".repeat(64));
    expect(other.output).toContain("this update of sandbox is not what was approved");
    expect([other.code, emulator.nodes()]).toEqual([1, []]);
    const plan = await run("plan.sh", "sandbox", "plan.md");
    expect(plan.output).toMatch(/^[0-9a-f]{64}\n$/);
    const { code, output } = await run("up.sh", "sandbox", plan.output.trim());
    expect(output).toContain('"https://k8s.sandbox.talos.internal:6443"');
    expect(code).toBe(0);
    expect(emulator.nodes().map(({ stage }) => stage)).toEqual(["running"]);
    const kubeconfig = ["stack", "output", "kubeconfig", ...inStack()];
    expect((await pulumi(...kubeconfig)).output.trim()).toBe("[secret]");
    expect((await pulumi(...kubeconfig, "--show-secrets")).output).toContain("kind: Config");
    const again = await pulumi("preview", "--expect-no-changes", ...inStack());
    expect(again.code).toBe(0);
  });

  it("previews a pull request from an export, without the account, the state or a secret", async () => {
    const { PULUMI_BACKEND_URL: _state, PULUMI_CONFIG_PASSPHRASE: _passphrase, ...rest } = env;
    const account = Object.keys(emulator.environment);
    const bare = Object.fromEntries(Object.entries(rest).filter(([key]) => !account.includes(key)));
    const missing = await runWith(bare, "preview.sh", "sandbox", "offline.md", "export.json");
    expect(missing).toMatchObject({ code: 1 });
    expect(missing.output).toContain('there is no export of sandbox at "export.json"');
    expect(await run("export.sh", "sandbox", "export.json")).toMatchObject({ code: 0 });
    const exported = readFileSync(join(folder, "export.json"), "utf8");
    expect(exported).toContain("redactedConfiguration");
    expect(exported).not.toMatch(/PRIVATE KEY|LS0tLS1CRUdJTiBF/);
    const before = readFileSync(settings, "utf8");
    edit(settings, (text) => text.replace("- 127.0.0.0/8", "- 127.0.0.0/8\n    - 10.9.0.0/16"));
    const offline = await runWith(bare, "preview.sh", "sandbox", "offline.md", "export.json");
    expect(offline.output).toContain("Previewing sandbox on it");
    expect(offline.code, offline.output).toBe(0);
    expect(await run("preview.sh", "sandbox", "online.md")).toMatchObject({ code: 0 });
    writeFileSync(settings, before);
    const [shown, expected] = ["offline.md", "online.md"].map((file) =>
      readFileSync(join(folder, file), "utf8"),
    );
    expect(shown).toContain("10.9.0.0-16");
    expect(shown).toBe(expected);
  });

  it("keeps an issue open while a stack has drifted", async () => {
    expect(await run("check-drift.sh", "sandbox")).toEqual({ code: 0, output: "closed 0\n" });
    await protectMachine(true);
    expect(await run("check-drift.sh", "sandbox")).toEqual({ code: 0, output: "added\n" });
    const [issue] = service.items.issues;
    expect(issue?.title).toBe("sandbox is not as it is recorded");
    expect(issue?.body).not.toMatch(/^(warning|error): /m);
    expect(issue?.body).toMatch(/^~ +disableApiTermination *: false => true$/m);
    await protectMachine(false);
    expect(await run("check-drift.sh", "sandbox")).toEqual({ code: 0, output: "closed 1\n" });
    expect(issue?.state).toBe("closed");
  });

  it("fails, and reports nothing, if drift is unknown", async () => {
    const { code, output } = await run("check-drift.sh", "nowhere");
    expect(code).not.toBe(0);
    expect(code).not.toBe(2);
    expect(output).toContain("nowhere");
    expect(service.items.issues).toHaveLength(1);
  });

  it("destroys the sandbox", async () => {
    const down = await pulumi("destroy", "--yes", "--skip-preview", ...inStack());
    expect(down.code).toBe(0);
    expect(emulator.nodes()).toEqual([]);
  });

  /** Changes a machine behind Pulumi's back. */
  async function protectMachine(isProtected: boolean): Promise<void> {
    const credentials = { accessKeyId: "test", secretAccessKey: "test" };
    const client = new EC2Client({ region: "us-east-1", endpoint: emulator.url, credentials });
    const { Reservations = [] } = await client.send(new DescribeInstancesCommand({}));
    for (const { InstanceId } of Reservations.flatMap(({ Instances = [] }) => Instances)) {
      const DisableApiTermination = { Value: isProtected };
      await client.send(new ModifyInstanceAttributeCommand({ InstanceId, DisableApiTermination }));
    }
    client.destroy();
  }
});

function edit(file: string, change: (text: string) => string): void {
  writeFileSync(file, change(readFileSync(file, "utf8")));
}
