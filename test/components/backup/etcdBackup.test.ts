import { EtcdBackup, type EtcdBackupArgs, TalosCluster } from "../../../components";
import { fullestCluster } from "../fullestCluster";
import { build } from "../mockedGraph";

const bucketOf = async (args: Partial<EtcdBackupArgs> = {}) =>
  (await build(() => new EtcdBackup("b", { bucketName: "backups", ...args }))).graph;
const ENCRYPTION =
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration";
const LIFECYCLE = "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration";

describe("EtcdBackup", () => {
  it("makes a bucket that is encrypted, closed, versioned and emptied of what is old", async () => {
    const graph = await bucketOf({ protect: true, tags: { team: "us" } });
    const bucket = graph.named("aws:s3/bucket:Bucket", "b");
    expect(bucket).toMatchObject({
      protect: true,
      inputs: { bucket: "backups", tags: { Name: "b", team: "us" } },
    });
    expect(bucket.inputs).not.toHaveProperty("forceDestroy");
    expect(graph.named(ENCRYPTION, "b").inputs.rules).toEqual([
      { applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } },
    ]);
    expect(graph.named(LIFECYCLE, "b").inputs.rules).toMatchObject([
      { expiration: { days: 30 }, noncurrentVersionExpiration: { noncurrentDays: 7 } },
    ]);
    expect(graph.named("aws:s3/bucketPolicy:BucketPolicy", "b").inputs.policy).toContain(
      '"aws:SecureTransport":"false"',
    );
  });

  it("encrypts with a key of yours, and keeps snapshots as long as you say", async () => {
    const kmsKeyArn = "arn:aws:kms:us-east-1:123456789012:key/a-b";
    const graph = await bucketOf({ kmsKeyArn, retentionDays: 7 });
    expect(graph.named(ENCRYPTION, "b").inputs.rules).toEqual([
      {
        applyServerSideEncryptionByDefault: { sseAlgorithm: "aws:kms", kmsMasterKeyId: kmsKeyArn },
        bucketKeyEnabled: true,
      },
    ]);
    expect(graph.named(LIFECYCLE, "b").inputs.rules).toMatchObject([{ expiration: { days: 7 } }]);
  });

  it("leaves a bucket that is there as it is", async () => {
    const graph = await bucketOf({ adopt: true });
    expect(graph.resources.map(({ type }) => type)).toEqual(["talos-aws:index:EtcdBackup"]);
  });

  it("refuses what can't be", () => {
    expect(() => new EtcdBackup("b", { bucketName: "B", retentionDays: 0.5 })).toThrow(
      /the backup "b" can't be made[^]*bucketName: "B"[^]*retentionDays: 0.5/,
    );
  });

  it("is in a cluster what its machines may write to, and run", async () => {
    const kmsKeyArn = "arn:aws:kms:us-east-1:123456789012:key/a-b";
    const { graph } = await build(
      () =>
        new TalosCluster("c", {
          ...fullestCluster,
          addOns: { etcdBackup: { agePublicKey: "none", kmsKeyArn } },
        }),
    );
    const bucket = graph.named("aws:s3/bucket:Bucket", "c-etcd-backup").inputs.bucket;
    expect(bucket).toBe("production-example-com-etcd");
    const { Statement } = JSON.parse(
      String(graph.named("aws:iam/rolePolicy:RolePolicy", "c-control-plane-policy").inputs.policy),
    ) as { Statement: { Sid: string; Resource: unknown; Condition?: unknown }[] };
    const folder = "k8s.production.example.com";
    expect(Statement.filter(({ Sid }) => Sid.startsWith("EtcdBackup"))).toMatchObject([
      {
        Sid: "EtcdBackupList",
        Resource: `arn:aws:s3:::production-example-com-etcd`,
        Condition: { StringLike: { "s3:prefix": [folder, `${folder}/*`] } },
      },
      {
        Sid: "EtcdBackupWrite",
        Resource: `arn:aws:s3:::production-example-com-etcd/${folder}/*`,
      },
      { Sid: "EtcdBackupUseKey", Resource: kmsKeyArn },
    ]);
    const configuration = graph.named(
      "pulumi-nodejs:dynamic/talos:MachineConfiguration",
      "c-control-plane",
    ).inputs;
    expect(configuration).toMatchObject({
      features: {
        kubernetesTalosApiAccess: {
          allowedRoles: ["os:etcd:backup"],
          allowedKubernetesNamespaces: ["etcd-backup"],
        },
      },
    });
    const names = (configuration.inlineManifests as { name: string }[]).map(({ name }) => name);
    expect(names).toContain("etcd-backup");
  });
});
