import { checkNodePermissions } from "../permissions/planNodePolicy";
import type { PropertyProblem } from "../problems";
import type { EtcdBackupBucketArgs } from "./etcdBackupArgs";

/** All that is wrong with the bucket that snapshots go to. */
export function checkBackupBucket(
  bucketName: string,
  { kmsKeyArn, retentionDays, adopt = false }: EtcdBackupBucketArgs,
): PropertyProblem[] {
  const problems: PropertyProblem[] = [];
  const named = bucketNameProblem(bucketName);
  if (named !== undefined) {
    problems.push({ property: "bucketName", reason: named });
  }
  if (kmsKeyArn !== undefined) {
    const key = { etcdBackupArn: "arn:aws:s3:::bucket/folder", etcdBackupKmsKeyArn: kmsKeyArn };
    for (const { reason } of checkNodePermissions(key)) {
      problems.push({ property: "kmsKeyArn", reason });
    }
  }
  if (retentionDays !== undefined && !(Number.isInteger(retentionDays) && retentionDays >= 1)) {
    const reason = `${retentionDays} is no number of days to keep snapshots for: at least 1, as a whole number`;
    problems.push({ property: "retentionDays", reason });
  }
  if (retentionDays !== undefined && adopt) {
    const reason = "it excludes adopt, as a bucket that is there stays as it is: leave out one";
    problems.push({ property: "retentionDays", reason });
  }
  return problems;
}

/** Source: Amazon S3 user guide, "General purpose bucket naming rules". */
function bucketNameProblem(name: string): string | undefined {
  const isWord = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name);
  const isReserved =
    /^(xn--|sthree-|amzn-s3-demo-)/.test(name) ||
    /(-s3alias|--ol-s3|--x-s3|--table-s3)$/.test(name);
  return isWord && !isReserved
    ? undefined
    : `"${name}" is no name for a bucket: 3 to 63 lower-case letters, digits and "-", no "-" at its ends, no dot (no certificate is for names with dots), and none of the beginnings and ends that AWS keeps`;
}
