import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { TalosClient } from "../../provider/api/talosClient";
import { KubernetesApi } from "../../provider/kubernetes/kubernetesApi";
import { administrator } from "./support/administrator";
import { type EngineWorld, localSettings, startEngineWorld } from "./support/engineWorld";
import { terminateMachine } from "./support/terminateMachine";

const BOOTSTRAP = "pulumi-nodejs:dynamic/talos:MachineBootstrap";

interface StoredResource {
  readonly type: string;
  readonly urn: string;
}

/** The settings of the stack `local`, with one machine in a zone. */
async function settings(zone: string, more: object = {}): Promise<string> {
  const { config } = parse(await localSettings()) as { config: object };
  return stringify({
    config: {
      ...config,
      "talos-aws:controlPlane": { machineCount: 1, machines: { "1": { zone } } },
      "talos-aws:addOns": { etcdBackup: { agePublicKey: "none" } },
      ...more,
    },
  });
}

// As docs/backup.md says it. Each test goes on where the one before it ended.
describe("a cluster that lost its only control plane machine", () => {
  let world: EngineWorld;
  let snapshot: string;
  let before: string[];

  beforeAll(async () => {
    world = await startEngineWorld({ settings: await settings("us-east-1a") });
    snapshot = join(world.stateDir, "etcd.snapshot");
    const { outputs } = await world.stack.up(world.record);
    before = await kubernetesNodes(String(outputs.kubeconfig?.value));
    await takeSnapshot();
  }, 240_000);

  afterAll(async () => {
    await world.close();
  }, 60_000);

  it("is taken note of by a refresh", async () => {
    const [node] = world.emulator.nodes();
    await terminateMachine(world, node?.instanceId ?? "");
    await world.stack.refresh(world.record);
    expect((await stored()).filter(({ type }) => type === "aws:ec2/instance:Instance")).toEqual([]);
  }, 120_000);

  it("is restored from a snapshot by the next up, when the bootstrap is made anew", async () => {
    const [bootstrap] = (await stored()).filter(({ type }) => type === BOOTSTRAP);
    const recoverFrom = { "talos-aws:recoverFrom": { path: snapshot } };
    // Another place has another address, so that Kubernetes' nodes tell what etcd began with.
    const stack = await world.withSettings(await settings("us-east-1b", recoverFrom));
    const { outputs } = await stack.up({ ...world.record, replace: [bootstrap?.urn ?? ""] });
    const nodes = await kubernetesNodes(String(outputs.kubeconfig?.value));
    expect(nodes).toEqual(expect.arrayContaining(before));
    expect(nodes.length).toBeGreaterThan(before.length);
  }, 240_000);

  it("needs the snapshot no longer then", async () => {
    const stack = await world.withSettings(await settings("us-east-1b"));
    const { changeSummary } = await stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  }, 60_000);

  it("refuses what is no snapshot, in a preview", async () => {
    await writeFile(snapshot, "nothing");
    const [bootstrap] = (await stored()).filter(({ type }) => type === BOOTSTRAP);
    const recoverFrom = { "talos-aws:recoverFrom": { path: snapshot } };
    const stack = await world.withSettings(await settings("us-east-1b", recoverFrom));
    const preview = stack.preview({ ...world.record, replace: [bootstrap?.urn ?? ""] });
    await expect(preview).rejects.toThrow(/there is no snapshot of etcd in/);
  }, 60_000);

  async function stored(): Promise<StoredResource[]> {
    const exported = await world.stack.exportStack();
    return (exported.deployment as { resources?: StoredResource[] }).resources ?? [];
  }

  async function takeSnapshot(): Promise<void> {
    const endpoint = world.emulator.nodes()[0]?.address ?? "";
    const credentials = await administrator(world.stack);
    const client = TalosClient.connect({ node: endpoint, endpoint, credentials });
    const pieces: Uint8Array[] = [];
    for await (const piece of client.etcdSnapshot()) {
      pieces.push(piece);
    }
    client.close();
    await writeFile(snapshot, Buffer.concat(pieces), { mode: 0o600 });
  }

  async function kubernetesNodes(kubeconfig: string): Promise<string[]> {
    const address = world.emulator.nodes()[0]?.address ?? "";
    const list = JSON.parse(
      await new KubernetesApi(kubeconfig).get("/api/v1/nodes", {
        address,
        port: 6443,
        timeoutMs: 10_000,
      }),
    ) as { items: { metadata: { name: string } }[] };
    return list.items.map(({ metadata }) => metadata.name);
  }
});
