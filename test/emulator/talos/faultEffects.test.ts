import { clusterIdentity } from "../../../provider/api/clientIdentity";
import { ConnectionPool } from "../../../provider/api/connectionPool";
import { parseEndpoint } from "../../../provider/api/endpoint";
import type { Time__Output } from "../../../provider/api/gen/time/Time";
import { NodeCaller } from "../../../provider/api/nodeCaller";
import { OneNode } from "../../../provider/api/oneNode";
import { protocol } from "../../../provider/api/protocol";
import { TalosClient } from "../../../provider/api/talosClient";
import { formatTimestamp } from "../../../provider/api/timestamp";
import { machineAt } from "../../provider/lifecycle/deliveries";
import { eventually, SimulatedCluster, type SimulatedNode } from "./simulatedCluster";

const clusters: SimulatedCluster[] = [];
const clients: TalosClient[] = [];

afterAll(async () => {
  for (const client of clients) {
    client.close();
  }
  await Promise.all(clusters.map((cluster) => cluster.stop()));
});

async function createCluster(): Promise<SimulatedCluster> {
  const cluster = await SimulatedCluster.create();
  clusters.push(cluster);
  return cluster;
}

function readLagMs({ localtime, remotetime }: Time__Output): number {
  const [local = "", remote = ""] = [formatTimestamp(localtime), formatTimestamp(remotetime)];
  return Date.parse(remote) - Date.parse(local);
}

async function clientOf(cluster: SimulatedCluster, node: SimulatedNode): Promise<TalosClient> {
  const client = TalosClient.connect(await machineAt(cluster, node.address));
  clients.push(client);
  return client;
}

describe("the visible effects of a fault", () => {
  it.each(["drop", "powerLoss"] as const)(
    "%s: KubeSpan peers report the machine down, and up again",
    async (kind) => {
      const cluster = await createCluster();
      const config = cluster.config("controlplane", [
        { machine: { network: { kubespan: { enabled: true } } } },
      ]);
      const [first, second, third] = [
        await cluster.add(config),
        await cluster.add(config),
        await cluster.add(config),
      ];
      const client = await clientOf(cluster, first);
      const states = async () => {
        const peers = await client.listResources({
          namespace: "kubespan",
          type: "KubeSpanPeerStatuses.kubespan.talos.dev",
        });
        const stateOf = ({ spec }: { readonly spec: string }) => ({
          label: /^label: (.+)$/m.exec(spec)?.[1],
          state: /^state: (.+)$/m.exec(spec)?.[1],
        });
        return peers.map(stateOf).sort((a, b) => ((a.label ?? "") < (b.label ?? "") ? -1 : 1));
      };
      const peer = (number: number, state: string) => ({
        label: `ip-10-0-1-${number}.ec2.internal`,
        state,
      });
      expect(await states()).toEqual([peer(2, "up"), peer(3, "up")]);
      const fault = await cluster.faults.inject({ kind, machine: second.address });
      expect(await states()).toEqual([peer(2, "down"), peer(3, "up")]);
      await fault.lift();
      expect(await states()).toEqual([peer(2, "up"), peer(3, "up")]);
      expect(third.node.stage).not.toBe("stopped");
    },
  );

  it("clockSkew: the machine reports its own time beside its time server's", async () => {
    const cluster = await createCluster();
    const node = await cluster.add(cluster.config("controlplane"));
    const { credentials } = await machineAt(cluster, node.address);
    const caller = new NodeCaller({
      endpoints: [parseEndpoint(node.address)],
      identity: clusterIdentity(credentials),
      pool: new ConnectionPool(),
    });
    const { Time } = protocol.time.TimeService.service;
    const lagMs = () => new OneNode(caller, node.address).ask(Time, {}, readLagMs, undefined);
    const lags = (byMs: number) => eventually(async () => Math.abs((await lagMs()) - byMs) < 1_000);
    await lags(0);
    const parameters = { byMs: -30_000 };
    const fault = await cluster.faults.inject({
      kind: "clockSkew",
      machine: node.address,
      parameters,
    });
    await lags(30_000);
    await fault.lift();
    await lags(0);
    caller.close();
  });

  it("diskFull: mounts of the disk have no free space", async () => {
    const cluster = await createCluster();
    const node = await cluster.add(cluster.config("controlplane"));
    const client = await clientOf(cluster, node);
    const left = async () =>
      (await client.mounts()).find(({ target }) => target === "/var")?.availableBytes;
    expect(await left()).toBeGreaterThan(0);
    const fault = await cluster.faults.inject({ kind: "diskFull", machine: node.address });
    expect(await left()).toBe(0);
    await fault.lift();
    expect(await left()).toBeGreaterThan(0);
  });
});
