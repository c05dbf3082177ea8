import { checkBackupBucket } from "../../../components/backup/checkBackupBucket";

const problems = (...[name, bucket]: Parameters<typeof checkBackupBucket>) =>
  checkBackupBucket(name, bucket).map(({ property, reason }) => `${property}: ${reason}`);

describe("checkBackupBucket", () => {
  it.each(["abc", "prod-example-com-etcd", "a".repeat(63)])("accepts the bucket %s", (name) => {
    expect(problems(name, { retentionDays: 30 })).toEqual([]);
  });

  it.each(["ab", "-a-", "xn--bucket", "bucket-s3alias", "a..b", "192.168.0.1", "a".repeat(64)])(
    "rejects the bucket %s",
    (name) => {
      expect(problems(name, {})).toEqual([
        expect.stringContaining(`bucketName: "${name}" is no name`),
      ]);
    },
  );

  it("does not check the settings of an existing bucket", () => {
    expect(problems("theirs", { adopt: true })).toEqual([]);
    expect(problems("theirs", { adopt: true, retentionDays: 7 })).toEqual([
      expect.stringMatching(/^retentionDays: .*leave out one$/),
    ]);
  });
});
