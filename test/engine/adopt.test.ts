import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { copyFile, mkdir, mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation";
import { readSecretsBundle } from "../../provider/pki/readSecretsBundle";
import { openStack } from "../../scripts/openStack";
import { shownState, statedConfigurations, terraformState } from "../cli/adopt/formerStates";
import { SimulatedCluster, type SimulatedNode } from "../emulator/talos/simulatedCluster";
import { secretValues } from "../provider/resources/samples";
import { STATE_WRITTEN_ONCE } from "./support/attachPlugins";
import { type DynamicPlugin, takeDynamicPlugin } from "./support/dynamicPlugins";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { readLater } from "./support/readLater";
import { formsOf } from "./support/secretForms";
import { applyTerraform } from "./support/terraform";

const root = join(__dirname, "../..");

/** The folder with the built provider siderolabs/talos, for Terraform on PATH. */
const { TERRAFORM_TALOS_PROVIDER } = process.env;
if (TERRAFORM_TALOS_PROVIDER === undefined) {
  process.stderr.write(
    "skipped: no TERRAFORM_TALOS_PROVIDER; with a folder that has terraform-provider-talos, Terraform makes the adopted cluster\n",
  );
}

/** A cluster as a former tool left it. */
interface Former {
  readonly stateFile: string;
  /** What `terraform show -json` prints. */
  readonly shown: string;
  readonly nodes: readonly SimulatedNode[];
}

/** Machines that were configured as a state of Terraform's provider records it. */
async function recordedCluster(cluster: SimulatedCluster, folder: string): Promise<Former> {
  const stated = {
    secrets: cluster.secrets,
    endpoint: cluster.endpoint,
    patches: { worker: ["machine:\n  nodeLabels:\n    pool: apps\n"] },
  };
  const nodes: SimulatedNode[] = [];
  const machines = [];
  for (const key of [0, 1, 2, "blue"]) {
    const machineType = typeof key === "number" ? ("controlplane" as const) : ("worker" as const);
    const machine = { node: "", machineType, key };
    const added = await cluster.add(
      statedConfigurations({ ...stated, machines: [] }, machine).applied,
    );
    nodes.push(added);
    machines.push({ ...machine, node: added.address });
  }
  await cluster.bootstrap(firstOf(nodes), 3);
  const stateFile = join(folder, "terraform.tfstate");
  const state = terraformState({ ...stated, machines });
  await writeFile(stateFile, JSON.stringify(state));
  return { stateFile, shown: JSON.stringify(shownState(state)), nodes };
}

/** Machines that Terraform itself configured and bootstrapped. */
async function terraformCluster(cluster: SimulatedCluster, folder: string): Promise<Former> {
  const nodes: SimulatedNode[] = [];
  for (let index = 0; index < 4; index += 1) {
    nodes.push(await cluster.add());
  }
  const applied = await applyTerraform(folder, {
    provider: TERRAFORM_TALOS_PROVIDER ?? "",
    endpoint: cluster.endpoint,
    controlPlanes: nodes.slice(0, 3).map(({ address }) => address),
    workers: nodes.slice(3).map(({ address }) => address),
  });
  await cluster.kubernetes();
  return { ...applied, nodes };
}

// One stack's life: each test goes on where the one before it ended.
describe.each([
  ["a recorded state", recordedCluster, true],
  ["Terraform itself", terraformCluster, TERRAFORM_TALOS_PROVIDER !== undefined],
] as const)("talos-aws adopt of a cluster by %s", (_name, make, isPossible) => {
  let cluster: SimulatedCluster;
  let former: Former;
  let folder: string;
  let project: string;
  let stack: Stack;
  let plugin: DynamicPlugin;
  const printed: string[] = [];
  const record = { onOutput: (text: string) => printed.push(text) };

  beforeAll(async () => {
    if (!isPossible) {
      return;
    }
    cluster = await SimulatedCluster.create({ rebootMs: 300 });
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/adopt-"));
    project = join(folder, "demo");
    former = await make(cluster, folder);
  });

  afterAll(async () => {
    if (isPossible) {
      plugin.release();
      await cluster.stop();
      await rm(folder, { recursive: true, force: true });
    }
  });

  const configurations = () => former.nodes.map(({ node }) => node.machineConfiguration);
  const ups = () => cluster.lines.filter((line) => line.endsWith(" is up")).length;

  /** Runs the engine in the folder of the project, from where the program names its patches. */
  async function inProject<Result>(work: () => Promise<Result>): Promise<Result> {
    const before = process.cwd();
    process.chdir(project);
    try {
      return await work();
    } finally {
      process.chdir(before);
    }
  }

  it.runIf(isPossible)("writes a program that changes nothing, and no secret", async () => {
    const before = await readFile(former.stateFile, "utf8");
    const { code, output } = await talosAws("adopt", former.stateFile, "--out", project);
    printed.push(output);
    expect(output).toContain("No machine would change.");
    expect(code).toBe(0);
    const secrets = join(project, "secrets/importedSecrets.yaml");
    expect((await stat(secrets)).mode & 0o777).toBe(0o600);
    expect(await readFile(former.stateFile, "utf8")).toBe(before);
    const again = await talosAws("adopt", former.stateFile, "--out", project);
    expect(again.code).toBe(1);
    expect(again.output).toMatch(/has \d+ files already/);
  });

  it.runIf(isPossible)(
    "reads the state from a pipe too, and writes nothing with --check",
    async () => {
      const { code, output } = await talosAwsFrom(former.shown, "adopt", "-", "--check");
      printed.push(output);
      expect(output).toContain("No machine would change.");
      expect(output).not.toContain("Wrote");
      expect(code).toBe(0);
    },
  );

  it.runIf(isPossible)("is previewed without contacting machines", async () => {
    plugin = await takeDynamicPlugin(join(folder, "stack/project"), {});
    stack = readLater(
      await openStack({
        stack: "local",
        program: programOf(project),
        engine: await engineFromEnvironment(),
        stateDir: join(folder, "stack"),
        environment: {
          ...STATE_WRITTEN_ONCE,
          PULUMI_DEBUG_PROVIDERS: `pulumi-nodejs:${plugin.port}`,
        },
        pluginDirs: [],
        settings: "config: {}",
      }),
    );
    const value = await readFile(join(project, "secrets/importedSecrets.yaml"), "utf8");
    await stack.setAllConfig({ importedSecrets: { value, secret: true } });
    const { changeSummary } = await inProject(() => stack.preview(record));
    expect(Object.keys(changeSummary)).toEqual(["create"]);
  });

  it.runIf(isPossible)("takes the machines over as they are", async () => {
    const before = [ups(), configurations()];
    const { stdout, outputs } = await inProject(() => stack.up(record));
    expect([ups(), configurations()]).toEqual(before);
    expect(stdout).not.toMatch(/differs from the new one/);
    expect(former.nodes.reduce((sum, { node }) => sum + node.bootstrapCalls, 0)).toBe(1);
    expect(outputs.kubeconfig?.secret).toBe(true);
    await inProject(() => stack.refresh(record));
    const { changeSummary } = await inProject(() => stack.preview(record));
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  it.runIf(isPossible)(
    "finds the same from the machines themselves, by a talosconfig",
    async () => {
      const { talosconfig } = await stack.outputs();
      const file = join(folder, "talosconfig");
      await writeFile(file, String(talosconfig?.value), { mode: 0o600 });
      const nodes = former.nodes.flatMap(({ address }) => ["--node", address]);
      const { code, output } = await talosAws("adopt", file, "--check", ...nodes);
      printed.push(output);
      expect(output).toContain("No machine would change.");
      expect(code).toBe(0);
      const alone = await talosAws("adopt", file, "--check");
      expect(alone.output).toContain("name the address of each one with --node");
    },
  );

  it.runIf(isPossible)("then changes a label, of the workers alone", async () => {
    const before = configurations();
    const patch = join(project, "patches/worker-1.yaml");
    const text = await readFile(patch, "utf8");
    expect(text).toContain("apps");
    await writeFile(patch, text.replace("apps", "web"));
    const { changeSummary } = await inProject(() => stack.preview(record));
    expect(changeSummary.create).toBeUndefined();
    await inProject(() => stack.up(record));
    const after = configurations();
    expect(after.slice(0, 3)).toEqual(before.slice(0, 3));
    expect(before[3]).toMatch(/pool: apps/);
    expect(after[3]).toMatch(/pool: web/);
  });

  it.runIf(isPossible)("shows no secret of the cluster", async () => {
    const text = await readFile(join(project, "secrets/importedSecrets.yaml"), "utf8");
    const forms = secretValues(readSecretsBundle(text)).flatMap(formsOf);
    expect(forms.filter((form) => printed.join("").includes(form))).toEqual([]);
  });
});

/** Runs the command line as a person does. */
function talosAws(...args: readonly string[]): Promise<{ code: number; output: string }> {
  return talosAwsFrom("", ...args);
}

/** The same with something on its standard input. */
function talosAwsFrom(
  input: string,
  ...args: readonly string[]
): Promise<{ code: number; output: string }> {
  const main = join(root, "dist/cli/main.js");
  expect(existsSync(main)).toBe(true);
  return new Promise((resolve) => {
    const child = execFile(process.execPath, [main, ...args], (error, stdout, stderr) => {
      const code = error === null ? 0 : Number(error.code);
      resolve({ code, output: `${stdout}${stderr}` });
    });
    child.stdin?.end(input);
  });
}

/** A module runs once, so each run is of a copy. */
function programOf(project: string): () => Promise<Record<string, unknown>> {
  let runs = 0;
  return async () => {
    runs += 1;
    const copy = join(project, `run-${runs}.ts`);
    await copyFile(join(project, "index.ts"), copy);
    return { ...((await import(copy)) as Record<string, unknown>) };
  };
}

function firstOf(nodes: readonly SimulatedNode[]): SimulatedNode {
  const [first] = nodes;
  if (first === undefined) {
    throw new Error("there is no machine");
  }
  return first;
}
