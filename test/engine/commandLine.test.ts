import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { hostname } from "node:os";
import { delimiter, dirname, join, relative } from "node:path";
import { createInterface } from "node:readline";
import { DescribeVolumesCommand } from "@aws-sdk/client-ec2";
import { parse } from "yaml";
import type { ClusterStatus } from "../../cli/status/clusterStatus";
import type { PolicyDocument } from "../../components/permissions/policyDocument";
import { type Emulator, startEmulator } from "../../emulator";
import { ensureMoto } from "../../emulator/aws/pythonEnvironment";
import type { PreviewSummary } from "../../preview";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { checkEtcdSnapshotFile } from "../../provider/lifecycle/etcd/etcdSnapshotFile";
import { openAccount } from "./support/account";
import { type AttachedPlugins, attachPlugins } from "./support/attachPlugins";
import { makeClassicService, makeVolume, placeOf } from "./support/controllersWork";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { type LanguageHost, nodeHostFolder, startLanguageHost } from "./support/languageHost";
import { allows } from "./support/policyAllows";

const root = join(__dirname, "../..");
const VOLUME_OF_PAGE = "vol-0123456789abcdef0";

/** How a process of the command line ended, and what it wrote. */
interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe("talos-aws", () => {
  let emulator: Emulator;
  let host: LanguageHost;
  let plugins: AttachedPlugins;
  let folder: string;
  let environment: Record<string, string | undefined>;

  beforeAll(async () => {
    mkdirSync(join(root, ".cache/test"), { recursive: true });
    folder = mkdtempSync(join(root, ".cache/test/command-line-"));
    cpSync(join(root, "environments"), folder, { recursive: true });
    const project = readFileSync(join(folder, "Pulumi.yaml"), "utf8");
    const main = relative(folder, join(root, "dist/environments/index.js"));
    writeFileSync(
      join(folder, "Pulumi.yaml"),
      project.replace("../dist/environments/index.js", main),
    );
    const file = join(folder, "Pulumi.sandbox.yaml");
    const settings = readFileSync(file, "utf8")
      .replace("domain: example.com", "domain: talos.internal")
      .replace("- 192.0.2.0/24", "- 127.0.0.0/8");
    writeFileSync(file, settings);
    emulator = await startEmulator({
      timings: { bootMs: 100, rebootMs: 100, shutdownMs: 100, joinMs: 100 },
    });
    host = await startLanguageHost();
    plugins = await attachPlugins(folder, emulator.environment);
    const { command } = await engineFromEnvironment();
    environment = {
      ...process.env,
      ...emulator.environment,
      ...plugins.environment,
      HOME: folder,
      PULUMI_HOME: join(folder, ".pulumi"),
      KUBECONFIG: undefined,
      TALOSCONFIG: undefined,
      PULUMI_BACKEND_URL: `file://${folder}`,
      PULUMI_CONFIG_PASSPHRASE: "of a test",
      PULUMI_SKIP_UPDATE_CHECK: "true",
      PATH: [
        nodeHostFolder(host),
        dirname(command),
        emulator.pluginDir,
        join(root, "node_modules/@pulumi/pulumi"),
        process.env.PATH ?? "",
      ].join(delimiter),
    };
    const init = await run(command, ["stack", "init", "sandbox"]);
    expect(init.code).toBe(0);
  });

  afterAll(async () => {
    host.close();
    plugins.close();
    await emulator.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  function run(
    command: string,
    args: readonly string[],
    { cwd = folder, env = environment } = {},
  ): Promise<Ended> {
    const child = spawn(command, args, { cwd, env });
    const [stdout, stderr]: Buffer[][] = [[], []];
    child.stdout.on("data", (part: Buffer) => stdout?.push(part));
    child.stderr.on("data", (part: Buffer) => stderr?.push(part));
    child.stdin.end();
    return new Promise((resolve, reject) => {
      child.once("error", reject);
      child.once("close", (code) => {
        const text = (parts: Buffer[] | undefined) => Buffer.concat(parts ?? []).toString();
        resolve({ code, stdout: text(stdout), stderr: text(stderr) });
      });
    });
  }

  async function exitCodeOf(child: ChildProcess): Promise<number | null> {
    if (child.exitCode === null && child.signalCode === null) {
      await once(child, "exit");
    }
    return child.exitCode;
  }

  const talosAws = (...args: string[]) =>
    run(process.execPath, [join(root, "dist/cli/main.js"), ...args]);

  /** The same on a terminal, where a person types something when asked. */
  async function onTerminal(asked: string, typed: string, ...args: string[]): Promise<Ended> {
    const { python } = await ensureMoto();
    const script =
      "import os, pty, sys; sys.exit(os.waitstatus_to_exitcode(pty.spawn(sys.argv[1:])))";
    const command = [process.execPath, join(root, "dist/cli/main.js"), ...args];
    const env = { ...environment, CI: undefined, NO_COLOR: "1" };
    const child = spawn(python, ["-c", script, ...command], { cwd: folder, env });
    let stdout = "";
    let isAsked = false;
    child.stdout.on("data", (part: Buffer) => {
      stdout += part.toString();
      if (!isAsked && stdout.includes(asked)) {
        isAsked = true;
        child.stdin.write(typed);
      }
    });
    const [code] = (await once(child, "close")) as [number | null];
    return { code, stdout, stderr: "" };
  }

  it("previews, and does not continue without confirmation", async () => {
    const preview = await talosAws("preview", "sandbox", "--json");
    expect(preview.stderr).not.toContain("error");
    const summary = JSON.parse(preview.stdout) as PreviewSummary;
    expect(summary.counts.create).toBeGreaterThan(30);
    expect(preview.code).toBe(0);

    const unasked = await talosAws("up", "sandbox");
    expect(unasked.stdout).toContain(`sandbox: ${summary.counts.create} to create`);
    expect(unasked.stderr).toContain("error: there is no terminal for a question");
    expect([unasked.code, emulator.nodes()]).toEqual([1, []]);

    const question = 'Deploy these changes to sandbox? Type "yes" to continue:';
    const interrupted = await onTerminal(question, "\u0003", "up", "sandbox");
    expect(interrupted.stdout).toContain(question);
    expect(interrupted.stdout).toContain("Nothing was changed.");
    expect([interrupted.code, emulator.nodes()]).toEqual([1, []]);
  });

  it("creates the stack", async () => {
    const up = await talosAws("up", "sandbox", "--yes");
    expect(up.stderr).not.toContain("error");
    expect(up.stdout).toMatch(/\+ \d+ created/);
    expect(up.stdout).not.toContain("\u001b");
    expect([up.code, emulator.nodes().map(({ stage }) => stage)]).toEqual([0, ["running"]]);

    const again = await talosAws("preview", "sandbox", "nowhere", "--expect-no-changes", "--json");
    const [sandbox, nowhere] = JSON.parse(again.stdout) as {
      readonly summary?: PreviewSummary;
      readonly error?: string;
    }[];
    expect(sandbox?.summary?.counts).toMatchObject({ create: 0, update: 0, replace: 0, delete: 0 });
    expect(nowhere?.error).toContain('there is no stack "nowhere"');
    expect(again.stderr).not.toContain("no changes were expected");
    expect(again.stderr).toContain("error: there is no preview of nowhere: see the report");
    expect(again.code).toBe(1);
    const [full, twice] = await Promise.all([
      talosAws("preview", "sandbox", "nowhere", "--full"),
      talosAws("preview", "sandbox", "sandbox"),
    ]);
    expect(full.stderr).toContain("error: --full is for one stack, not for 2");
    expect(twice.stderr).toContain('error: "sandbox" is named twice');
  });

  it("previews without an account, and an exported state without a backend", async () => {
    const { command } = await engineFromEnvironment();
    const state = join(folder, "state.json");
    await run(command, ["stack", "export", "-s", "sandbox", "--file", state]);
    const changed = `${folder}-changed`;
    cpSync(folder, changed, { recursive: true, filter: (from) => !from.includes("/.pulumi") });
    const file = join(changed, "Pulumi.sandbox.yaml");
    const settings = readFileSync(file, "utf8");
    const larger = "config:\n  talos-aws:controlPlane: { instanceType: t3.large }";
    writeFileSync(file, settings.replace("config:", larger));
    const accountless = Object.fromEntries(
      Object.entries(environment).filter(
        ([name]) => !name.startsWith("AWS_") && name !== "PULUMI_DEBUG_PROVIDERS",
      ),
    );
    const path = environment.PATH?.replace(`${emulator.pluginDir}${delimiter}`, "");
    const offline = (env: Record<string, string>, cwd: string, ...args: string[]) =>
      run(process.execPath, [join(root, "dist/cli/main.js"), "preview", "sandbox", ...args], {
        cwd,
        env: { ...accountless, PATH: path, ...env },
      });
    const nowhere = { PULUMI_BACKEND_URL: `file://${join(folder, "nowhere")}` };
    try {
      const [same, other, unreadable, missing, refreshed] = await Promise.all([
        offline({}, folder, "--offline", "--markdown", "--expect-no-changes"),
        offline(nowhere, changed, "--state", state, "--json"),
        offline({ ...nowhere, PULUMI_CONFIG_PASSPHRASE: "another" }, changed, "--state", state),
        offline(nowhere, changed, "--offline", "--state", "nowhere.json"),
        offline({}, folder, "--offline", "--refresh"),
      ]);
      expect(same.stdout).toContain("### sandbox: nothing changes");
      expect(same.stderr).toMatch(
        /^Reading the recorded state of sandbox …\nStarting an emulated account …\n[^]*^Previewing sandbox on it …$/m,
      );
      expect(same.stderr).not.toMatch(/error|pulumi-resource-aws/);
      expect(same.code).toBe(0);
      expect(other.stderr).not.toContain("error");
      const summary = JSON.parse(other.stdout) as PreviewSummary;
      expect(summary.groups.flatMap(({ resources }) => resources)).toContainEqual(
        expect.objectContaining({
          operation: "update",
          kind: "Instance",
          because: ["instanceType"],
        }),
      );
      expect(summary.machines.map(({ name }) => name)).toEqual(["sandbox-control-plane-1"]);
      expect(summary.cost.after.usd).toBeGreaterThan(summary.cost.before.usd);
      expect(other.code).toBe(0);
      expect(unreadable.stderr).toContain("incorrect passphrase");
      expect(unreadable.code).toBe(1);
      expect(missing.stderr).toContain("error: the state can't be used for a preview: ENOENT");
      expect(missing.code).toBe(1);
      expect(refreshed.stderr).toContain("cannot be used with option '--refresh'");
      expect(refreshed.code).toBe(2);
    } finally {
      rmSync(changed, { recursive: true, force: true });
    }
  });

  it("adds the cluster to kubectl's and talosctl's files, and removes it again", async () => {
    const modeOf = (file: string) => statSync(file).mode & 0o777;
    for (const [name, file, contextName] of [
      ["kubeconfig", join(folder, ".kube/config"), "admin@sandbox"],
      ["talosconfig", join(folder, ".talos/config"), "sandbox"],
    ] as const) {
      const put = await talosAws(name, "sandbox");
      expect(put.stderr).toBe("");
      expect(put.stdout).toContain(
        `Wrote the context "${contextName}" to ${file}.\nIt is the current`,
      );
      expect([put.code, modeOf(file)]).toEqual([0, 0o600]);
      const printed = await talosAws(name, "sandbox", "--stdout");
      expect(parse(printed.stdout)).toEqual(parse(readFileSync(file, "utf8")));

      chmodSync(file, 0o644);
      const removed = await talosAws(name, "sandbox", "--remove");
      expect(removed.stdout).toContain(`Removed from ${file}: "${contextName}".`);
      expect(removed.stdout).toContain("Its mode was 0644 and is now 0600");
      expect(readFileSync(file, "utf8")).not.toContain("sandbox");
    }
    const own = join(folder, "own");
    await talosAws("kubeconfig", "sandbox", "--file", own, "--server-address", "127.0.0.7");
    const { clusters } = parse(readFileSync(own, "utf8")) as { clusters: unknown };
    expect(clusters).toMatchObject([
      {
        cluster: {
          server: "https://127.0.0.7:6443",
          "tls-server-name": "k8s.sandbox.talos.internal",
        },
      },
    ]);
  });

  it("writes a snapshot of etcd into a file, once", async () => {
    const file = join(folder, "etcd.snapshot");
    const taken = await talosAws("backup", "sandbox", "--file", file);
    expect(taken.stdout).toMatch(
      /^Wrote a snapshot of the etcd of sandbox to .*etcd\.snapshot: \d+ KiB, from sandbox-control-plane-1\./,
    );
    expect(taken.code).toBe(0);
    expect(await checkEtcdSnapshotFile({ path: file })).toEqual([]);
    const again = await talosAws("backup", "sandbox", "--file", file);
    expect(again.stderr).toContain("exists already: name another file with --file");
    expect(again.code).toBe(1);
  });

  it("restores etcd from that snapshot on request", async () => {
    const file = join(folder, "etcd.snapshot");
    const restore = (...args: string[]) => talosAws("restore", "sandbox", ...args);
    const [unnamed, missing, running] = await Promise.all([
      restore(),
      restore("--from", join(folder, "nowhere")),
      restore("--from", file, "--yes"),
    ]);
    expect(unnamed.stderr).toContain("required option '-f, --from <snapshot>' not specified");
    expect(unnamed.code).toBe(2);
    expect(missing.stderr).toContain("the file does not exist");
    expect(missing.code).toBe(1);
    expect(running.stderr).toMatch(/error: etcd has its majority \(\S+\), so nothing is lost yet/);
    expect(running.code).toBe(1);

    const restored = await restore("--from", file, "--discard-running-etcd", "--yes");
    expect(restored.stdout).toContain(
      "wiped: etcd, images and logs of sandbox-control-plane-1, which restart",
    );
    expect(restored.stdout).toMatch(/^etcd of sandbox is restored, on 1 machine\.$/m);
    expect([restored.code, emulator.nodes().map(({ stage }) => stage)]).toEqual([0, ["running"]]);
  });

  it("shows the status of the machines", async () => {
    const well = await talosAws("status", "sandbox");
    expect(well.stderr).toBe("");
    expect(well.stdout).toMatch(
      /^sandbox-control-plane-1 +control plane +us-east-1a +i-[0-9a-f]+ +127[.\d]+ +running +v[.\d]+ +leader +healthy +Ready$/m,
    );
    expect(well.stdout).toContain(` ${NEWEST_RELEASES.talosVersion} `);
    expect(well.stdout).toContain("sandbox is healthy.");
    expect(well.stdout).toMatch(/API server certificate: \d{4}-\d\d-\d\d, \d+ days left/);
    expect(well.code).toBe(0);

    const watched = spawn(
      process.execPath,
      [join(root, "dist/cli/main.js"), "status", "sandbox", "--watch", "--json"],
      { cwd: folder, env: environment },
    );
    const looks: ClusterStatus[] = [];
    for await (const line of createInterface({ input: watched.stdout })) {
      looks.push(JSON.parse(line) as ClusterStatus);
      if (looks.length === 2) {
        watched.kill("SIGINT");
      }
    }
    expect(looks.map((look) => look.machines[0]?.etcd?.role)).toEqual(["leader", "leader"]);
    expect(await exitCodeOf(watched)).toBe(0);

    const machine = emulator.nodes()[0]?.instanceId ?? "";
    const fault = await emulator.faults.inject({ kind: "refuse", machine });
    const away = await talosAws("status", "sandbox", "--json");
    const { machines } = JSON.parse(away.stdout) as ClusterStatus;
    expect(machines).toMatchObject([{ name: "sandbox-control-plane-1" }]);
    expect(machines[0]?.problems[0]).toContain("it doesn't answer");
    expect(away.code).toBe(2);
    await fault.lift();
  });

  it("mends what a killed run or a crash has left of the backend's files", async () => {
    const state = join(folder, ".pulumi/stacks/talos-aws/sandbox.json");
    const locks = join(folder, ".pulumi/locks/organization/talos-aws/sandbox");
    const whole = readFileSync(state, "utf8");
    const repair = (...args: string[]) => talosAws("repair", "sandbox", ...args);

    writeFileSync(`${state}.attrs`, "");
    const page = readFileSync(join(root, "docs/state.md"), "utf8");
    /** What plain `pulumi` says leads to the page. */
    const plain = async () => {
      const { code, stderr } = await run("pulumi", ["stack", "export", "--stack", "sandbox"]);
      expect(code).not.toBe(0);
      expect(page).toContain(`\`${stderr.replace("error: ", "").trim()}\``);
    };
    const [unreadable] = await Promise.all([talosAws("status", "sandbox"), plain()]);
    expect(unreadable.code).toBe(2);
    expect(unreadable.stderr).toMatch(
      /^error: failed to load checkpoint: EOF\n[^]*sandbox\.json\.attrs" is cut off[^]*run "talos-aws repair sandbox" for that/,
    );
    const harmless = await repair();
    expect(harmless.stdout).toContain('sandbox.json.attrs" is cut off: it is deleted');
    expect(harmless.code).toBe(0);
    expect((await repair()).stdout).toContain("nothing to repair");

    const ended = spawn(process.execPath, ["--version"]);
    await exitCodeOf(ended);
    mkdirSync(locks, { recursive: true });
    const lock = { pid: ended.pid, username: "somebody", hostname: hostname() };
    writeFileSync(join(locks, "a.json"), JSON.stringify(lock));
    writeFileSync(`${state}.bak`, whole);
    writeFileSync(state, whole.slice(0, 1_000));
    const [unsure, unasked] = await Promise.all([
      talosAws("up", "sandbox", "--yes"),
      repair(),
      plain(),
    ]);
    expect(unsure.stderr).toContain('nothing was changed: run "talos-aws repair sandbox" first');
    expect(unasked.stderr).toContain("there is no terminal for a question");
    expect([unsure.code, unasked.code, readFileSync(state, "utf8").length]).toEqual([1, 1, 1_000]);
    const mended = await repair("--yes");
    expect(mended.stdout).toMatch(/sandbox\.json" is cut off: "sandbox\.json\.bak" of \S+ takes/);
    expect(mended.stdout).toMatch(/is of somebody's process \d+ on \S+, which has ended/);
    expect(mended.code).toBe(0);
    expect([readFileSync(state, "utf8"), readdirSync(locks)]).toEqual([whole, []]);
    const kept = readdirSync(dirname(state)).find((name) => name.includes(".replaced-")) ?? "";
    expect(readFileSync(join(dirname(state), kept), "utf8")).toBe(whole.slice(0, 1_000));
    expect((await talosAws("status", "sandbox")).code).toBe(0);
  });

  it("draws the topology", async () => {
    const picture = join(folder, "sandbox.svg");
    const drawn = await talosAws("topology", "sandbox", "-o", picture);
    expect(drawn).toEqual({ code: 0, stdout: "", stderr: `Drawn into ${picture}.\n` });
    const svg = readFileSync(picture, "utf8");
    expect(svg).toMatch(/<text[^>]*>sandbox-control-plane-1<\/text>/);
    expect(svg).toContain("load balancer → control plane");
    const mermaid = await talosAws("topology", "sandbox", "--mermaid");
    expect(mermaid.stdout).toMatch(/^flowchart TB\n/);
    expect(mermaid.stdout).toContain('|"tcp 50000"|');
  });

  it("prints the policy for running Pulumi on the stack", async () => {
    const [printed, repairing] = await Promise.all([
      talosAws("permissions", "sandbox", "--recorded", "--json"),
      talosAws("permissions", "sandbox", "--repair", "--json"),
    ]);
    expect(printed.stderr).toContain("note: the state's backend and its encryption are not in");
    const policy = JSON.parse(printed.stdout) as PolicyDocument;
    const [resource, action] = ["arn:aws:ec2:us-east-1:123456789012:vpc/vpc-0", "ec2:DeleteVpc"];
    expect([printed.code, allows(policy, { action, resource })]).toEqual([0, true]);
    expect(allows(policy, { action: "autoscaling:CreateAutoScalingGroup", resource })).toBe(false);
    const repair = JSON.parse(repairing.stdout) as PolicyDocument;
    expect(allows(repair, { action: "ec2:DescribeInstanceStatus", resource: "*" })).toBe(true);
    expect(allows(repair, { action, resource })).toBe(false);
  });

  it("is run by npm scripts on environments of a checkout", async () => {
    const { scripts } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      scripts: Record<string, string>;
    };
    // As npm runs it, but for scripts/run.mjs, which installs and builds what isn't there.
    const npm = (command: string, ...args: string[]) => {
      expect(scripts[command]).toBe(`node scripts/run.mjs commandLine ${command}`);
      const script = join(root, "dist/scripts/commandLine.js");
      return run(process.execPath, [script, command, ...args], { cwd: root });
    };
    const [nowhere, help, plan, unplanned, without, local] = await Promise.all([
      npm("preview", "nonsense"),
      npm("topology", "--help"),
      npm("plan", "production", "--json"),
      npm("plan", "nonsense"),
      npm("status"),
      npm("up", "local"),
    ]);
    expect(nowhere.stderr).toContain(
      `error: there is no stack "nonsense" in "${join(root, "environments")}"; existing stacks: "sandbox"`,
    );
    expect(nowhere.code).toBe(1);
    expect(help.stdout).toContain("Usage: talos-aws topology [options] <stack>");
    expect(help.code).toBe(0);
    expect(JSON.parse(plan.stdout)).toMatchObject({ format: 1, cluster: "prod" });
    expect(plan.code).toBe(0);
    expect(unplanned.stderr).toContain('error: the stack "nonsense" has no settings');
    expect(unplanned.code).toBe(1);
    expect(without.stderr).toContain("usage: npm run <command> -- <environment>");
    expect(without.code).toBe(1);
    expect(local.stderr).toContain('brought up, and repaired, by "npm run local"');
    expect(local.code).toBe(1);
  });

  it("reports what it can't do in a message", async () => {
    expect(await talosAws("status", "nowhere")).toEqual({
      code: 2,
      stdout: "",
      stderr: `error: there is no stack "nowhere" in "${folder}"; existing stacks: "sandbox": create it with "pulumi stack init nowhere"\n`,
    });
    const misspelt = await talosAws("statsu", "sandbox");
    expect(misspelt.stderr).toContain("unknown command 'statsu'\n(Did you mean status?)");
    expect(misspelt.code).toBe(2);
    const elsewhere = await talosAws("preview", "sandbox", "--cwd", "/");
    expect(elsewhere.stderr).toMatch(/^error: there is no Pulumi project in "\/" or above it/);
    expect(elsewhere.code).toBe(1);
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as {
      version: string;
    };
    expect(await talosAws("--version")).toMatchObject({ code: 0, stdout: `${version}\n` });
  });

  it("destroys the stack, and removes controllers' resources only on request", async () => {
    const account = openAccount(emulator);
    try {
      const { machineIds, ...place } = await placeOf(account, "sandbox");
      await makeClassicService(account, place, "a1b2c3");
      await makeVolume(account, `${emulator.region}a`, "data", { machineId: machineIds[0] ?? "" });
      const blocked = await talosAws("destroy", "sandbox");
      expect(blocked.stdout).toMatch(
        /load balancer +a1b2c3 +service default\/web, by the AWS cloud controller +costs about \$18\.26 a month in us-east-1, blocks/,
      );
      expect(blocked.stderr).toContain(
        '"talos-aws destroy sandbox --sweep" also removes that; nothing was deleted',
      );
      expect([blocked.code, emulator.nodes().length]).toEqual([1, 1]);
      const page = readFileSync(join(root, "docs/destroy.md"), "utf8");
      const told = `${blocked.stdout}${blocked.stderr}`.replace(/vol-\w+/, VOLUME_OF_PAGE);
      expect(page.split("\n")).toEqual(expect.arrayContaining(told.trimEnd().split("\n")));
      const unasked = await talosAws("destroy", "sandbox", "--sweep");
      expect(unasked.stdout).toContain(
        "machines and the data on their disks: sandbox-control-plane-1",
      );
      expect(unasked.stdout).toContain(
        'unless you use "talos-aws destroy sandbox --sweep-volumes"',
      );
      expect(unasked.stderr).toContain("error: there is no terminal for a question");
      expect(unasked.code).toBe(1);
      const question = 'Type "sandbox" to delete all of it:';
      const unsure = await onTerminal(question, "yes\n", "destroy", "sandbox", "--sweep");
      expect(unsure.stdout).toContain("Nothing was deleted.");
      expect([unsure.code, emulator.nodes().length]).toEqual([1, 1]);
      const down = await onTerminal(question, "sandbox\n", "destroy", "sandbox", "--sweep");
      expect(down.stdout).not.toContain("error");
      expect([down.code, emulator.nodes()]).toEqual([0, []]);
      const { Volumes } = await account.ec2.send(new DescribeVolumesCommand({}));
      expect(Volumes).toHaveLength(1);
    } finally {
      account.close();
    }
    const again = await talosAws("destroy", "sandbox", "--yes");
    expect(again).toEqual({
      code: 0,
      stdout: 'The stack "sandbox" has nothing to delete.\n',
      stderr: "",
    });
  });
});
