import { DeleteObjectCommand, PutObjectCommand, S3Client } from "@aws-sdk/client-s3";
import type { Values } from "../../../../emulator/aws/plugin/value";
import { startSubstituteWorld, type SubstituteWorld } from "./substituteWorld";

const BUCKET = "aws:s3/bucket:Bucket";
const KEY = "aws:kms/key:Key";
const ALIAS = "aws:kms/alias:Alias";
const LOG_GROUP = "aws:cloudwatch/logGroup:LogGroup";

/** The token of a setting of a bucket: `aws:s3/bucketPolicy:BucketPolicy`. */
const setting = (kind: string) => `aws:s3/bucket${kind}:Bucket${kind}`;

describe("buckets, log groups and keys on the emulated cloud", () => {
  let world: SubstituteWorld;
  let s3: S3Client;

  beforeAll(async () => {
    world = await startSubstituteWorld();
    s3 = new S3Client({ ...world.clientSettings, forcePathStyle: true });
  });

  afterAll(async () => {
    s3.destroy();
    await world.close();
  });

  const write = (Bucket: string) =>
    s3.send(new PutObjectCommand({ Bucket, Key: "folder/file", Body: "text" }));

  it("create a bucket, with a generated name by default", async () => {
    const named = await world.make(BUCKET, { bucket: "named", tags: { Name: "state" } });
    expect(named).toMatchObject({ id: "named", state: { arn: "arn:aws:s3:::named" } });
    const other = await world.change(BUCKET, named, { bucket: "named", tags: { team: "us" } });
    expect(other.state.tagsAll).toEqual({ team: "us" });
    const unnamed = await world.make(BUCKET, {});
    expect(unnamed.id).toMatch(/^test-[0-9a-f]{7}$/);
    const elsewhere = await world.make(BUCKET, { bucketPrefix: "far-", region: "eu-central-1" });
    expect(elsewhere.id).toMatch(/^far-/);
    for (const bucket of [other, unnamed, elsewhere]) {
      await world.remove(BUCKET, bucket);
    }
  });

  it("delete a non-empty bucket only with forceDestroy", async () => {
    const bucket = await world.make(BUCKET, { bucket: "full" });
    const enabled = { bucket: bucket.id, versioningConfiguration: { status: "Enabled" } };
    await world.make(setting("Versioning"), enabled);
    await write(bucket.id);
    await write(bucket.id);
    await s3.send(new DeleteObjectCommand({ Bucket: bucket.id, Key: "folder/file" }));
    await expect(world.remove(BUCKET, bucket)).rejects.toThrow(/not empty/);
    const inputs = { bucket: "full", forceDestroy: true };
    await world.remove(BUCKET, await world.change(BUCKET, bucket, inputs));
  });

  it("can suspend a bucket's versioning, but not remove it", async () => {
    const bucket = await world.make(BUCKET, { bucket: "versions" });
    const type = setting("Versioning");
    const versioning = (status: string) => ({
      bucket: bucket.id,
      versioningConfiguration: { status },
    });
    const enabled = await world.make(type, versioning("Enabled"));
    const suspended = await world.change(type, enabled, versioning("Suspended"));
    const again = await world.change(type, suspended, versioning("Enabled"));
    await world.substitute.delete(type, again.id, again, {});
    const live = await world.substitute.read(type, enabled.id, enabled);
    expect(live?.state.versioningConfiguration).toEqual({ status: "Suspended" });
    await world.remove(BUCKET, bucket);
    expect(await world.substitute.read(type, enabled.id, enabled)).toBeUndefined();
  });

  it.each<[string, Values, Values]>([
    [
      "PublicAccessBlock",
      { blockPublicAcls: true, blockPublicPolicy: true },
      { blockPublicAcls: true, ignorePublicAcls: true, restrictPublicBuckets: true },
    ],
    [
      "ServerSideEncryptionConfiguration",
      { rules: [{ applyServerSideEncryptionByDefault: { sseAlgorithm: "AES256" } }] },
      {
        rules: [
          {
            applyServerSideEncryptionByDefault: {
              sseAlgorithm: "aws:kms",
              kmsMasterKeyId: "arn:aws:kms:us-east-1:123456789012:key/1",
            },
            bucketKeyEnabled: true,
          },
        ],
      },
    ],
    [
      "LifecycleConfiguration",
      {
        rules: [
          {
            id: "old",
            status: "Enabled",
            filter: {},
            noncurrentVersionExpiration: { noncurrentDays: 90 },
            abortIncompleteMultipartUpload: { daysAfterInitiation: 7 },
          },
        ],
      },
      {
        rules: [
          { id: "old", status: "Disabled", filter: {}, expiration: { days: 9 } },
          { id: "logs", status: "Enabled", filter: { prefix: "logs/" }, expiration: { days: 30 } },
        ],
      },
    ],
    ["Policy", { policy: policy("s3:GetObject") }, { policy: policy("s3:*") }],
  ])("set and remove a bucket's %s", async (kind, first, second) => {
    const bucket = await world.make(BUCKET, { bucket: `of-${kind.toLowerCase()}` });
    const type = setting(kind);
    const made = await world.make(type, { bucket: bucket.id, ...first });
    expect(made.state).toMatchObject(first);
    const changed = await world.change(type, made, { bucket: bucket.id, ...second });
    expect(changed.state).toMatchObject(second);
    await world.remove(type, changed);
    const again = await world.make(type, { bucket: bucket.id, ...first });
    await world.remove(BUCKET, bucket);
    expect(await world.substitute.read(type, again.id, again)).toBeUndefined();
    await world.substitute.delete(type, again.id, again, {});
  });

  it("allow writes to a bucket that denies only requests without TLS, and not if it denies all", async () => {
    const bucket = await world.make(BUCKET, { bucket: "closed", forceDestroy: true });
    const withoutTls = policy("s3:*", { Bool: { "aws:SecureTransport": "false" } });
    const made = await world.make(setting("Policy"), { bucket: "closed", policy: withoutTls });
    await write("closed");
    const closed = { bucket: "closed", policy: policy("s3:PutObject") };
    const changed = await world.change(setting("Policy"), made, closed);
    await expect(write("closed")).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
    await world.remove(setting("Policy"), changed);
    await world.remove(BUCKET, bucket);
  });

  it("create keys and move an alias from one to another", async () => {
    const inputs = { description: "Of a test", enableKeyRotation: true, deletionWindowInDays: 7 };
    const [one, two] = [await world.make(KEY, inputs), await world.make(KEY, {})];
    expect(one.state.arn).toMatch(new RegExp(`:key/${one.id}$`));
    const plain = { ...inputs, description: "Other", enableKeyRotation: false };
    const changed = await world.change(KEY, one, { ...plain, tags: { team: "us" } });
    expect(changed.state).toMatchObject({ enableKeyRotation: false, tagsAll: { team: "us" } });
    const untagged = await world.change(KEY, changed, plain);
    const name = "alias/of-a-test";
    const alias = await world.make(ALIAS, { name, targetKeyId: one.id });
    expect(alias.state.targetKeyArn).toBe(one.state.arn);
    const moved = await world.change(ALIAS, alias, { name, targetKeyId: two.state.arn ?? "" });
    expect(moved.state.targetKeyId).toBe(two.state.arn);
    await world.remove(ALIAS, moved);
    await world.remove(KEY, untagged);
    await world.remove(KEY, two);
  });

  it("reject unknown names and properties", async () => {
    await expect(world.make(ALIAS, { name: "state", targetKeyId: "1" })).rejects.toThrow(
      'as in "alias/state"',
    );
    await expect(world.make(BUCKET, { acl: "public-read" })).rejects.toThrow(
      'does not know the property "acl" of aws:s3/bucket:Bucket',
    );
    await expect(
      world.make(setting("LifecycleConfiguration"), {
        bucket: "a",
        rules: [{ id: "a", status: "Enabled", transitions: [] }],
      }),
    ).rejects.toThrow('does not know the property "rules[0].transitions"');
    const bucket = await world.make(BUCKET, { bucket: "first" });
    const { changes, deleteBeforeReplace } = world.substitute.diff(BUCKET, bucket, {
      ...bucket.inputs,
      bucket: "second",
    });
    expect(changes.bucket).toMatchObject({ replaces: true });
    expect(deleteBeforeReplace).toBe(false);
    await world.remove(BUCKET, bucket);
  });

  it("create a log group, change it in place, and leave it there if that is asked for", async () => {
    const kmsKeyId = "arn:aws:kms:us-east-1:123456789012:key/0123";
    const inputs = { name: "/talos/demo/audit", retentionInDays: 30, kmsKeyId };
    const group = await world.make(LOG_GROUP, { ...inputs, tags: { Name: "audit" } });
    expect(group).toMatchObject({
      id: "/talos/demo/audit",
      state: { arn: "arn:aws:logs:us-east-1:123456789012:log-group:/talos/demo/audit" },
    });
    // A longer name with the same beginning is another group.
    const longer = await world.make(LOG_GROUP, { name: "/talos/demo/audit2" });
    const { name } = inputs;
    const changed = await world.change(LOG_GROUP, group, { name, tags: { team: "us" } });
    expect(changed.state).toMatchObject({ retentionInDays: 0, tagsAll: { team: "us" } });
    await world.remove(LOG_GROUP, longer);
    const unnamed = await world.make(LOG_GROUP, {});
    expect(unnamed.id).toMatch(/^test-[0-9a-f]{7}$/);
    await world.remove(LOG_GROUP, unnamed);
    await expect(world.make(LOG_GROUP, { name })).rejects.toThrow(/already exists/);
    const kept = await world.change(LOG_GROUP, changed, { name, skipDestroy: true });
    await world.substitute.delete(LOG_GROUP, kept.id, kept, {});
    expect(await world.substitute.read(LOG_GROUP, kept.id, kept)).toMatchObject({ id: kept.id });
    await world.remove(LOG_GROUP, await world.change(LOG_GROUP, kept, { name }));
  });
});

function policy(Action: string, Condition?: Values): string {
  const statement = { Effect: "Deny", Principal: "*", Action, Resource: "*", Condition };
  return JSON.stringify({ Version: "2012-10-17", Statement: [statement] });
}
