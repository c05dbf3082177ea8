import { isDeepStrictEqual } from "node:util";
import type { ConfigDocument } from "../../../provider/config/machineConfig";
import { encodeDocuments } from "../../../provider/config/encode";
import { v1alpha1Document } from "./machineFacts";
import { unifiedDiff } from "./unifiedDiff";
import type { valueAt } from "./yamlPath";

/**
 * What of the v1alpha1 document a running node takes over at once; a change of anything else needs
 * a reboot, and other documents never do (talos v1.12.1, `Runtime.CanApplyImmediate`).
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
 * Why the change from one configuration to the other needs a reboot, in Talos' words with the
 * difference that does, or `undefined` if it can be applied to the running node.
 */
export function rebootReason(
  current: readonly ConfigDocument[],
  next: readonly ConfigDocument[],
): string | undefined {
  const before = v1alpha1Document(current);
  const after = v1alpha1Document(next);
  if (!before) return "current config is not v1alpha1";
  if (!after) return "new config is not v1alpha1";
  const compared = withLivePartsOf(before, after);
  if (isDeepStrictEqual(before, compared)) return undefined;
  const difference = unifiedDiff(encodeDocuments([before]), encodeDocuments([compared]));
  return `this config change can't be applied in immediate mode\ndiff:\n${difference}`;
}

/** `document` with every live part as `source` has it, at the place `source` has it. */
function withLivePartsOf(source: ConfigDocument, document: ConfigDocument): ConfigDocument {
  return livePaths.reduce((result, path) => replaceAt(source, result, path), document);
}

function replaceAt(
  source: ConfigDocument,
  document: ConfigDocument,
  [key, ...rest]: readonly string[],
): ConfigDocument {
  if (key === undefined) return document;
  const from = source[key];
  const to = document[key];
  const value =
    rest.length === 0 ? from : isMap(from) && isMap(to) ? replaceAt(from, to, rest) : to;
  const merged: ConfigDocument = {};
  for (const name of mergedOrder(Object.keys(source), Object.keys(document))) {
    const kept = name === key ? value : document[name];
    if (kept !== undefined) merged[name] = kept;
  }
  return merged;
}

/**
 * The names of the first list in its order, each further one of the second after the name it follows
 * there, so that the texts compared differ in nothing but the change.
 */
function mergedOrder(first: readonly string[], second: readonly string[]): readonly string[] {
  const order = [...first];
  second.forEach((name, index) => {
    if (order.includes(name)) return;
    const before = second[index - 1];
    order.splice(before === undefined ? 0 : order.indexOf(before) + 1, 0, name);
  });
  return order;
}

function isMap(value: ReturnType<typeof valueAt>): value is ConfigDocument {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
