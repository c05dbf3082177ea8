import { problemAt } from "../argumentChecks";
import { bucketNameProblem } from "../nameRules";
import { checkKeyArn } from "../permissions/planNodePolicy";
import type { PropertyProblem } from "../problems";
import type { EtcdBackupBucketArgs } from "./etcdBackupArgs";

/** All that is wrong with the bucket that snapshots go to. */
export function checkBackupBucket(
  bucketName: string,
  { kmsKeyArn, retentionDays, adopt = false }: EtcdBackupBucketArgs,
): PropertyProblem[] {
  const isNoNumber =
    retentionDays !== undefined && !(Number.isInteger(retentionDays) && retentionDays >= 1);
  return [
    ...problemAt("bucketName", bucketNameProblem(bucketName)),
    ...(kmsKeyArn === undefined ? [] : checkKeyArn("kmsKeyArn", kmsKeyArn)),
    ...problemAt(
      "retentionDays",
      isNoNumber &&
        `${retentionDays} is no number of days to keep snapshots for: at least 1, as a whole number`,
    ),
    ...problemAt(
      "retentionDays",
      retentionDays !== undefined &&
        adopt &&
        "it excludes adopt, as a bucket that is there stays as it is: leave out one",
    ),
  ];
}
