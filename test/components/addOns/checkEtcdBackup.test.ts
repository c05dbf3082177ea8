import type { EtcdBackupAddOn } from "../../../components/addOns/etcdBackup/etcdBackupAddOn";
import type { TalosClusterArgs } from "../../../components/cluster/arguments/talosClusterArgs";
import { standardCluster } from "../cluster/standardCluster";
import { checkedAddOns } from "./checkedAddOns";

const KEY = "age1khpnnl86pzx96ttyjmldptsl5yn2v9jgmmzcjcufvk00ttkph9zs0ytgec";

function problems(etcdBackup: EtcdBackupAddOn, change: Partial<TalosClusterArgs> = {}): string[] {
  const args = { ...standardCluster, ...change, addOns: { etcdBackup } };
  return checkedAddOns(args);
}

describe("the checks of etcd's snapshots", () => {
  it("accept valid settings", () => {
    expect(problems({ agePublicKey: "none" })).toEqual([]);
    expect(
      problems({
        agePublicKey: KEY,
        schedule: "@hourly",
        bucketName: "backups",
        kmsKeyArn: "arn:aws:kms:us-east-1:123456789012:key/a-b",
        retentionDays: 1,
        image: `example.com/talos-backup@sha256:${"0".repeat(64)}`,
      }),
    ).toEqual([]);
    expect(problems({ agePublicKey: KEY, bucketName: "theirs", adopt: true })).toEqual([]);
  });

  it("report all problems at once", () => {
    const told = problems(
      {
        agePublicKey: "age1short",
        schedule: "0 25 * * *",
        bucketName: "My.Bucket",
        kmsKeyArn: "alias/mine",
        retentionDays: 0,
        adopt: true,
        image: "ghcr.io/siderolabs/talos-backup:latest",
      },
      { controlPlane: { role: { none: true, permissions: { etcdBackupArn: "arn:aws:s3:::a" } } } },
    );
    expect(told.map((line) => line.replace(/: .*/, ""))).toEqual([
      "addOns.etcdBackup.agePublicKey",
      "addOns.etcdBackup.schedule",
      "addOns.etcdBackup.bucketName",
      "addOns.etcdBackup.kmsKeyArn",
      "addOns.etcdBackup.retentionDays",
      "addOns.etcdBackup.retentionDays",
      "addOns.etcdBackup.image",
      "addOns.etcdBackup",
      "addOns.etcdBackup",
    ]);
    expect(told[2]).toContain('"My.Bucket" is no name for a bucket: 3 to 63 lower-case letters');
  });

  it("never quote a possible private key", () => {
    const secret = "AGE-SECRET-KEY-1QQQQ";
    expect(problems({ agePublicKey: secret }).join()).toContain("this is no age public key");
    expect(problems({ agePublicKey: secret }).join()).not.toContain(secret);
  });

  it("require a name if the generated one is too long", () => {
    const domain = `${"a".repeat(50)}.example.com`;
    expect(problems({ agePublicKey: "none" }, { domain })).toEqual([
      expect.stringMatching(/bucketName: .*made of environment and domain: give one$/),
    ]);
    expect(problems({ agePublicKey: "none", bucketName: "short" }, { domain })).toEqual([]);
  });
});
