import { type Plan, plannedFlag, type PlannedPlaces } from "./plan";

const SECRETS = [
  "machine.ca",
  "machine.token",
  "cluster.ca",
  "cluster.token",
  "cluster.id",
  "cluster.secret",
  "cluster.aggregatorCA",
  "cluster.serviceAccount",
  "cluster.etcd.ca",
  "cluster.secretboxEncryptionSecret",
  "cluster.aescbcEncryptionSecret",
];

/** The cluster's secrets, which credentials, kubeconfigs and other machines have too. */
export function secrets(): PlannedPlaces {
  const wayOut =
    "use the argument rotation: credentials, kubeconfigs and the other machines have the same secrets";
  return Object.fromEntries(SECRETS.map((path) => [path, { wayOut }]));
}

/** What machines accept during a rotation. */
export function acceptedAuthorities(): PlannedPlaces {
  const accepted = {
    allows: "more",
    wayOut: "leave those of a rotation there, by which other machines are trusted",
  } as const;
  const keys = { wayOut: "use the argument rotation, which sets it while there are two keys" };
  return {
    "machine.acceptedCAs": accepted,
    "cluster.acceptedCAs": accepted,
    ...plannedFlag("cluster.apiServer", "service-account-key-file", keys),
    ...plannedFlag("cluster.apiServer", "encryption-provider-config", keys),
  };
}

/** The plugins by which API servers ask KMS. Their encryption configuration no patch may change: `ownedDocuments`. */
export function kmsPlugins({ args }: Plan): PlannedPlaces {
  const wayOut = "set the argument secretsEncryption: API servers can't start without this pod";
  return Object.fromEntries(
    args.facts.secretsEncryption === undefined
      ? []
      : [["KubeStaticPodConfig/*", { allows: "more", wayOut }]],
  );
}
