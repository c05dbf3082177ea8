import { imageProblem } from "../../../provider/config";
import { problemAt } from "../../argumentChecks";
import { checkBackupBucket } from "../../backup/checkBackupBucket";
import { cronProblem } from "../../backup/cronProblem";
import type { PropertyProblem } from "../../problems";
import type { AddOnCluster } from "../common/addOnCluster";
import { clusterBackup } from "./clusterBackup";
import type { EtcdBackupAddOn } from "./etcdBackupAddOn";

/** An age public key: an X25519 one in Bech32 (github.com/C2SP/C2SP, age.md). */
const AGE_PUBLIC_KEY = /^age1[02-9ac-hj-np-z]{58}$/;

/**
 * All problems of a cluster's etcd snapshots, by themselves and together with its other arguments.
 */
export function checkEtcdBackup(addOn: EtcdBackupAddOn, cluster: AddOnCluster): PropertyProblem[] {
  const { agePublicKey, bucketName } = addOn;
  const planned = clusterBackup(cluster, addOn);
  // The value isn't quoted if it looks like the private key, which is a secret.
  const given = agePublicKey.startsWith("age1") ? `"${agePublicKey}"` : "this";
  return [
    ...problemAt(
      "agePublicKey",
      agePublicKey !== "none" &&
        !AGE_PUBLIC_KEY.test(agePublicKey) &&
        `${given} is no age public key: write "age1" and 58 more characters, as age-keygen tells it, or "none" to leave encryption to the bucket`,
    ),
    ...problemAt("schedule", cronProblem(planned.schedule)),
    ...checkBackupBucket(planned.bucketName, addOn).map(({ property, reason }) => {
      const isMade = property === "bucketName" && bucketName === undefined;
      const of = isMade ? "; the name is made of environment and domain: give one" : "";
      return { property, reason: `${reason}${of}` };
    }),
    ...problemAt("image", imageProblem(planned.image)),
    ...problemAt(
      "",
      cluster.isPowerless &&
        "it writes to S3, which no machine can with controlPlane.role.none: leave that out",
    ),
    ...problemAt(
      "",
      cluster.permissions.etcdBackupArn !== undefined &&
        "it excludes controlPlane.role.permissions.etcdBackupArn, which it sets: leave out one or the other",
    ),
  ];
}
