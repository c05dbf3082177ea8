import { etcdAuthorities } from "./etcdTrust";
import { ACCEPTED_KEYS_FILE, ACCEPTED_KEYS_FLAG } from "./generate/acceptedServiceAccountKeys";
import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";
import { NOT_MADE_YET } from "./outline";

/** The CAs of a server, as texts that are equal for equal certificates. */
interface Authorities {
  readonly issuing: string | undefined;
  readonly accepted: readonly string[];
}

/** A CA in a machine's configuration. */
interface AuthorityPlace {
  readonly name: string;
  /** The servers that it signs for. */
  readonly whose: string;
  /** The key of `rotation`. */
  readonly key: string;
  /** Finds it in an outline. */
  readonly read: (outline: ConfigDocument) => Authorities;
}

const places: readonly AuthorityPlace[] = [
  {
    name: "Talos CA",
    whose: "the Talos API",
    key: "talosCa",
    read: ({ machine }) => authoritiesOf(machine),
  },
  {
    name: "Kubernetes CA",
    whose: "the API server and the kubelet",
    key: "kubernetesCa",
    read: ({ cluster }) => authoritiesOf(cluster),
  },
  {
    name: "etcd CA",
    whose: "members of etcd",
    key: "etcdCa",
    read: (outline) => {
      const [issuing, ...accepted] = etcdAuthorities(outline);
      return { issuing, accepted };
    },
  },
];

/** The result of judging a change of a machine's CAs. */
export interface AuthorityChanges {
  /** Why the change is refused. */
  readonly problems: readonly string[];
  /** The effects of the change, for example `the Talos CA that was accepted besides is dropped`. */
  readonly notes: readonly string[];
}

/**
 * Judges the change of a machine's CAs and of its service account key. Another one may issue only if
 * the machine accepted it before, and the former issuer must still be accepted. Otherwise the
 * machine and its clients would refuse each other.
 *
 * @param before the outline of the configuration that the machine runs
 * @param after the outline of its new configuration
 */
export function judgeAuthorities(before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const changes = [
    ...places.map((place) => judge(place, before, after)),
    judgeServiceAccountKey(before, after),
  ];
  return {
    problems: changes.flatMap(({ problems }) => problems),
    notes: changes.flatMap(({ notes }) => notes),
  };
}

function judge(
  { read, name, whose, key }: AuthorityPlace,
  before: ConfigDocument,
  after: ConfigDocument,
): AuthorityChanges {
  const [old, now] = [read(before), read(after)];
  if (old.issuing === undefined || now.issuing === undefined) {
    return { problems: [], notes: [] };
  }
  const acceptsAnother = `another ${name} is accepted besides the one that issues`;
  if (now.issuing === NOT_MADE_YET) {
    // All CAs of etcd are in one text, and only the first stage has one that is not made yet.
    return { problems: [], notes: old.issuing === NOT_MADE_YET ? [] : [acceptsAnother] };
  }
  if (old.issuing !== now.issuing) {
    const isReady = old.accepted.includes(now.issuing);
    const isKept = now.accepted.includes(old.issuing);
    const missing = isReady ? "would drop its current one" : "doesn't accept the new one yet";
    return isReady && isKept
      ? {
          problems: [],
          notes: [`another ${name} issues, and the former one is still accepted`],
        }
      : {
          problems: [
            `the machine would issue with another ${name}, but ${missing}, so ${whose} and their clients would refuse each other. ${wayOut(key)}`,
          ],
          notes: [],
        };
  }
  const accepts = now.accepted.some((each) => !old.accepted.includes(each));
  const drops = old.accepted.some((each) => !now.accepted.includes(each));
  return {
    problems: [],
    notes: [
      ...(accepts ? [acceptsAnother] : []),
      ...(drops ? [`the ${name} that was accepted besides is dropped`] : []),
    ],
  };
}

/**
 * Only private keys and the file with the accepted ones have fingerprints in an outline. So a change
 * is allowed if that file is there before and after.
 */
function judgeServiceAccountKey(before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const [old, now] = [readServiceAccountKey(before), readServiceAccountKey(after)];
  if (old.signing === undefined || now.signing === undefined) {
    return { problems: [], notes: [] };
  }
  if (old.signing !== now.signing) {
    return old.acceptsOthers && now.acceptsOthers
      ? {
          problems: [],
          notes: [
            "another service account key signs tokens, and those of the former one are still accepted",
          ],
        }
      : {
          problems: [
            `the API server would sign tokens with another service account key, but ${old.acceptsOthers ? "would drop its current one" : "doesn't accept the new one yet"}, so pods would be refused. ${wayOut("serviceAccountKey")}`,
          ],
          notes: [],
        };
  }
  const note = now.acceptsOthers
    ? "tokens of another service account key are accepted besides"
    : "tokens of the service account key that was accepted besides are refused";
  return { problems: [], notes: old.acceptsOthers === now.acceptsOthers ? [] : [note] };
}

function wayOut(key: string): string {
  return `The previous stage has not reached this machine: set rotation.${key} to that stage, and continue when "pulumi up" has completed it`;
}

/** The CAs of a section. */
function authoritiesOf(section: YamlValue | undefined): Authorities {
  const issuing = isMapping(section) ? textAt(section.ca, "crt") : undefined;
  const list = isMapping(section) ? section.acceptedCAs : undefined;
  const accepted = (Array.isArray(list) ? list : []).flatMap((each) => textAt(each, "crt") ?? []);
  return { issuing, accepted };
}

function readServiceAccountKey({ cluster }: ConfigDocument) {
  const apiServer = isMapping(cluster) ? cluster.apiServer : undefined;
  const flags = isMapping(apiServer) ? apiServer.extraArgs : undefined;
  return {
    signing: isMapping(cluster) ? textAt(cluster.serviceAccount, "key") : undefined,
    acceptsOthers: textAt(flags, ACCEPTED_KEYS_FLAG) === ACCEPTED_KEYS_FILE,
  };
}
