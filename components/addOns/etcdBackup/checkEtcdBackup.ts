import { checkBackupBucket } from "../../backup/checkBackupBucket";
import { cronProblem } from "../../backup/cronProblem";
import { imageProblem } from "../../imageProblem";
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
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string | undefined) => {
    if (reason !== undefined) {
      problems.push({ property, reason });
    }
  };
  if (agePublicKey !== "none" && !AGE_PUBLIC_KEY.test(agePublicKey)) {
    // The value isn't quoted if it looks like the private key, which is a secret.
    const given = agePublicKey.startsWith("age1") ? `"${agePublicKey}"` : "this";
    const reason = `${given} is no age public key: write "age1" and 58 more characters, as age-keygen tells it, or "none" to leave encryption to the bucket`;
    say("agePublicKey", reason);
  }
  say("schedule", cronProblem(planned.schedule));
  for (const { property, reason } of checkBackupBucket(planned.bucketName, addOn)) {
    const isMade = property === "bucketName" && bucketName === undefined;
    say(
      property,
      isMade ? `${reason}; the name is made of environment and domain: give one` : reason,
    );
  }
  say("image", imageProblem(planned.image));
  if (cluster.isPowerless) {
    say("", "it writes to S3, which no machine can with controlPlane.role.none: leave that out");
  }
  if (cluster.permissions.etcdBackupArn !== undefined) {
    const reason =
      "it excludes controlPlane.role.permissions.etcdBackupArn, which it sets: leave out one or the other";
    say("", reason);
  }
  return problems;
}
