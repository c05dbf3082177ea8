import { EtcdBackup, type EtcdBackupArgs, TalosCluster } from "../../../components";
import { fullestCluster } from "../fullestCluster";
import { build } from "../mockedGraph";

const bucketOf = async (args: Partial<EtcdBackupArgs> = {}) =>
  (await build(() => new EtcdBackup("b", { bucketName: "backups", ...args }))).graph;
const ENCRYPTION =
  "aws:s3/bucketServerSideEncryptionConfiguration:BucketServerSideEncryptionConfiguration";
const LIFECYCLE = "aws:s3/bucketLifecycleConfiguration:BucketLifecycleConfiguration";

describe("EtcdBackup", () => {
  it("creates an encrypted, private, versioned bucket that deletes old snapshots", async () => {
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

  it("encrypts with the given key, and keeps snapshots for the given time", async () => {
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

  it("does not change an existing bucket", async () => {
    const graph = await bucketOf({ adopt: true });
    expect(graph.resources.map(({ type }) => type)).toEqual(["talos-aws:index:EtcdBackup"]);
  });

  it("rejects invalid arguments", () => {
    expect(() => new EtcdBackup("b", { bucketName: "B", retentionDays: 0.5 })).toThrow(
      /the backup "b" can't be made[^]*bucketName: "B"[^]*retentionDays: 0.5/,
    );
  });

  it("gives a cluster's machines a manifest to run and permission to write", async () => {
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
