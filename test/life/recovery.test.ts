import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parse, stringify } from "yaml";
import { TalosClient } from "../../provider/api/talosClient";
import { FORMER_RELEASES } from "../../provider/config/releases/newestReleases";
import { KubernetesApi, type KubernetesRequest } from "../../provider/kubernetes/kubernetesApi";
import { eventually } from "../emulator/support/eventually";
import { administrator } from "../engine/support/administrator";
import { type EngineWorld, localSettings, startEngineWorld } from "../engine/support/engineWorld";
import { lifeSteps } from "../engine/support/lifeSteps";
import { outputsIn, storedResources } from "../engine/support/storedResources";
import { terminateMachine } from "../engine/support/terminateMachine";

const CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";
const BOOTSTRAP = "pulumi-nodejs:dynamic/talos:MachineBootstrap";

/** With what the add-on for backups of etcd sets, all that a role can be given. */
const role = {
  permissions: {
    cloudController: true,
    ebsCsi: true,
    ecrPull: true,
    clusterAutoscaler: true,
  },
};

/** The last releases whose API servers load balancers can ask. */
const releases = Object.entries(FORMER_RELEASES).map(([name, value]) => [
  `talos-aws:${name}`,
  value,
]);

/** The settings of the stack `local`, with one machine in a zone. */
async function settings(zone: string, more: object = {}): Promise<string> {
  const { config } = parse(await localSettings()) as { config: object };
  return stringify({
    config: {
      ...config,
      ...(Object.fromEntries(releases) as object),
      "talos-aws:exposure": "both",
      "talos-aws:apiHealthCheck": "answering",
      "talos-aws:controlPlane": { machineCount: 1, machines: { "1": { zone } }, role },
      "talos-aws:addOns": { etcdBackup: { agePublicKey: "none" } },
      ...more,
    },
  });
}

// One cluster's life: each test goes on where the one before it ended.
describe("a cluster of one machine behind a public and an internal load balancer", () => {
  const step = lifeSteps();
  let world: EngineWorld;
  let snapshot: string;
  let before: string[];

  beforeAll(async () => {
    world = await startEngineWorld({ settings: await settings("us-east-1a") });
    snapshot = join(world.stateDir, "etcd.snapshot");
  });

  afterAll(() => world.close());

  step("is created, and its name resolves to the internal one", async () => {
    await world.stack.up(world.record);
    const { endpoint, loadBalancerDnsName } = outputsIn(await stored());
    expect(endpoint).toBe("https://k8s.local.talos.example:6443");
    const [address] = await world.emulator.resolve("k8s.local.talos.example");
    const [open] = await world.emulator.resolve(String(loadBalancerDnsName));
    // The emulated DNS asks from inside the network.
    expect(address).toMatch(/^127\./);
    expect(address).not.toBe(open);
    before = await kubernetesNodes();
    const metadata = { name: "kept" };
    const body = { apiVersion: "v1", kind: "ConfigMap", metadata, data: { color: "green" } };
    await askKubernetes({ method: "POST", path: CONFIG_MAPS, body });
  });

  step("needs no change afterwards", async () => {
    const { changeSummary } = await world.stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  // As docs/backup.md says it.
  step("is found by a refresh to have lost its only machine", async () => {
    await takeSnapshot();
    const [node] = world.emulator.nodes();
    await terminateMachine(world, node?.instanceId ?? "");
    await world.stack.refresh(world.record);
    expect((await stored()).filter(({ type }) => type === "aws:ec2/instance:Instance")).toEqual([]);
  });

  step("is restored from a snapshot by the next up, if the bootstrap is replaced", async () => {
    const [bootstrap] = (await stored()).filter(({ type }) => type === BOOTSTRAP);
    const recoverFrom = { "talos-aws:recoverFrom": { path: snapshot } };
    // Another place has another address: the node of the machine that is gone goes, too.
    const stack = await world.withSettings(await settings("us-east-1b", recoverFrom));
    await stack.up({ ...world.record, replace: [bootstrap?.urn ?? ""] });
    const kept = { data: { color: "green" } };
    expect(await askKubernetes({ method: "GET", path: `${CONFIG_MAPS}/kept` })).toMatchObject(kept);
    const nodes = await kubernetesNodes();
    expect(nodes).toHaveLength(1);
    expect(before).not.toContain(nodes[0]);
  });

  step("does not need the snapshot afterwards", async () => {
    const stack = await world.withSettings(await settings("us-east-1b"));
    const { changeSummary } = await stack.preview(world.record);
    expect(Object.keys(changeSummary)).toEqual(["same"]);
  });

  step("rejects an invalid snapshot in a preview", async () => {
    await writeFile(snapshot, "nothing");
    const [bootstrap] = (await stored()).filter(({ type }) => type === BOOTSTRAP);
    const recoverFrom = { "talos-aws:recoverFrom": { path: snapshot } };
    const stack = await world.withSettings(await settings("us-east-1b", recoverFrom));
    const preview = stack.preview({ ...world.record, replace: [bootstrap?.urn ?? ""] });
    await expect(preview).rejects.toThrow(/there is no snapshot of etcd in/);
  });

  step("is destroyed, and leaves nothing behind", async () => {
    const stack = await world.withSettings(await settings("us-east-1b"));
    await stack.destroy(world.record);
    await eventually(() => expect(world.emulator.nodes()).toEqual([]), 120_000);
  });

  const stored = () => storedResources(world.stack);

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

  /** Asks the machine's API server, as the state's kubeconfig lets in. */
  async function askKubernetes(request: KubernetesRequest): Promise<unknown> {
    const { kubeconfig } = outputsIn(await stored());
    const { plaintext } = kubeconfig as { readonly plaintext: string };
    const api = new KubernetesApi(JSON.parse(plaintext) as string);
    const address = world.emulator.nodes()[0]?.address ?? "";
    return JSON.parse(await api.send(request, { address, port: 6443, timeoutMs: 60_000 }));
  }

  async function kubernetesNodes(): Promise<string[]> {
    const list = (await askKubernetes({ method: "GET", path: "/api/v1/nodes" })) as {
      readonly items: readonly { readonly metadata: { readonly name: string } }[];
    };
    return list.items.map(({ metadata }) => metadata.name);
  }
});
