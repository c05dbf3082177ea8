import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation";
import { openStack } from "../../scripts/openStack";
import { SimulatedCluster, type SimulatedNode } from "../emulator/talos/simulatedCluster";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { exampleProgram } from "./support/exampleProgram";
import { readLater } from "./support/readLater";
import { storedResources } from "./support/storedResources";

const root = join(__dirname, "../..");

// One stack's life: each test goes on where the one before it ended.
describe("resources of the plugin, by the real engine", () => {
  let cluster: SimulatedCluster;
  let controlPlane: SimulatedNode;
  let worker: SimulatedNode;
  let folder: string;
  let stack: Stack;

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    controlPlane = await cluster.add();
    worker = await cluster.add();
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/plugin-"));
    stack = readLater(
      await openStack({
        stack: "local",
        program: exampleProgram("provider-only", folder),
        engine: await engineFromEnvironment(),
        stateDir: folder,
        environment: {},
        pluginDirs: [join(root, "plugin")],
        settings: "config: {}",
      }),
    );
    const settings = {
      installDisk: "/dev/sda",
      endpoint: `https://${controlPlane.address}:6443`,
      controlPlanes: JSON.stringify({ "serial-1": controlPlane.address }),
      workers: JSON.stringify({ "serial-2": worker.address }),
    };
    for (const [key, value] of Object.entries(settings)) {
      await stack.setConfig(key, { value });
    }
  });

  afterAll(async () => {
    await cluster.stop();
    await rm(folder, { recursive: true, force: true });
  });

  it("take over a stack of dynamic resources without touching a machine", async () => {
    await stack.up();
    const sizes = async () => (await storedResources(stack)).map((one) => [one.urn.split("::").slice(2).join(), JSON.stringify(one.inputs ?? {}).length, JSON.stringify({ ...one, inputs: {...one.inputs, redactedConfiguration: undefined} }).length, JSON.stringify(one.aliases)]);
    console.log(await sizes());
    await stack.setConfig("talos-aws:plugin", { value: "true" });
    console.log((await stack.preview()).changeSummary);
    console.log((await stack.up()).summary.resourceChanges);
    console.log(await sizes());
    console.log((await stack.preview()).changeSummary);
    const refreshed = await stack.refresh();
    console.log(refreshed.summary.resourceChanges, refreshed.stdout);
    console.log(await sizes());
    console.log(JSON.stringify((await storedResources(stack)).filter(({urn})=>urn.includes("worker-serial-2")), undefined, 1));
    const { readFileSync, readdirSync } = await import("node:fs");
    for (const f of readdirSync(join(folder, "backend/.pulumi/stacks/talos-aws"))) if (f.endsWith(".json")) { const d = JSON.parse(readFileSync(join(folder, "backend/.pulumi/stacks/talos-aws", f), "utf8")); for (const r of d.checkpoint.latest.resources) if (r.urn.includes("worker-serial-2")) { delete r.inputs.redactedConfiguration; console.log("FILE", JSON.stringify(r).length, JSON.stringify(r)); } }
    console.log((await stack.preview()).changeSummary);
    await stack.setConfig("talos-aws:plugin", { value: "false" });
    console.log((await stack.preview()).changeSummary);
    console.log((await stack.up()).summary.resourceChanges);
    console.log(await sizes());
    const again = await stack.refresh();
    console.log(again.summary.resourceChanges, again.stdout);
    await stack.destroy();
  });
});
