import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { EtcdCluster } from "../../../../emulator/talos/etcd/etcdCluster";
import { writeSnapshot } from "../../../../emulator/talos/etcd/etcdSnapshot";
import { UNKNOWN } from "../../../../provider/base/unknown";
import { checkEtcdSnapshotFile } from "../../../../provider/lifecycle/etcd/etcdSnapshotFile";

const whole = writeSnapshot(new EtcdCluster(() => undefined));
const hashBytes = 32;

let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "etcd-snapshot-"));
});
afterAll(async () => {
  await rm(folder, { recursive: true, force: true });
});

/** Why the file is no snapshot; undefined when it is one. */
async function reasonOf(content: Buffer, skipHashCheck?: boolean): Promise<string | undefined> {
  const path = join(folder, "db.snapshot");
  await writeFile(path, content, { mode: 0o600 });
  const source = { path, ...(skipHashCheck !== undefined && { skipHashCheck }) };
  const failures = await checkEtcdSnapshotFile(source);
  expect(failures.length).toBeLessThan(2);
  return failures[0]?.reason.replace(`there is no snapshot of etcd in "${path}": `, "");
}

function changed(content: Buffer, offset: number): Buffer {
  const copy = Buffer.from(content);
  copy.writeUInt8(copy.readUInt8(offset) ^ 0xff, offset);
  return copy;
}

describe("checkEtcdSnapshotFile", () => {
  it("accepts a snapshot as etcd sends it, and no snapshot", async () => {
    expect(await reasonOf(whole)).toBeUndefined();
    expect(await reasonOf(whole, true)).toBeUndefined();
    expect(await checkEtcdSnapshotFile(undefined)).toEqual([]);
    expect(await checkEtcdSnapshotFile(UNKNOWN)).toEqual([]);
  });

  it("detects any damage by the checksum", async () => {
    const damaged = "it is damaged: its checksum does not match";
    expect(await reasonOf(changed(whole, whole.length >> 1))).toBe(damaged);
    expect(await reasonOf(changed(whole, whole.length - 1))).toBe(damaged);
  });

  it("accepts one without a checksum only on request", async () => {
    const copy = whole.subarray(0, -hashBytes);
    expect(await reasonOf(copy)).toMatch(/^it has no checksum: .* skipHashCheck/);
    expect(await reasonOf(copy, true)).toBeUndefined();
    expect(await reasonOf(whole.subarray(0, 9_000))).toMatch(
      /^it has no checksum: it is incomplete/,
    );
  });

  it.each([true, false])(
    "rejects a file that is not a database, skipHashCheck %s",
    async (skip) => {
      for (const content of [Buffer.alloc(0), Buffer.from("kind: Pod\n"), Buffer.alloc(1_056)]) {
        expect(await reasonOf(content, skip)).toBe("it is not an etcd database");
      }
    },
  );

  it("says why a file can't be read", async () => {
    const path = join(folder, "none");
    expect(await checkEtcdSnapshotFile({ path })).toEqual([
      {
        property: "recoverFrom",
        reason: `there is no snapshot of etcd in "${path}": the file does not exist`,
      },
    ]);
    expect(await checkEtcdSnapshotFile({ path: folder })).toEqual([
      {
        property: "recoverFrom",
        reason: `there is no snapshot of etcd in "${folder}": it is a folder`,
      },
    ]);
  });

  it.each([
    ["db.snapshot"],
    [{}],
    [{ path: "" }],
    [{ path: "a", skipHashCheck: "yes" }],
    [{ path: "a", skipHash: true }],
    [null],
  ])("rejects %j, and says what to give", async (source) => {
    const [failure] = await checkEtcdSnapshotFile(source);
    expect(failure?.reason).toContain(`${JSON.stringify(source)} is no snapshot: give { path:`);
  });
});
