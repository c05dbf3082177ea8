import { ENCRYPTION_FLAG } from "./generate/acceptedSecretboxKeys";
import { ACCEPTED_KEYS_FLAG } from "./generate/acceptedServiceAccountKeys";
import { type ConfigDocument, isMapping, textAt } from "./machineConfig";
import { encryptionReaders } from "./settings/formsOfKinds";
import { textIn } from "./settings/settingIn";

/** The result of judging a change of a machine's CAs and keys. */
export interface AuthorityChanges {
  /** Why the change is refused. */
  readonly problems: readonly string[];
  /** The effects of the change, for example `the Talos CA that was accepted besides is dropped`. */
  readonly notes: readonly string[];
}

/** The keys of API servers, as fingerprints that are the same in every form of a configuration. */
interface Keys {
  /** The one that signs or encrypts; undefined for a worker. */
  readonly used: string | undefined;
  /** Those that are accepted besides. `some` if their fingerprints are not in an outline. */
  readonly others: readonly string[] | "some";
}

/** A key of API servers in a machine's configuration. */
interface KeyPlace {
  /** The key of `rotation`. */
  readonly key: string;
  /** The setting with the one that is used. */
  readonly setting: string;
  /** The flag that has API servers of Talos up to v1.13 accept further keys. */
  readonly flag: string;
  /** The kind of the document that has them from v1.14 on, and those that it accepts besides. */
  readonly kind: string;
  readonly read: (document: ConfigDocument, used: Keys["used"]) => Keys;
  /** What an API server would do with another key, and what then happens. */
  readonly use: string;
  readonly harm: string;
  /** The effects of the stages. */
  readonly notes: { readonly accept: string; readonly issue: string; readonly drop: string };
}

const places: readonly KeyPlace[] = [
  {
    key: "serviceAccountKey",
    setting: "cluster.serviceAccount.key",
    flag: ACCEPTED_KEYS_FLAG,
    kind: "KubeServiceAccountConfig",
    // Public keys, which can't be compared with the fingerprint of a private one.
    read: ({ accepted }, used) => ({
      used,
      others: isMapping(accepted) && Array.isArray(accepted.publicKeys) ? "some" : [],
    }),
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
    setting: "cluster.secretboxEncryptionSecret",
    flag: ENCRYPTION_FLAG,
    kind: "KubeEtcdEncryptionConfig",
    // A key in KMS has the name that follows from it.
    read: ({ config }) => {
      const [used, ...others] = encryptionReaders(config);
      return { used, others };
    },
    use: "encrypt Secrets with another key",
    harm: "API servers could not read all Secrets",
    notes: {
      accept: "Secrets of another key can be read besides",
      issue: "another key encrypts Secrets, and those of the former one can still be read",
      drop: "Secrets of the key that was accepted besides can't be read any more",
    },
  },
];

/**
 * Judges the change of the keys of a machine's API server. Another one may be used only if the machine
 * accepted it before, and the former one must still be accepted. Not every form of a configuration
 * has fingerprints of the keys that are only accepted. Then a change is allowed if there are some.
 */
export function judgeKeys(
  before: ConfigDocument,
  after: ConfigDocument,
): readonly AuthorityChanges[] {
  return places.map((place) => judge(place, before, after));
}

function judge(place: KeyPlace, before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const { key, use, harm, notes } = place;
  const [old, now] = [readKeys(place, before), readKeys(place, after)];
  if (old.used === undefined || now.used === undefined) {
    const isLost = old.used !== undefined && !includes(now, old.used) && isControlPlane(after);
    return {
      problems: isLost ? [`${place.setting} would be missing, so ${harm}: leave it as it was`] : [],
      notes: [],
    };
  }
  if (old.used === now.used) {
    const [accepted, accepts] = [old, now].map(({ others }) => others.length > 0);
    const note = accepts ? notes.accept : notes.drop;
    return { problems: [], notes: accepted === accepts ? [] : [note] };
  }
  const isReady = includes(old, now.used);
  if (isReady && includes(now, old.used)) {
    return { problems: [], notes: [notes.issue] };
  }
  const missing = isReady ? "would drop its current one" : "doesn't accept the new one yet";
  const problem = `the API server would ${use}, but ${missing}, so ${harm}. ${wayToStage(key)}`;
  return { problems: [problem], notes: [] };
}

function isControlPlane({ machine }: ConfigDocument): boolean {
  return textAt(machine, "type") === "controlplane";
}

function includes({ others }: Keys, key: string): boolean {
  return others === "some" || others.includes(key);
}

function readKeys({ setting, flag, kind, read }: KeyPlace, outline: ConfigDocument): Keys {
  const { [kind]: document } = outline;
  const used = textIn(outline, setting);
  if (isMapping(document)) {
    return read(document, used);
  }
  const isFlagged = textIn(outline, "cluster.apiServer.extraArgs", flag) !== undefined;
  return { used, others: isFlagged ? "some" : [] };
}

/** What to do if a machine isn't ready for a stage. */
export function wayToStage(key: string): string {
  return `The previous stage has not reached this machine: set rotation.${key} to that stage, and continue when "pulumi up" has completed it`;
}
