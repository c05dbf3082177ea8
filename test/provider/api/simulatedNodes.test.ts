import { TalosClient, type NodesClient } from "../../../provider/api/talosClient";
import { talosResources } from "../../../provider/api/talosResources";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { failureOf } from "./clientBench";

let cluster: SimulatedCluster;
let first: string;
let second: string;
let controlPlane: TalosClient;
let worker: TalosClient;
let both: NodesClient;

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
  const [a, b] = await cluster.addConfigured(1, 1);
  if (!a || !b) {
    throw new Error("the nodes are missing");
  }
  [first, second] = [a.address, b.address];
  await cluster.bootstrap(a, 1);
  controlPlane = TalosClient.connect(await machineAt(cluster, first));
  worker = TalosClient.connect(await machineAt(cluster, second));
  both = controlPlane.onNodes([second, first]);
});
afterAll(() => cluster.stop());

async function take<T>(items: AsyncIterable<T>, count = Infinity): Promise<T[]> {
  const taken: T[] = [];
  for await (const item of items) {
    taken.push(item);
    if (taken.length >= count) {
      break;
    }
  }
  return taken;
}

describe("the client on simulated nodes", () => {
  it("asks several nodes", async () => {
    const versions = await both.version();
    expect(versions.map(({ node }) => node)).toEqual([second, first]);
    expect(versions.every(({ value }) => value?.tag.startsWith("v1."))).toBe(true);
    const members = await both.etcdMembers();
    expect(members.map(({ error }) => error?.code)).toEqual(["unimplemented", undefined]);
    const services = await both.services();
    expect(services[0]?.value?.map(({ id }) => id)).toContain("kubelet");
  });

  it("reads nodes' information", async () => {
    expect(await controlPlane.bootId()).not.toBe(await worker.bootId());
    expect((await controlPlane.mounts()).map(({ target }) => target)).toContain("/var");
    expect((await failureOf(controlPlane.readFile("/nope"))).code).toBe("notFound");
  });

  it("reads logs and events", async () => {
    expect(await take(controlPlane.logs({ id: "machined", tailLines: 2 }))).toHaveLength(2);
    expect((await failureOf(take(controlPlane.logs({ id: "nope" })))).code).toBe("unknown");
    const [event] = await take(controlPlane.events({ tailEvents: -1 }), 1);
    expect(event?.payload.kind).toBeDefined();
  });

  it("reads and maintains etcd", async () => {
    const [member] = await controlPlane.etcdMembers();
    expect(await controlPlane.etcdStatus()).toMatchObject({ leaderId: member?.id });
    expect(await controlPlane.etcdAlarms()).toEqual([]);
    expect((await failureOf(controlPlane.etcdRemoveMember("1"))).code).toBe("notFound");
    expect(Buffer.concat(await take(controlPlane.etcdSnapshot())).length).toBeGreaterThan(1000);
  });

  it("reads every known type of resource", async () => {
    for (const client of [controlPlane, worker]) {
      for (const kind of Object.values(talosResources)) {
        await client.listTyped<unknown>(kind);
      }
    }
    const volumes = await controlPlane.listTyped(talosResources.volumeStatus);
    expect(volumes.map(({ id }) => id)).toEqual(expect.arrayContaining(["STATE", "EPHEMERAL"]));
    const members = await worker.listTyped(talosResources.member);
    expect(members.map(({ spec }) => spec.nodeType).sort()).toEqual(["controlplane", "worker"]);
    const status = await controlPlane.getTyped(talosResources.machineStatus);
    expect(["booting", "running"]).toContain(status.spec.stage);
  });
});
