import { ENCRYPTION_FLAG } from "./generate/acceptedSecretboxKeys";
import { ACCEPTED_KEYS_FLAG } from "./generate/acceptedServiceAccountKeys";
import { type ConfigDocument, isMapping, textAt } from "./machineConfig";

/** The result of judging a change of a machine's CAs and keys. */
export interface AuthorityChanges {
  /** Why the change is refused. */
  readonly problems: readonly string[];
  /** The effects of the change, for example `the Talos CA that was accepted besides is dropped`. */
  readonly notes: readonly string[];
}

/** A key of API servers in a machine's configuration. */
interface KeyPlace {
  /** The key of `rotation`. */
  readonly key: string;
  /** Finds it in an outline: a fingerprint. */
  readonly read: (cluster: ConfigDocument) => string | undefined;
  /** The flag that has API servers accept further keys. */
  readonly flag: string;
  /** What an API server would do with another key, and what then happens. */
  readonly use: string;
  readonly harm: string;
  /** The effects of the stages. */
  readonly notes: { readonly accept: string; readonly issue: string; readonly drop: string };
}

const places: readonly KeyPlace[] = [
  {
    key: "serviceAccountKey",
    read: (cluster) => textAt(cluster.serviceAccount, "key"),
    flag: ACCEPTED_KEYS_FLAG,
    use: "sign tokens with another service account key",
    harm: "pods would be refused",
    notes: {
      accept: "tokens of another service account key are accepted besides",
      issue:
        "another service account key signs tokens, and those of the former one are still accepted",
      drop: "tokens of the service account key that was accepted besides are refused",
    },
  },
  {
    key: "secretboxKey",
    read: (cluster) => textAt(cluster, "secretboxEncryptionSecret"),
    flag: ENCRYPTION_FLAG,
    use: "encrypt Secrets with another secretbox key",
    harm: "API servers could not read all Secrets",
    notes: {
      accept: "Secrets of another secretbox key can be read besides",
      issue: "another secretbox key encrypts, and Secrets of the former one can still be read",
      drop: "Secrets of the secretbox key that was accepted besides can't be read any more",
    },
  },
];

/**
 * Judges the change of the keys of a machine's API server. Another one may be used only if the machine
 * accepted it before, and the former one must still be accepted. Only the keys that are used have
 * fingerprints in an outline. So a change is allowed if the machine accepts others before and after.
 */
export function judgeKeys(before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const changes = places.map((place) => judge(place, before, after));
  return {
    problems: changes.flatMap(({ problems }) => problems),
    notes: changes.flatMap(({ notes }) => notes),
  };
}

function judge(place: KeyPlace, before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const { key, use, harm, notes } = place;
  const [old, now] = [readKey(place, before), readKey(place, after)];
  if (old.used === undefined || now.used === undefined) {
    return { problems: [], notes: [] };
  }
  if (old.used === now.used) {
    const note = now.acceptsOthers ? notes.accept : notes.drop;
    return { problems: [], notes: old.acceptsOthers === now.acceptsOthers ? [] : [note] };
  }
  if (old.acceptsOthers && now.acceptsOthers) {
    return { problems: [], notes: [notes.issue] };
  }
  const missing = old.acceptsOthers
    ? "would drop its current one"
    : "doesn't accept the new one yet";
  const problem = `the API server would ${use}, but ${missing}, so ${harm}. ${wayToStage(key)}`;
  return { problems: [problem], notes: [] };
}

function readKey({ read, flag }: KeyPlace, { cluster }: ConfigDocument) {
  if (!isMapping(cluster)) {
    return { used: undefined, acceptsOthers: false };
  }
  const { apiServer } = cluster;
  const flags = isMapping(apiServer) ? apiServer.extraArgs : undefined;
  return { used: read(cluster), acceptsOthers: textAt(flags, flag) !== undefined };
}

/** What to do if a machine isn't ready for a stage. */
export function wayToStage(key: string): string {
  return `The previous stage has not reached this machine: set rotation.${key} to that stage, and continue when "pulumi up" has completed it`;
}
