import { NOT_MADE_YET } from "./effects/outline";
import { etcdAuthorities } from "./etcdTrust";
import { judgeIdentity } from "./identityPath";
import { type AuthorityChanges, judgeKeys, wayToStage } from "./keyPath";
import { type ConfigDocument, textAt, type YamlValue } from "./machineConfig";
import { valueAt } from "./settings/keyPaths";
import { textIn, valueIn } from "./settings/settingIn";

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
    read: (outline) => authoritiesOf(valueIn(outline, "cluster")),
  },
  {
    name: "etcd CA",
    whose: "members of etcd",
    key: "etcdCa",
    read: (outline) => firstOf(etcdAuthorities(outline)),
  },
  {
    name: "aggregator CA",
    whose: "API servers",
    key: "aggregatorCa",
    read: (outline) => firstOf(textIn(outline, "cluster.aggregatorCA.crt")?.split(", ") ?? []),
  },
];

/**
 * Judges the change of a machine's CAs, of the keys of its API server, and of the identity by which
 * machines find each other. Another CA may issue only if the machine accepted it before, and the former
 * issuer must still be accepted. Otherwise the machine and its clients would refuse each other.
 *
 * @param before the outline of the configuration that the machine runs
 * @param after the outline of its new configuration
 */
export function judgeAuthorities(before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const changes = [
    ...places.map((place) => judge(place, before, after)),
    ...judgeKeys(before, after),
    judgeIdentity(before, after),
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
            `the machine would issue with another ${name}, but ${missing}, so ${whose} and their clients would refuse each other. ${wayToStage(key)}`,
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

/** The CAs of a list with all of them, the issuing one first. */
function firstOf([issuing, ...accepted]: readonly string[]): Authorities {
  return { issuing, accepted };
}

/** The CAs of a section. */
function authoritiesOf(section: YamlValue | undefined): Authorities {
  const list = valueAt(section, ["acceptedCAs"]);
  const accepted = (Array.isArray(list) ? list : []).flatMap((each) => textAt(each, "crt") ?? []);
  return { issuing: textAt(valueAt(section, ["ca"]), "crt"), accepted };
}
