import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation";
import { importState } from "../../cli/engine/stateOfStack";
import { openStack } from "../../scripts/openStack";
import { SimulatedCluster, type SimulatedNode } from "../emulator/talos/simulatedCluster";
import { secretValues } from "../provider/resources/samples";
import { STATE_WRITTEN_ONCE } from "./support/attachPlugins";
import { type DynamicPlugin, takeDynamicPlugin } from "./support/dynamicPlugins";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { exampleProgram } from "./support/exampleProgram";
import { readLater } from "./support/readLater";
import { formsOf } from "./support/secretForms";

const root = join(__dirname, "../..");

// One stack's life: each test goes on where the one before it ended.
describe("examples/existing-cluster, by the real engine", () => {
  let cluster: SimulatedCluster;
  let nodes: SimulatedNode[];
  let folder: string;
  let stack: Stack;
  let plugin: DynamicPlugin;
  const parts: string[] = [];
  const record = { onOutput: (text: string) => parts.push(text) };

  beforeAll(async () => {
    cluster = await SimulatedCluster.create({ rebootMs: 300 });
    // What the program doesn't say: Talos reboots a machine to take it out.
    const byHand = { machine: { env: { GREETING: "hello" } } };
    nodes = [];
    for (let index = 0; index < 3; index += 1) {
      nodes.push(await cluster.add(cluster.config("controlplane", [byHand])));
    }
    const [first] = nodes;
    if (first === undefined) {
      throw new Error("there is no machine");
    }
    await cluster.bootstrap(first, 3);
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/existing-"));
    plugin = await takeDynamicPlugin(join(folder, "project"), {});
    stack = readLater(
      await openStack({
        stack: "local",
        program: exampleProgram("existing-cluster", folder),
        engine: await engineFromEnvironment(),
        stateDir: folder,
        environment: {
          ...STATE_WRITTEN_ONCE,
          PULUMI_DEBUG_PROVIDERS: `pulumi-nodejs:${plugin.port}`,
        },
        pluginDirs: [],
        settings: "config: {}",
      }),
    );
    const machines = Object.fromEntries(
      nodes.map(({ address }, index) => [`machine-${index + 1}`, address]),
    );
    const text = cluster.config("controlplane");
    const plain = {
      clusterName: "demo",
      versionContract: "v1.12",
      platform: "aws",
      talosVersion: "v1.12.1",
      kubernetesVersion: "v1.35.0",
      installDisk: "/dev/xvda",
      endpoint: /endpoint: (https:\S+)/.exec(text)?.[1] ?? "",
      machines: JSON.stringify(machines),
    };
    await stack.setAllConfig({
      ...Object.fromEntries(Object.entries(plain).map(([key, value]) => [key, { value }])),
      importedSecrets: { value: text, secret: true },
    });
  });

  afterAll(async () => {
    plugin.release();
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("previews the machines' configurations without contacting them", async () => {
    const { changeSummary } = await stack.preview(record);
    expect(changeSummary).toEqual({ create: 11 });
  });

  const ups = () => cluster.lines.filter((line) => line.endsWith(" is up")).length;
  const configurations = () => nodes.map(({ node }) => node.machineConfiguration);

  it("records running machines and their differences, without a reboot or second bootstrap", async () => {
    const before = [ups(), configurations()];
    const { outputs, stdout } = await stack.up(record);
    expect(outputs.kubeconfig?.secret).toBe(true);
    expect([ups(), configurations()]).toEqual(before);
    expect(stdout).toMatch(/differs from the new one in .*It reboots for machine\.env/);
    expect(nodes.map(({ node }) => node.stage)).toEqual(["running", "running", "running"]);
    expect(nodes.reduce((sum, { node }) => sum + node.bootstrapCalls, 0)).toBe(1);
  });

  it("previews each machine's changes after a refresh, and applies them one after another", async () => {
    await stack.refresh(record);
    const { changeSummary, stdout } = await stack.preview({ ...record, diff: true });
    expect(changeSummary.update).toBe(4);
    expect(stdout).toMatch(/GREETING/);
    const before = ups();
    let most = 0;
    const watch = setInterval(() => {
      const away = nodes.filter(({ node }) => node.stage !== "running").length;
      most = Math.max(most, away);
    }, 20);
    await stack.up(record);
    clearInterval(watch);
    expect([most, ups() - before]).toEqual([1, 3]);
    for (const { node } of nodes) {
      expect(node.machineConfiguration).not.toContain("GREETING");
      expect(node.machineConfiguration).toContain(cluster.secrets.cluster.id);
    }
  });

  it("finds no change afterwards, and keeps the cluster when it is destroyed", async () => {
    expect(Object.keys((await stack.preview(record)).changeSummary)).toEqual(["same"]);
    const exported = await stack.exportStack();
    await importState(
      stack,
      JSON.parse(JSON.stringify(exported).replace('"protect":true', '"protect":false')) as never,
    );
    await stack.destroy(record);
    expect(nodes.map(({ node }) => node.stage)).toEqual(["running", "running", "running"]);
  });

  it("shows no secret of the cluster", () => {
    const forms = secretValues(cluster.secrets).flatMap(formsOf);
    expect(forms.filter((form) => parts.join("").includes(form))).toEqual([]);
  });
});
