import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";

/** A CA in a machine's configuration. */
interface AuthorityPlace {
  /** The section of the configuration that contains it. */
  readonly section: "machine" | "cluster";
  readonly name: string;
  /** The servers that it signs for. */
  readonly whose: string;
  /** The key of `rotation`. */
  readonly key: string;
}

const places: readonly AuthorityPlace[] = [
  { section: "machine", name: "Talos CA", whose: "the Talos API", key: "talosCa" },
  {
    section: "cluster",
    name: "Kubernetes CA",
    whose: "the API server and the kubelet",
    key: "kubernetesCa",
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
 * Judges the change of a machine's CAs. Another CA may issue only if the machine accepted it
 * before, and the former issuer must still be accepted. Otherwise the machine and its clients would
 * refuse each other.
 *
 * @param before the outline of the configuration that the machine runs
 * @param after the outline of its new configuration
 */
export function judgeAuthorities(before: ConfigDocument, after: ConfigDocument): AuthorityChanges {
  const changes = places.map((place) => judge(place, before, after));
  return {
    problems: changes.flatMap(({ problems }) => problems),
    notes: changes.flatMap(({ notes }) => notes),
  };
}

function judge(
  { section, name, whose, key }: AuthorityPlace,
  before: ConfigDocument,
  after: ConfigDocument,
): AuthorityChanges {
  const [old, now] = [read(before[section]), read(after[section])];
  if (old.issuing === undefined || now.issuing === undefined) {
    return { problems: [], notes: [] };
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
            `the machine would issue with another ${name}, but ${missing}, so ${whose} and their clients would refuse each other. The previous stage has not reached this machine: set rotation.${key} to that stage, and continue when "pulumi up" has completed it`,
          ],
          notes: [],
        };
  }
  const accepts = now.accepted.some((each) => !old.accepted.includes(each));
  const drops = old.accepted.some((each) => !now.accepted.includes(each));
  return {
    problems: [],
    notes: [
      ...(accepts ? [`another ${name} is accepted besides the one that issues`] : []),
      ...(drops ? [`the ${name} that was accepted besides is dropped`] : []),
    ],
  };
}

/** The CAs of a section, as texts that are equal for equal certificates. */
function read(section: YamlValue | undefined) {
  const issuing = isMapping(section) ? textAt(section.ca, "crt") : undefined;
  const list = isMapping(section) ? section.acceptedCAs : undefined;
  const accepted = (Array.isArray(list) ? list : []).flatMap((each) => textAt(each, "crt") ?? []);
  return { issuing, accepted };
}
