import { mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { takeSnapshot } from "../../../cli/backup/takeSnapshot";
import { CommandFailure } from "../../../cli/commandFailure";
import { checkEtcdSnapshotFile } from "../../../provider/lifecycle/etcd/etcdSnapshotFile";
import { SimulatedCluster } from "../../emulator/talos/simulatedCluster";
import { issueCredentials } from "../../provider/api/testPki";

let cluster: SimulatedCluster;
let folder: string;
let access: Parameters<typeof takeSnapshot>[0];
let addresses: string[];

beforeAll(async () => {
  cluster = await SimulatedCluster.create();
  const nodes = await cluster.addConfigured(3);
  const [first] = nodes;
  if (first === undefined) {
    throw new Error("there is no machine");
  }
  await cluster.bootstrap(first, 3);
  addresses = nodes.map(({ address }) => address);
  access = {
    machines: nodes.map(({ address, privateAddress, instanceId }, index) => ({
      name: `c-control-plane-${index + 1}`,
      role: "controlplane",
      zone: "us-east-1a",
      instanceId,
      publicAddress: address,
      privateAddress,
    })),
    endpoints: addresses,
    credentials: await issueCredentials(cluster.secrets.certs.os),
    kubeconfig: undefined,
  };
});

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "talos-aws-backup-"));
});

afterEach(() => rmSync(folder, { recursive: true, force: true }));

afterAll(() => cluster.stop());

/** Takes one, and says what was reported. */
async function take(file = "etcd.snapshot", from = access) {
  const lines: string[] = [];
  const path = join(folder, file);
  const taken = await takeSnapshot(from, path, (line) => lines.push(line)).catch(
    (error: unknown) => error,
  );
  return { taken, path, lines };
}

describe("takeSnapshot", () => {
  it("creates the folder and writes a whole snapshot that only its owner can read", async () => {
    const { taken, path, lines } = await take("backups/etcd.snapshot");
    const { size, mode } = statSync(path);
    expect(taken).toEqual({ machine: "c-control-plane-1", bytes: size });
    expect(mode & 0o777).toBe(0o600);
    expect(await checkEtcdSnapshotFile({ path })).toEqual([]);
    expect(lines).toEqual([]);
    expect(readdirSync(join(folder, "backups"))).toEqual(["etcd.snapshot"]);
  });

  it("asks the next machine if one is unreachable", async () => {
    const fault = await cluster.faults.inject({ kind: "refuse", machine: addresses[0] ?? "" });
    const { taken, lines } = await take();
    await fault.lift();
    expect(taken).toMatchObject({ machine: "c-control-plane-2" });
    expect(lines).toEqual([expect.stringContaining("c-control-plane-1: ")]);
  });

  it("never overwrites a file", async () => {
    writeFileSync(join(folder, "etcd.snapshot"), "another");
    const { taken } = await take();
    expect(taken).toBeInstanceOf(CommandFailure);
    expect(String(taken)).toContain("exists already: name another file with --file");
    expect(readdirSync(folder)).toEqual(["etcd.snapshot"]);
  });

  it("leaves no file if no machine could send a snapshot", async () => {
    const faults = await Promise.all(
      addresses.map((machine) => cluster.faults.inject({ kind: "refuse", machine })),
    );
    const { taken, lines } = await take();
    await Promise.all(faults.map((fault) => fault.lift()));
    expect(String(taken)).toContain("none of 3 control plane machines could send a snapshot");
    expect(lines).toHaveLength(3);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("leaves no file if the snapshot is cut off", async () => {
    const faults = await Promise.all(
      addresses.map((machine) =>
        cluster.faults.inject({
          kind: "resetMidCall",
          machine,
          parameters: { method: "EtcdSnapshot", times: 10 },
        }),
      ),
    );
    const { taken } = await take();
    await Promise.all(faults.map((fault) => fault.lift()));
    expect(taken).toBeInstanceOf(CommandFailure);
    expect(readdirSync(folder)).toEqual([]);
  });
});
