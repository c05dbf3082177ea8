import { isDeepStrictEqual } from "node:util";
import { type ConfigDocument, isMapping, textAt, type YamlValue } from "./machineConfig";

/** A change of a machine's configuration that changes nothing of what already runs. */
export interface UnheededChange {
  /** `notUpgraded`: an image stays the old one. `notTaken`: something else stays as it was. */
  readonly code: "notUpgraded" | "notTaken";
  /** Where, as in an outline: `machine.install.image`. */
  readonly path: string;
  /** What stays as it is, and how it becomes what the configuration says. */
  readonly reason: string;
}

/**
 * The changes that a machine accepts and that come to nothing, or only to new machines and new
 * clusters.
 *
 * - The installer's image counts when somebody upgrades Talos.
 * - Talos creates what its manifests name and leaves what exists alone: kube-proxy, CoreDNS, the pod
 *   network, inline and extra manifests. They follow where something else brings them to the cluster.
 * - kubelet registers its node with taints and never changes them. On a worker, Talos itself acts with
 *   kubelet's credentials, to which Kubernetes' NodeRestriction refuses changes of taints.
 *
 * Sources: talos v1.12.1, `manifest_apply.go`, `node_apply.go`; kubernetes v1.35.0,
 * `plugin/pkg/admission/noderestriction/admission.go`; Talos' documentation, "Upgrading Talos Linux".
 *
 * @param before the outline of what the machine runs (`outlineDocuments`); undefined for a new machine
 * @param after the outline of what it is to run
 * @param heeded what follows: `isUpgraded`, the machine's Talos its installer; `isSynced`, the cluster its
 *   manifests. Default: neither
 */
export function unheededChanges(
  before: ConfigDocument | undefined,
  after: ConfigDocument,
  heeded: { readonly isUpgraded?: boolean; readonly isSynced?: boolean } = {},
): readonly UnheededChange[] {
  const isWorker = textAt(after.machine, "type") === "worker";
  if (before === undefined) {
    return isWorker ? workerTaints({}, after) : [];
  }
  return [
    ...(heeded.isUpgraded === true ? [] : installer(before, after)),
    ...registrationTaints(before, after),
    ...(isWorker ? workerTaints(before, after) : []),
    ...(isWorker || heeded.isSynced === true ? [] : manifests(before, after)),
  ];
}

function installer(before: ConfigDocument, after: ConfigDocument): readonly UnheededChange[] {
  const path = "machine.install.image";
  const [old, now] = [textIn(before, path), textIn(after, path)];
  const reason = `only the installer changes: the Talos that runs stays as it is until somebody upgrades each machine with \`talosctl upgrade --image ${now ?? ""}\`, one after another`;
  return old === undefined || now === undefined || old === now
    ? []
    : [{ code: "notUpgraded", path, reason }];
}

function registrationTaints(
  before: ConfigDocument,
  after: ConfigDocument,
): readonly UnheededChange[] {
  const path = "machine.kubelet.extraConfig.registerWithTaints";
  const reason =
    "a node gets these taints only when it registers, and one that is there keeps those it has: change them with `kubectl taint node`, or make the machine anew";
  return differs(before, after, path) ? [{ code: "notTaken", path, reason }] : [];
}

function workerTaints(before: ConfigDocument, after: ConfigDocument): readonly UnheededChange[] {
  const path = "machine.nodeTaints";
  const taints = valueAt(after, path);
  const isGiven = isMapping(taints) && Object.keys(taints).length > 0;
  const reason =
    "Kubernetes lets no worker change its own taints, and then refuses its labels and annotations too: give the option nodeTaints instead of this patch, with which new workers register, and use `kubectl taint node` for those that are there";
  return isGiven && differs(before, after, path) ? [{ code: "notTaken", path, reason }] : [];
}

/** What Talos makes of its manifests once, and how it changes later. */
const leftAlone: readonly { readonly path: string; readonly what: string }[] = [
  { path: "cluster.coreDNS", what: "a CoreDNS" },
  { path: "cluster.network.cni", what: "a pod network" },
];

function manifests(before: ConfigDocument, after: ConfigDocument): readonly UnheededChange[] {
  return [
    ...proxy(before, after),
    ...leftAlone
      .filter(({ path }) => differs(before, after, path))
      .map(({ path, what }) => notTaken(path, `${what} that runs`)),
    ...changedInlineManifests(before, after).map((name) =>
      notTaken(`cluster.inlineManifests.${name}`, `what exists of the manifest "${name}"`),
    ),
    ...removedUrls(before, after).map(({ path, url }) =>
      notTaken(path, `what exists of the manifest ${url}`),
    ),
  ];
}

function notTaken(path: string, what: string): UnheededChange {
  const reason = `Talos leaves ${what} as it is: \`talosctl upgrade-k8s\` brings what is new, and what is to go is deleted with kubectl`;
  return { code: "notTaken", path, reason };
}

function proxy(before: ConfigDocument, after: ConfigDocument): readonly UnheededChange[] {
  const path = "cluster.proxy";
  const [wasDisabled, isDisabled] = [before, after].map(
    (document) => valueAt(document, `${path}.disabled`) === true,
  );
  if (wasDisabled === true || !differs(before, after, path)) {
    return [];
  }
  const leaves = "Talos leaves a kube-proxy that runs as it is";
  if (isDisabled === true) {
    const reason = `${leaves}: delete it with \`kubectl -n kube-system delete daemonset kube-proxy\``;
    return [{ code: "notTaken", path: `${path}.disabled`, reason }];
  }
  const reason = `${leaves}: it becomes the new one with \`talosctl upgrade-k8s\``;
  return differs(before, after, `${path}.image`)
    ? [{ code: "notUpgraded", path: `${path}.image`, reason }]
    : [{ code: "notTaken", path, reason }];
}

/** Names of inline manifests that were there and are others now, or gone. */
function changedInlineManifests(before: ConfigDocument, after: ConfigDocument): readonly string[] {
  const path = "cluster.inlineManifests";
  const [old, now] = [valueAt(before, path), valueAt(after, path)].map((found) =>
    isMapping(found) ? found : {},
  );
  // Their order is no change of them.
  return Object.entries(old ?? {}).flatMap(([name, manifest]) =>
    isMapping(manifest) && !isDeepStrictEqual(manifest, now?.[name]) ? [name] : [],
  );
}

/** URLs of manifests that are no longer named, also because another version is. */
function removedUrls(before: ConfigDocument, after: ConfigDocument) {
  return ["cluster.extraManifests", "cluster.externalCloudProvider.manifests"].flatMap((path) => {
    const [old = [], now = []] = [valueAt(before, path), valueAt(after, path)].map((found) =>
      (Array.isArray(found) ? found : []).filter((url) => typeof url === "string"),
    );
    return old.filter((url) => !now.includes(url)).map((url) => ({ path, url }));
  });
}

function differs(before: ConfigDocument, after: ConfigDocument, path: string): boolean {
  return !isDeepStrictEqual(valueAt(before, path), valueAt(after, path));
}

function textIn(document: ConfigDocument, path: string): string | undefined {
  const value = valueAt(document, path);
  return typeof value === "string" ? value : undefined;
}

function valueAt(document: ConfigDocument, path: string): YamlValue | undefined {
  return path
    .split(".")
    .reduce<YamlValue | undefined>(
      (value, key) => (isMapping(value) ? value[key] : undefined),
      document,
    );
}
