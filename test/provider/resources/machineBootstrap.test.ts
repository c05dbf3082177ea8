import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { TalosClient } from "../../../provider/api/talosClient";
import { sha256OfFile } from "../../../provider/lifecycle/etcd/etcdSnapshotFile";
import { machineBootstrapHandler as handler } from "../../../provider/resources/machineBootstrap";
import { eventually, SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { machineAt } from "../lifecycle/deliveries";
import { recordedProgress, silent } from "../progress";
import { steppingIt } from "../steppingClock";

const clusters: SimulatedCluster[] = [];
let folder: string;
let snapshot: string;

/** The snapshot of a cluster that has a worker, `ip-10-0-1-2`. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "machine-bootstrap-"));
  snapshot = join(folder, "db.snapshot");
  const lost = await newCluster();
  const first = await lost.add(lost.config("controlplane"));
  await lost.add(lost.config("worker"));
  await lost.bootstrap(first, 1);
  await eventually(() => nodesOf(lost).length === 2);
  const client = TalosClient.connect(await machineAt(lost, first.address));
  const pieces: Uint8Array[] = [];
  for await (const piece of client.etcdSnapshot()) {
    pieces.push(piece);
  }
  client.close();
  await writeFile(snapshot, Buffer.concat(pieces), { mode: 0o600 });
});
afterAll(async () => {
  await Promise.all(clusters.map((cluster) => cluster.stop()));
  await rm(folder, { recursive: true, force: true });
});

async function newCluster(): Promise<SimulatedCluster> {
  const cluster = await SimulatedCluster.create({ joinMs: 50 });
  clusters.push(cluster);
  return cluster;
}

/** A control plane machine whose etcd waits, and what is told of its bootstrap. */
async function waiting() {
  const cluster = await newCluster();
  const node = await cluster.add(cluster.config("controlplane"));
  const inputs = { ...(await machineAt(cluster, node.address)), peers: [], timeoutSeconds: 600 };
  return { cluster, node, inputs };
}

/** The nodes that Kubernetes knows. */
function nodesOf({ world, endpoint }: SimulatedCluster): string[] {
  const nodes = world.kubernetesOf(endpoint)?.nodes ?? [];
  return nodes.map(({ name }) => name);
}

describe("the handler of MachineBootstrap", () => {
  steppingIt("starts etcd from a snapshot, once", async () => {
    const { cluster, node, inputs } = await waiting();
    const news = { ...inputs, recoverFrom: { path: snapshot } };
    expect(await handler.check(undefined, news)).toEqual({ inputs: news, failures: [] });
    const { id, state } = await handler.create(news, silent);
    // The API server opens a moment after etcd is healthy.
    await eventually(() => nodesOf(cluster).includes("ip-10-0-1-2"));
    expect(node.node.bootstrapCalls).toBe(1);
    expect(handler.diff(id, state, inputs)).toEqual({ changes: false });

    const progress = recordedProgress();
    await handler.create(news, progress);
    expect(progress.warnings).toEqual([
      `etcd on ${node.address} was running already: this run did not recover it from the snapshot`,
    ]);
    expect(node.node.bootstrapCalls).toBe(1);
  });

  steppingIt("starts an empty etcd otherwise", async () => {
    const { cluster, inputs } = await waiting();
    await handler.create(inputs, silent);
    expect(nodesOf(cluster)).not.toContain("ip-10-0-1-2");
  });

  steppingIt(
    "rejects a bad snapshot before its creation, and ignores the file afterwards",
    async () => {
      const { inputs } = await waiting();
      const path = join(folder, "none");
      const news = { ...inputs, recoverFrom: { path }, timeoutSeconds: -1 };
      const { failures } = await handler.check(undefined, news);
      expect(failures.map(({ property }) => property)).toEqual(["timeoutSeconds", "recoverFrom"]);
      const later = { ...inputs, recoverFrom: { path } };
      expect((await handler.check(later, later)).failures).toEqual([]);
    },
  );

  steppingIt("continues a restore until etcd is back", async () => {
    const { cluster, node, inputs } = await waiting();
    const sha256 = await sha256OfFile(snapshot);
    const at = "2026-11-23T20:00:00.000Z";
    const restoring = { path: snapshot, sha256, skipHashCheck: false, at };
    const wiping = { node: "10.0.0.1", restoring: { ...restoring, phase: "wiping" as const } };
    expect(handler.diff("", wiping, inputs)).toEqual({ changes: true });
    await expect(handler.update("", wiping, inputs, silent)).rejects.toThrow(
      `machines may still hold the old etcd: continue it with "talos-aws restore <stack> --from <file>"`,
    );
    expect(node.node.bootstrapCalls).toBe(0);

    const recovering = { ...wiping, restoring: { ...restoring, phase: "recovering" as const } };
    const elsewhere = { ...recovering.restoring, path: join(folder, "elsewhere") };
    await expect(
      handler.update("", { ...recovering, restoring: elsewhere }, inputs, silent),
    ).rejects.toThrow(
      /is not complete: the snapshot isn't in ".*elsewhere": the file does not exist/,
    );
    const changed = { ...recovering.restoring, sha256: "0" };
    await expect(
      handler.update("", { ...recovering, restoring: changed }, inputs, silent),
    ).rejects.toThrow("the file has changed");
    expect(node.node.bootstrapCalls).toBe(0);

    const done = { node: node.address, restored: { sha256, at } };
    expect(await handler.update("", recovering, inputs, silent)).toEqual(done);
    await eventually(() => nodesOf(cluster).includes("ip-10-0-1-2"));
    expect(handler.diff("", done, inputs)).toEqual({ changes: false });
    // As after a run that was killed before it recorded that: also without the file.
    const progress = recordedProgress();
    const again = { ...recovering, restoring: elsewhere };
    const lost = { ...again, restoring: { ...elsewhere, phase: "recovering" as const } };
    expect(await handler.update("", lost, inputs, progress)).toEqual(done);
    expect(progress.warnings).toEqual([]);
    expect(node.node.bootstrapCalls).toBe(1);
  });

  steppingIt("shows the machine's error about an unusable snapshot", async () => {
    const { node, inputs } = await waiting();
    const path = join(folder, "no.snapshot");
    await writeFile(path, "no database");
    await expect(handler.create({ ...inputs, recoverFrom: { path } }, silent)).rejects.toThrow(
      new RegExp(
        `machine ${node.address} can't recover etcd from ".*no.snapshot": Failed to run pre stage: error verifying snapshot`,
      ),
    );
  });
});
