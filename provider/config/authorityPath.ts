import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";

/** An authority in a machine's configuration. */
interface AuthorityPlace {
  /** The field of the configuration that it is in. */
  readonly section: "machine" | "cluster";
  readonly name: string;
  /** What goes by it. */
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

/** What a change makes of the authorities of a machine. */
export interface AuthorityChanges {
  /** Why it can't be done. */
  readonly problems: readonly string[];
  /** What it does, for example `the Talos CA that was accepted besides is dropped`. */
  readonly notes: readonly string[];
}

/**
 * Judges the change of a machine's certificate authorities: another one issues only where the machine accepted
 * it before, and the one that issued until then has to be accepted still. Else the machine and its clients would
 * refuse each other.
 *
 * @param before the outline of what the machine runs
 * @param after the outline of what it is to run
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
    const missing = isReady ? "would drop the one that it has" : "doesn't accept that one yet";
    return isReady && isKept
      ? {
          problems: [],
          notes: [`another ${name} issues, and the former one is accepted still`],
        }
      : {
          problems: [
            `the machine is to issue by another ${name}, but ${missing}, so ${whose} and their clients would refuse each other. The stage before has not reached this machine: set rotation.${key} to that stage, and go on when "pulumi up" is done with it`,
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

/** The authorities of a section: as texts that are the same for the same certificate. */
function read(section: YamlValue | undefined) {
  const issuing = isMapping(section) ? textAt(section.ca, "crt") : undefined;
  const list = isMapping(section) ? section.acceptedCAs : undefined;
  const accepted = (Array.isArray(list) ? list : []).flatMap((each) => textAt(each, "crt") ?? []);
  return { issuing, accepted };
}
