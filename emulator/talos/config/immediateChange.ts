import { isDeepStrictEqual } from "node:util";
import { type ConfigDocument, encodeDocuments, talosMinor } from "../../../provider/config";
import { v1alpha1Document } from "./machineFacts";
import { unifiedDiff } from "./unifiedDiff";
import type { valueAt } from "./yamlPath";

/** From this minor on, Talos applies each configuration without a reboot. Source: talos v1.14.1, `v1alpha1_server.go`. */
const FIRST_MINOR_WITHOUT_REBOOT = 14;

/**
 * Whether a Talos release reboots for some changes of its configuration. A newer one applies all of
 * them at once; what only a boot reads then waits for the next boot, and nothing says so.
 */
export function rebootsForConfigurations(talosVersion: string): boolean {
  return (talosMinor(talosVersion) ?? 0) < FIRST_MINOR_WITHOUT_REBOOT;
}

/**
 * Paths of the v1alpha1 document that a running node applies without a reboot. Other changes of it
 * need one; other documents never do (talos v1.12.1, `Runtime.CanApplyImmediate`).
 */
const livePaths: readonly (readonly string[])[] = [
  ["debug"],
  ["cluster"],
  ...[
    "ca",
    "acceptedCAs",
    "time",
    "certSANs",
    "install",
    "network",
    "sysfs",
    "sysctls",
    "logging",
    "controlPlane",
    "kubelet",
    "kernel",
    "registries",
    "pods",
    "seccompProfiles",
    "nodeAnnotations",
    "nodeLabels",
    "nodeTaints",
  ].map((key) => ["machine", key]),
  ...[
    "kubernetesTalosAPIAccess",
    "kubePrism",
    "hostDNS",
    "imageCache",
    "nodeAddressSortAlgorithm",
  ].map((key) => ["machine", "features", key]),
];

/**
 * Why a change of the configuration needs a reboot, with Talos' message and the responsible
 * difference; `undefined` if it needs none.
 */
export function rebootReason(
  current: readonly ConfigDocument[],
  next: readonly ConfigDocument[],
): string | undefined {
  const before = v1alpha1Document(current);
  const after = v1alpha1Document(next);
  if (!before) {
    return "current config is not v1alpha1";
  }
  if (!after) {
    return "new config is not v1alpha1";
  }
  const compared = withLivePartsOf(before, after);
  if (isDeepStrictEqual(before, compared)) {
    return undefined;
  }
  const difference = unifiedDiff(encodeDocuments([before]), encodeDocuments([compared]));
  return `this config change can't be applied in immediate mode\ndiff:\n${difference}`;
}

/** `document` with the live parts of `source`, in the places of `source`. */
function withLivePartsOf(source: ConfigDocument, document: ConfigDocument): ConfigDocument {
  return livePaths.reduce((result, path) => replaceAt(source, result, path), document);
}

function replaceAt(
  source: ConfigDocument,
  document: ConfigDocument,
  [key, ...rest]: readonly string[],
): ConfigDocument {
  if (key === undefined) {
    return document;
  }
  const from = source[key];
  const to = document[key];
  const value =
    rest.length === 0 ? from : isMap(from) && isMap(to) ? replaceAt(from, to, rest) : to;
  const merged: ConfigDocument = {};
  for (const name of mergedOrder(Object.keys(source), Object.keys(document))) {
    const kept = name === key ? value : document[name];
    if (kept !== undefined) {
      merged[name] = kept;
    }
  }
  return merged;
}

/**
 * The names of the first list in order, with each further name of the second after its predecessor
 * there. So the compared texts differ only by the change.
 */
function mergedOrder(first: readonly string[], second: readonly string[]): readonly string[] {
  const order = [...first];
  second.forEach((name, index) => {
    if (order.includes(name)) {
      return;
    }
    const before = second[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name);
  });
  return order;
}

function isMap(value: ReturnType<typeof valueAt>): value is ConfigDocument {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
