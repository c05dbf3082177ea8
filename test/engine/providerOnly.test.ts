import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Stack } from "@pulumi/pulumi/automation";
import { NEWEST_RELEASES } from "../../provider/config/releases/newestReleases";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { certificateExpiry } from "../../provider/pki/certificateExpiry";
import type { ClientCredentials } from "../../provider/pki/clientCredentials";
import { expandCredentials } from "../../provider/pki/compactCredentials";
import { openStack } from "../../scripts/openStack";
import { SimulatedCluster, type SimulatedNode } from "../emulator/talos/simulatedCluster";
import { ageCertificates } from "./support/ageCertificates";
import { engineFromEnvironment } from "./support/engineFromEnvironment";
import { exampleProgram } from "./support/exampleProgram";
import { readLater } from "./support/readLater";
import { labelOf, storedResources } from "./support/storedResources";

const root = join(__dirname, "../..");

// One stack's life: each test goes on where the one before it ended.
describe("examples/provider-only, by the real engine", () => {
  let cluster: SimulatedCluster;
  let controlPlane: SimulatedNode;
  let worker: SimulatedNode;
  let folder: string;
  let stack: Stack;

  beforeAll(async () => {
    cluster = await SimulatedCluster.create();
    cluster.talosVersion = NEWEST_RELEASES.talosVersion;
    controlPlane = await cluster.add();
    worker = await cluster.add();
    await mkdir(join(root, ".cache/test"), { recursive: true });
    folder = await mkdtemp(join(root, ".cache/test/provider-"));
    stack = readLater(
      await openStack({
        stack: "local",
        program: exampleProgram("provider-only", folder),
        engine: await engineFromEnvironment(),
        stateDir: folder,
        environment: {},
        pluginDirs: [],
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

  it("creates Kubernetes on waiting machines, without AWS", async () => {
    expect((await stack.preview()).changeSummary).toEqual({ create: 12 });
    const { outputs } = await stack.up();
    expect([controlPlane.node.stage, worker.node.stage]).toEqual(["running", "running"]);
    expect(worker.node.machineConfiguration).toContain("type: worker");
    const api = new KubernetesApi(String(outputs.kubeconfig?.value));
    const nodes = JSON.parse(await api.get("/api/v1/nodes", { timeoutMs: 5_000 })) as {
      items: unknown[];
    };
    expect(nodes.items).toHaveLength(2);
    expect(outputs.talosconfig?.secret).toBe(true);
    const exported = await stack.exportStack();
    expect(JSON.stringify(exported.deployment)).not.toContain('"aws:');
  });

  it("records each configuration once, and the cluster's secrets in one resource", async () => {
    const resources = await storedResources(stack);
    const configurations = resources.filter(({ type }) => type.endsWith(":MachineConfiguration"));
    expect(configurations).toHaveLength(2);
    for (const configuration of configurations) {
      const { plaintext } = configuration.outputs?.machineConfiguration as { plaintext: string };
      const recorded = JSON.stringify(configuration);
      const rest = recorded.split(JSON.stringify(plaintext));
      expect(rest).toHaveLength(2);
      expect(Buffer.byteLength(rest.join(""))).toBeLessThan(7_000);
      expect(configuration.outputs).not.toHaveProperty("redactedConfiguration");
    }
    const holders = resources.filter((resource) => JSON.stringify(resource).includes("trustdinfo"));
    expect(holders.map(labelOf)).toEqual([expect.stringMatching(/^MachineSecrets /)]);
  });

  it("renews its client certificate, also in what machines record for their delete", async () => {
    await ageCertificates(stack, 400);
    const { update } = (await stack.preview()).changeSummary;
    const { summary } = await stack.up();
    // The certificate, and what logs in with it later: both machines, and a refresh of their check.
    expect([update, summary.resourceChanges?.update]).toEqual([4, 4]);
    const applies = (await storedResources(stack)).filter(({ type }) =>
      type.endsWith(":ConfigurationApply"),
    );
    for (const { outputs } of applies) {
      const { plaintext } = outputs?.credentials as { plaintext: string };
      const { crt } = expandCredentials(JSON.parse(plaintext) as ClientCredentials);
      expect(certificateExpiry(crt).getTime()).toBeGreaterThan(Date.now());
    }
  });

  it("finds no change afterwards, and is destroyed", async () => {
    expect(Object.keys((await stack.preview()).changeSummary)).toEqual(["same"]);
    await stack.destroy();
    const exported = await stack.exportStack();
    expect((exported.deployment as { resources?: unknown[] }).resources ?? []).toEqual([]);
  });
});
