import {
  admissionPlugins,
  componentTable,
  type ConfigDocument,
  etcdFlagTable,
  isInMinors,
  isKnownMinor,
  isMapping,
  knownMinors,
  type KubernetesComponent,
  minorOfImage,
  type YamlValue,
} from "../../../provider/config";
import { nanosecondsOf, takesFlagValue, truthOf } from "./flagValue";

/** The components by the names of their programs. */
const COMPONENTS: Readonly<Record<string, KubernetesComponent>> = {
  "kube-apiserver": "apiServer",
  "kube-controller-manager": "controllerManager",
  "kube-scheduler": "scheduler",
  "kube-proxy": "proxy",
  kubelet: "kubelet",
};

/** Flags of the API server that name admission plugins. */
const PLUGIN_FLAGS = ["enable-admission-plugins", "disable-admission-plugins"];

/** What a program is started with. */
export interface ProgramStart {
  /** Its name: `kube-apiserver`, `etcd`. */
  readonly program: string;
  /** The value of each additional flag, by its name without dashes. */
  readonly extraArgs: ConfigDocument;
  /** Its image, whose tag is its release; the newest known one without a release there. */
  readonly image: string;
  /** The feature gates in its configuration file. Default: none. */
  readonly featureGates?: YamlValue | undefined;
}

/**
 * The error with which a program ends at once because of its additional flags, in its own words;
 * undefined if it takes them. Files that flags name, and settings that don't go together, are not
 * judged here.
 *
 * Sources: pflag v1.0.10, `FailedError`; Go's package flag; component-base v0.35.0,
 * `featuregate/feature_gate.go`; apiserver v0.35.0, `pkg/server/options/admission.go`. Seen with the
 * programs of v1.35.0.
 */
export function startRefusal(start: ProgramStart): string | undefined {
  const component = COMPONENTS[start.program];
  if (component === undefined) {
    return start.program === "etcd" ? etcdRefusal(start) : undefined;
  }
  const tagged = minorOfImage(start.image);
  const minor = isKnownMinor(tagged) ? tagged : knownMinors.newest;
  for (const [key, value] of Object.entries(start.extraArgs)) {
    const name = key.replaceAll("_", "-");
    const entry = componentTable.flags[component][name];
    // An empty list is no flag at all.
    const texts = textsOf(value);
    if (entry === undefined || !isInMinors(entry, minor)) {
      return `unknown flag: --${key}`;
    }
    const wrong = texts.find((text) => !takesFlagValue(entry.type, text));
    if (wrong !== undefined) {
      return `invalid argument ${JSON.stringify(wrong)} for "--${name}" flag: parsing ${JSON.stringify(wrong)}: invalid syntax`;
    }
    const refused =
      name === "feature-gates"
        ? texts
            .flatMap((text) => text.split(","))
            .map((part) => gateRefusal(part, component, minor))
        : component === "apiServer" && PLUGIN_FLAGS.includes(name)
          ? texts
              .flatMap((text) => text.split(","))
              .map((plugin) => pluginRefusal(name, plugin, minor))
          : [];
    const problem = refused.find((each) => each !== undefined);
    if (problem !== undefined) {
      return problem;
    }
  }
  const { featureGates } = start;
  return Object.entries(isMapping(featureGates) ? featureGates : {})
    .map(([gate, value]) => gateRefusal(`${gate}=${JSON.stringify(value)}`, component, minor))
    .find((each) => each !== undefined);
}

/** etcd names a flag with one dash, and takes "_" for another letter than "-". */
function etcdRefusal({ extraArgs, image }: ProgramStart): string | undefined {
  const minors = Object.keys(etcdFlagTable.releases).map(Number);
  const tagged = Number(/:v?3\.(\d+)\./.exec(image)?.[1]);
  const minor = minors.includes(tagged) ? tagged : Math.max(...minors);
  for (const [name, value] of Object.entries(extraArgs)) {
    const entry = etcdFlagTable.flags[name];
    if (entry === undefined || !isInMinors(entry, minor)) {
      return `flag provided but not defined: -${name}`;
    }
    const wrong = textsOf(value).find((text) => !takesFlagValue(entry.type, text));
    if (wrong !== undefined) {
      return `invalid value ${JSON.stringify(wrong)} for flag -${name}: parse error`;
    }
    // Read only when etcd starts: v3.6.7, server/embed/etcd.go, parseCompactionRetention.
    const retention = name === "auto-compaction-retention" ? textsOf(value) : [];
    const unread = retention.find(
      (text) => !/^\d+$/.test(text) && nanosecondsOf(text) === undefined,
    );
    if (unread !== undefined) {
      return `error parsing CompactionRetention: time: invalid duration ${JSON.stringify(unread)}`;
    }
  }
  return electionRefusal(extraArgs);
}

/** Milliseconds. Source: etcd v3.6.7, `DefaultElectionMs` and `Config.Validate` in server/embed/config.go. */
function electionRefusal(extraArgs: ConfigDocument): string | undefined {
  const milliseconds = (flag: string, usual: number) =>
    Number(textsOf(extraArgs[flag] ?? null).at(-1) ?? usual);
  const heartbeat = milliseconds("heartbeat-interval", 100);
  const election = milliseconds("election-timeout", 1_000);
  return 5 * heartbeat > election
    ? `--election-timeout[${election}ms] should be at least as 5 times as --heartbeat-interval[${heartbeat}ms]`
    : undefined;
}

function gateRefusal(
  part: string,
  component: KubernetesComponent,
  minor: number,
): string | undefined {
  const [given = "", value] = part.trim().split("=");
  const gate = given.replace(/^kube:/, "");
  if (gate === "") {
    return undefined;
  }
  if (value === undefined) {
    return `missing bool value for ${gate}`;
  }
  const isOn = truthOf(value);
  if (isOn === undefined) {
    return `invalid value of ${gate}=${value}, err: strconv.ParseBool: parsing ${JSON.stringify(value)}: invalid syntax`;
  }
  const entry = componentTable.featureGates[gate];
  if (entry === undefined || !isInMinors(entry, minor) || entry.without?.includes(component)) {
    return `unrecognized feature gate: ${gate}`;
  }
  const { lockedSince = Infinity, lockedTo = true } = entry;
  return minor >= lockedSince && isOn !== lockedTo
    ? `cannot set feature gate ${gate} to ${String(isOn)}, feature is locked to ${String(lockedTo)}`
    : undefined;
}

function pluginRefusal(flag: string, plugin: string, minor: number): string | undefined {
  const entry = admissionPlugins.get(plugin);
  return plugin === "" || (entry !== undefined && isInMinors(entry, minor))
    ? undefined
    : `${flag} plugin ${JSON.stringify(plugin)} is unknown`;
}

function textsOf(value: YamlValue): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(textsOf);
  }
  return typeof value === "string" ? [value] : [];
}
