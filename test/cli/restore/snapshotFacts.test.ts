import { createHash } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { stringify } from "yaml";
import { readSnapshotFacts } from "../../../cli/restore/snapshotFacts";
import { EtcdCluster } from "../../../emulator/talos/etcd/etcdCluster";
import { writeSnapshot } from "../../../emulator/talos/etcd/etcdSnapshot";
import { sharedSecrets } from "../../provider/pki/sharedSecrets";

let folder: string;
let authority: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "talos-aws-snapshot-facts-"));
  const { certs } = await sharedSecrets();
  authority = Buffer.from(certs.k8s.crt, "base64").toString();
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The snapshot of a cluster with this authority; none for one whose Kubernetes never ran. */
function snapshotOf(pem: string | undefined): string {
  const path = join(folder, "etcd.snapshot");
  const etcd = new EtcdCluster(() => undefined);
  if (pem !== undefined) {
    etcd.kubernetes.publishRootCa(pem);
  }
  writeFileSync(path, writeSnapshot(etcd));
  return path;
}

function kubeconfigOf(pem: string): string {
  const data = Buffer.from(pem).toString("base64");
  return stringify({ clusters: [{ cluster: { "certificate-authority-data": data } }] });
}

describe("readSnapshotFacts", () => {
  it("identifies the cluster of a snapshot by the CA of its Kubernetes API", async () => {
    const other = authority.replace(/M[A-Za-z]{3}/, "MIIx");
    const of = async (pem: string | undefined, kubeconfig?: string) =>
      (await readSnapshotFacts({ path: snapshotOf(pem) }, kubeconfig)).cluster;
    expect(await of(authority, kubeconfigOf(authority))).toBe("this");
    expect(await of(authority, kubeconfigOf(`${other}${authority}`))).toBe("this");
    expect(await of(authority, kubeconfigOf(other))).toBe("another");
    expect(await of(undefined, kubeconfigOf(authority))).toBe("unknown");
    expect(await of(authority)).toBe("unknown");
  });

  it("returns the size and the hash", async () => {
    const path = snapshotOf(authority);
    const facts = await readSnapshotFacts({ path }, undefined);
    const bytes = writeSnapshot(new EtcdCluster(() => undefined));
    expect(facts).toMatchObject({ path, skipHashCheck: false });
    expect(facts.bytes).toBeGreaterThanOrEqual(bytes.length);
    expect(facts.sha256).toMatch(/^[0-9a-f]{64}$/);
  });

  it("rejects a truncated snapshot, except a copy of etcd's database file", async () => {
    const path = join(folder, "db");
    const whole = writeSnapshot(new EtcdCluster(() => undefined));
    writeFileSync(path, whole.subarray(0, -32));
    await expect(readSnapshotFacts({ path }, undefined)).rejects.toThrow("it has no checksum");
    const facts = await readSnapshotFacts({ path, skipHashCheck: true }, undefined);
    expect(facts.sha256).toBe(createHash("sha256").update(whole.subarray(0, -32)).digest("hex"));
  });
});
