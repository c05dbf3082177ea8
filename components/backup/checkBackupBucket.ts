import { bucketNameProblem } from "../nameRules";
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
