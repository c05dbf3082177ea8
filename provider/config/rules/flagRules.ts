import {
  componentTable,
  type FlagEntry,
  isInMinors,
  isKnownMinor,
  type KubernetesComponent,
  minorOfImage,
  otherMinors,
} from "../flags/componentTable";
import { etcdFlagTable } from "../flags/etcdFlags";
import { valueProblem } from "../flags/flagValues";
import { isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { etcdMinor } from "../releases/etcdRelease";
import { flagName, removalOfFlag } from "../releases/removedInKubernetes";
import { leaveOut, suggest, useOther } from "../suggestion";
import { checkDeniedFlags, deniedFlagsOf, type FlaggedProgram } from "./deniedFlags";
import type { DocumentView } from "./documentView";
import { checkGatesOfFlag } from "./featureGateRules";
import { boundOfFlag, missingFlags } from "./flagBounds";

/** The name of each program's binary. */
export const BINARIES: Readonly<Record<FlaggedProgram, string>> = {
  apiServer: "kube-apiserver",
  controllerManager: "kube-controller-manager",
  scheduler: "kube-scheduler",
  kubelet: "kubelet",
  proxy: "kube-proxy",
  etcd: "etcd",
};

/** What a release of a program accepts. */
interface KnownFlags {
  /** Flags of all releases. */
  readonly all: Readonly<Record<string, FlagEntry>>;
  readonly minor: number;
  /** The release in a message: "Kubernetes v1.35". */
  readonly release: string;
}

/**
 * Checks the additional flags of all programs in the machine configuration proper: what Talos
 * denies, and what the program itself refuses.
 */
export function checkFlags(view: DocumentView): void {
  checkFlagsOf(view, "kubelet", ["machine", "kubelet"]);
  // A worker reads none of the others.
  if (view.get("machine", "type") === "controlplane") {
    for (const program of [
      "apiServer",
      "controllerManager",
      "scheduler",
      "proxy",
      "etcd",
    ] as const) {
      checkFlagsOf(view, program, ["cluster", program]);
    }
  }
}

/**
 * Checks the additional flags of a program. It ends at once with one that it doesn't know, and with a
 * value of another type. Talos hands both on unseen.
 *
 * @param place of its settings, with `image` and `extraArgs`
 */
export function checkFlagsOf(view: DocumentView, program: FlaggedProgram, place: Path): void {
  checkDeniedFlags(view, program, place);
  const args = view.get(...place, "extraArgs");
  const known = knownFlags(view, program, place);
  if (!isMapping(args) || known === undefined) {
    return;
  }
  const denied = deniedFlagsOf(program, view.talosMinor);
  const given = new Map(
    Object.entries(args).map(([key, value]) => [
      flagName(key),
      textsIn(value, [])
        .map(([, text]) => text)
        .join(),
    ]),
  );
  for (const [key, value] of Object.entries(args)) {
    const path = [...place, "extraArgs", key];
    // Go's package flag, which etcd uses, takes "_" and "-" for different.
    const name = program === "etcd" ? key : flagName(key);
    const entry = Object.hasOwn(known.all, name) ? known.all[name] : undefined;
    if (denied.has(key) || value === null || (value === "" && view.talosMinor >= NO_EMPTY_SINCE)) {
      continue;
    }
    if (entry === undefined || !isInMinors(entry, known.minor)) {
      view.report(path, unknownFlag({ program, key, name, entry }, known));
      continue;
    }
    for (const [where, text] of textsIn(value, path)) {
      const form = valueProblem(entry.type, text) ?? boundOfFlag(program, name, text, known.minor);
      if (form !== undefined) {
        view.report(
          where,
          `${view.quote(...where)} is not ${form}: ${BINARIES[program]} fails to start with it`,
        );
      }
    }
    const missing = missingFlags(program, name, given);
    if (missing.length > 0) {
      view.report(
        path,
        `needs ${missing.join(" and ")} too: ${BINARIES[program]} fails to start without`,
      );
    }
    if (program !== "etcd" && name === "feature-gates") {
      checkGatesOfFlag(view, { path, component: program, minor: known.minor, args });
    }
  }
}

/** The texts of a flag's value, each with its place. */
function textsIn(value: YamlValue, path: Path): (readonly [Path, string])[] {
  if (Array.isArray(value)) {
    return value.flatMap((item, index) => textsIn(item, [...path, index]));
  }
  return typeof value === "string" ? [[path, value]] : [];
}

function knownFlags(
  view: DocumentView,
  program: FlaggedProgram,
  place: Path,
): KnownFlags | undefined {
  const image = view.text(...place, "image");
  if (program === "etcd") {
    const minor = etcdMinor(image, view.talosMinor);
    return minor === undefined || etcdFlagTable.releases[String(minor)] === undefined
      ? undefined
      : { all: etcdFlagTable.flags, minor, release: `etcd 3.${minor}` };
  }
  const minor = minorOfImage(image);
  return isKnownMinor(minor)
    ? { all: componentTable.flags[program], minor, release: `Kubernetes v1.${minor}` }
    : undefined;
}

/** A flag that a release of a program doesn't have. */
interface Unknown {
  readonly program: FlaggedProgram;
  /** As it is written. */
  readonly key: string;
  /** As the program reads it. */
  readonly name: string;
  /** What other releases have by that name. */
  readonly entry: FlagEntry | undefined;
}

function unknownFlag({ program, key, name, entry }: Unknown, known: KnownFlags): string {
  return `${known.release} has no flag ${JSON.stringify(key)} of ${BINARIES[program]}, which fails to start with it: ${advice()}`;

  function advice(): string {
    const { all, minor } = known;
    const elsewhere = otherMinors(entry, minor);
    if (program === "etcd") {
      const spelled = flagName(key);
      const near = isInMinors(all[spelled] ?? NEVER, minor) ? spelled : nearest();
      return elsewhere === undefined ? useOther(near) : leaveOut(elsewhere.replace("v1.", "3."));
    }
    const removed = removalOfFlag(program, name);
    if (removed !== undefined && removed <= minor) {
      return leaveOut(`was removed in v1.${removed}`);
    }
    const owner = COMPONENTS.find((other) =>
      isInMinors(componentTable.flags[other][name] ?? NEVER, minor),
    );
    return elsewhere !== undefined
      ? leaveOut(elsewhere)
      : owner === undefined
        ? useOther(nearest())
        : leaveOut(`is a flag of ${BINARIES[owner]}`);
  }

  function nearest(): string | undefined {
    const { all, minor } = known;
    const here = Object.keys(all).filter((each) => isInMinors(all[each] ?? NEVER, minor));
    return suggest(name, here);
  }
}

const NEVER = { since: Infinity };

/**
 * From this minor on, Talos gives a program no flag whose value is an empty text. An empty text in a list
 * still makes one. Source: Talos v1.12.1 and v1.13.9, `argsbuilder_args.go` and `Args.ToMap`.
 */
const NO_EMPTY_SINCE = 13;

const COMPONENTS = Object.keys(componentTable.flags) as KubernetesComponent[];
