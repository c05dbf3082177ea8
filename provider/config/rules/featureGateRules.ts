import {
  componentTable,
  isInMinors,
  isKnownMinor,
  type KubernetesComponent,
  minorOfImage,
  otherMinors,
} from "../flags/componentTable";
import { isTrue, isTruth } from "../flags/flagValues";
import { type ConfigDocument, isMapping, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import { flagName } from "../releases/removedInKubernetes";
import { adviceOn } from "../suggestion";
import type { DocumentView } from "./documentView";

/** The prefix of a gate that names the component; Kubernetes has registered no other. */
const OWN_PREFIX = /^kube:/;

/** Where a `feature-gates` flag is. */
interface GatesFlag {
  /** Of the flag. */
  readonly path: Path;
  readonly component: KubernetesComponent;
  /** The component's Kubernetes minor. */
  readonly minor: number;
  /** All flags of the component. */
  readonly args: ConfigDocument;
}

/**
 * Checks the gates that a flag sets: `A=true,B=false`, or several such values. A component ends at once
 * with an unknown gate, with a value that is none, and with another value of a gate that is locked.
 *
 * Source: k8s.io/component-base v0.37.2, `featuregate/feature_gate.go`, `Set` and `SetFromMap`.
 */
export function checkGatesOfFlag(
  view: DocumentView,
  { path, component, minor, args }: GatesFlag,
): void {
  // A component that emulates an older minor has the locks of that.
  const locks = !Object.keys(args).some((key) => flagName(key) === "emulated-version");
  const value = args[String(path.at(-1))] ?? null;
  for (const part of partsOf(value)) {
    const [given = "", ...rest] = part.split("=");
    const gate = given.trim().replace(OWN_PREFIX, "");
    const text = rest.join("=").trim();
    const problem = gate.includes(":")
      ? undefined
      : !isTruth(text)
        ? `the feature gate "${gate}" needs a value, "${gate}=true" or "${gate}=false"`
        : gateProblem(gate, isTrue(text), { component, minor, locks });
    view.report(path, problem);
  }
}

/**
 * Checks the gates in the configuration of a component, by name.
 *
 * @param image of the component, whose tag is its release
 */
export function checkGates(
  view: DocumentView,
  path: Path,
  component: KubernetesComponent,
  image: string | undefined,
): void {
  const gates = view.get(...path);
  const target = { component, minor: minorOfImage(image), locks: true };
  for (const [gate, value] of Object.entries(isMapping(gates) ? gates : {})) {
    view.report(
      [...path, gate],
      typeof value === "boolean" ? gateProblem(gate, value, target) : undefined,
    );
  }
}

/** Whose gates are judged. */
interface GatesOf {
  readonly component: KubernetesComponent;
  readonly minor: number;
  /** Whether locked gates are. */
  readonly locks: boolean;
}

function gateProblem(
  gate: string,
  value: boolean,
  { component, minor, locks }: GatesOf,
): string | undefined {
  const gates = componentTable.featureGates;
  const entry = Object.hasOwn(gates, gate) ? gates[gate] : undefined;
  if (!isKnownMinor(minor)) {
    return undefined;
  }
  if (entry?.without?.includes(component) === true && isInMinors(entry, minor)) {
    return `${gate} is a feature gate of other components, and this one fails to start with it: leave it out`;
  }
  if (entry === undefined || !isInMinors(entry, minor)) {
    const here = Object.keys(gates).filter((name) => isInMinors(gates[name] ?? {}, minor));
    const advice = adviceOn(gate, otherMinors(entry, minor), here);
    return `Kubernetes v1.${minor} has no feature gate ${JSON.stringify(gate)}, and its components fail to start with it: ${advice}`;
  }
  const { lockedSince = Infinity, lockedTo = true } = entry;
  return locks && minor >= lockedSince && value !== lockedTo
    ? `the feature gate "${gate}" is always ${String(lockedTo)} since Kubernetes v1.${lockedSince}, and components fail to start with ${String(value)}: leave it out`
    : undefined;
}

/** The settings in a flag's value, which may be empty. */
function partsOf(value: YamlValue): string[] {
  if (Array.isArray(value)) {
    return value.flatMap(partsOf);
  }
  return typeof value === "string" ? value.split(",").filter((part) => part.trim() !== "") : [];
}
