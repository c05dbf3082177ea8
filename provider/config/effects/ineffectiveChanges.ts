import { isDeepStrictEqual } from "node:util";
import { idleInstallSettings } from "../installer/idleInstallSettings";
import { type ConfigDocument, isMapping, textAt } from "../machineConfig";
import { documentsNamed } from "../settings/formsOfKinds";
import { INSTALLER, installerOf } from "../settings/installer";
import { mappingIn, settingIn, textsIn, valueIn } from "../settings/settingIn";
import { installedMinor } from "../talosSystem";
import { changeEffects } from "./changeEffects";
import { comparableOutlines } from "./comparableOutlines";

/** A change of a machine's configuration without effect on anything that already runs. */
export interface IneffectiveChange {
  /** `notUpgraded`: an image stays the old one. `notTaken`: another setting stays the old one. */
  readonly code: "notUpgraded" | "notTaken";
  /** The place, as in an outline: `machine.install.image`. */
  readonly path: string;
  /** What stays unchanged, and how to change it. */
  readonly reason: string;
}

/**
 * The changes that a machine accepts without effect, or with an effect only on new machines and new
 * clusters.
 *
 * - The installer's image has an effect only in an upgrade of Talos. So have its other settings.
 * - Talos creates the objects of its manifests and then leaves them alone: kube-proxy, CoreDNS, the
 *   pod network, inline and extra manifests. They follow only if another resource applies them.
 * - Some settings count only for a machine, node or volume that does not exist yet: `effectTable`.
 * - On a worker, Talos uses kubelet's credentials for its node. Kubernetes' NodeRestriction forbids
 *   those to change taints.
 *
 * Sources: talos v1.12.1, `manifest_apply.go`, `node_apply.go`; kubernetes v1.35.0,
 * `plugin/pkg/admission/noderestriction/admission.go`; Talos' documentation, "Upgrading Talos
 * Linux".
 *
 * @param former the outline of the running configuration (`outlineDocuments`); undefined for a new
 *   machine
 * @param next the outline of the new configuration
 * @param heeded what follows the configuration: with `isUpgraded` the machine's Talos, with
 *   `isSynced` the cluster's manifests. Default: neither
 */
export function ineffectiveChanges(
  former: ConfigDocument | undefined,
  next: ConfigDocument,
  heeded: { readonly isUpgraded?: boolean; readonly isSynced?: boolean } = {},
): readonly IneffectiveChange[] {
  const { isUpgraded = false, isSynced = false } = heeded;
  const isWorker = textAt(next.machine, "type") === "worker";
  if (former === undefined) {
    return [...idle({}, next), ...(isWorker ? workerTaints({}, next) : [])];
  }
  const [before, after] = comparableOutlines(former, next);
  return [
    ...idle(before, after),
    ...(isUpgraded ? [] : installer(before, after)),
    ...settings(before, after, isUpgraded && installerOf(before) !== installerOf(after)),
    ...partitions(before, after),
    ...(isWorker ? workerTaints(before, after) : []),
    ...(isWorker || isSynced ? [] : manifests(before, after)),
  ];
}

function installer(before: ConfigDocument, after: ConfigDocument): readonly IneffectiveChange[] {
  const [old, now] = [installerOf(before), installerOf(after)];
  const path = placeIn(before, after, INSTALLER);
  const reason = `only the installer changes: the running Talos stays unchanged until you upgrade each machine with \`talosctl upgrade --image ${now ?? ""}\`, one after another`;
  return old === undefined || now === undefined || old === now
    ? []
    : [{ code: "notUpgraded", path, reason }];
}

/** Settings of the installation that are new, on a machine that boots an image. */
function idle(before: ConfigDocument, after: ConfigDocument): readonly IneffectiveChange[] {
  const former = new Map(idleInstallSettings(before).map(({ path, value }) => [path, value]));
  return idleInstallSettings(after)
    .filter(({ path, value }) => !isDeepStrictEqual(former.get(path), value))
    .map(({ path, reason }) => ({ code: "notTaken", path, reason }));
}

/**
 * Settings that a running machine reads too late, by `effectTable`.
 *
 * @param isUpgraded whether Talos is upgraded by the same change
 */
function settings(
  before: ConfigDocument,
  after: ConfigDocument,
  isUpgraded: boolean,
): readonly IneffectiveChange[] {
  const idlePaths = [before, after].flatMap(idleInstallSettings).map(({ path }) => path);
  const late = changeEffects(before, after, installedMinor(after)).flatMap(
    ({ effect, path: changed, row: { path: pattern, reason } }): (readonly [string, string])[] => {
      const isLate = effect === "newMachine" || effect === "nextStart";
      const counts = isLate || (effect === "upgrade" && !isUpgraded);
      const path = changed.slice(0, pattern.split(".").length).join(".");
      const isIdle = [path, changed.join(".")].some((each) => idlePaths.includes(each));
      return reason !== undefined && counts && !isIdle ? [[path, `${path}: ${reason}`]] : [];
    },
  );
  return [...new Map(late)].map(([path, reason]) => ({ code: "notTaken", path, reason }));
}

/** Legacy disks with partitions, which Talos makes on an empty disk only: `user_disk_config.go`. */
function partitions(before: ConfigDocument, after: ConfigDocument): readonly IneffectiveChange[] {
  const path = "machine.disks";
  const [old, now] = [before, after].map((outline) => {
    const disks = valueIn(outline, path);
    const entries = (Array.isArray(disks) ? disks : []).filter(isMapping);
    return new Map(entries.map((disk) => [textAt(disk, "device"), disk.partitions]));
  });
  return [...(now ?? [])].flatMap(([device, wanted]) => {
    const had = old?.get(device);
    const reason = `${path}: partitions of ${device ?? "a disk"} that exist keep their size and number: only a disk without partitions, or a new machine, follows the change`;
    return had === undefined || isDeepStrictEqual(had, wanted)
      ? []
      : [{ code: "notTaken" as const, path, reason }];
  });
}

function workerTaints(before: ConfigDocument, after: ConfigDocument): readonly IneffectiveChange[] {
  const setting = "machine.nodeTaints";
  const isGiven = Object.keys(mappingIn(after, setting)).length > 0;
  const reason =
    "Kubernetes does not let workers change their own taints, and then refuses their labels and annotations too: use the option nodeTaints instead of this patch for new workers, and `kubectl taint node` for existing ones";
  return isGiven && differs(before, after, setting)
    ? [{ code: "notTaken", path: placeIn(before, after, setting), reason }]
    : [];
}

/** Objects that Talos creates once, and how to change them later. */
const leftAlone: readonly { readonly path: string; readonly what: string }[] = [
  { path: "cluster.coreDNS", what: "a CoreDNS" },
  { path: "cluster.network.cni", what: "a pod network" },
];

function manifests(before: ConfigDocument, after: ConfigDocument): readonly IneffectiveChange[] {
  return [
    ...proxy(before, after),
    ...leftAlone
      .filter(({ path }) => differs(before, after, path))
      .map(({ path, what }) => notTaken(placeIn(before, after, path), `${what} that runs`)),
    ...changedInlineManifests(before, after).map((name) =>
      notTaken(
        placeIn(before, after, INLINE_MANIFESTS, name),
        `existing objects of the manifest "${name}"`,
      ),
    ),
    ...removedUrls(before, after).map(({ path, url }) =>
      notTaken(path, `existing objects of the manifest ${url}`),
    ),
  ];
}

function notTaken(path: string, what: string): IneffectiveChange {
  const reason = `Talos does not change ${what}: apply changes with \`talosctl upgrade-k8s\`, and delete removed objects with kubectl`;
  return { code: "notTaken", path, reason };
}

function proxy(before: ConfigDocument, after: ConfigDocument): readonly IneffectiveChange[] {
  const path = "cluster.proxy";
  const [wasDisabled, isDisabled] = [before, after].map(
    (outline) => valueIn(outline, `${path}.disabled`) === true,
  );
  if (wasDisabled === true || !differs(before, after, path)) {
    return [];
  }
  const leaves = "Talos does not change a running kube-proxy";
  if (isDisabled === true) {
    const reason = `${leaves}: delete it with \`kubectl -n kube-system delete daemonset kube-proxy\``;
    return [{ code: "notTaken", path: placeIn(before, after, `${path}.disabled`), reason }];
  }
  const reason = `${leaves}: update it with \`talosctl upgrade-k8s\``;
  return differs(before, after, `${path}.image`)
    ? [{ code: "notUpgraded", path: placeIn(before, after, `${path}.image`), reason }]
    : [{ code: "notTaken", path: placeIn(before, after, path), reason }];
}

const INLINE_MANIFESTS = "cluster.inlineManifests";

/** Names of inline manifests that were changed or removed. */
function changedInlineManifests(before: ConfigDocument, after: ConfigDocument): readonly string[] {
  const [old, now] = [before, after].map((outline) => mappingIn(outline, INLINE_MANIFESTS));
  // Their order has no meaning.
  return Object.entries(old ?? {}).flatMap(([name, manifest]) =>
    isMapping(manifest) && !isDeepStrictEqual(manifest, now?.[name]) ? [name] : [],
  );
}

/** URLs of manifests that were removed, also if another version replaces them. */
function removedUrls(before: ConfigDocument, after: ConfigDocument) {
  return ["cluster.extraManifests", "cluster.externalCloudProvider.manifests"].flatMap((path) => {
    const [old = [], now = []] = [before, after].map((outline) => textsIn(outline, path));
    return old
      .filter((url) => !now.includes(url))
      .map((url) => ({ path: documentOfUrl(before, url) ?? path, url }));
  });
}

/** The id of the document with the URL of a manifest. */
function documentOfUrl(outline: ConfigDocument, url: string): string | undefined {
  const kind = "KubeExternalManifestConfig";
  const found = documentsNamed(outline, kind).find(([, document]) => document.url === url);
  return found && `${kind}/${found[0]}`;
}

function differs(before: ConfigDocument, after: ConfigDocument, setting: string): boolean {
  return !isDeepStrictEqual(valueIn(before, setting), valueIn(after, setting));
}

/** Where a setting stands after a change, or stood before it. */
function placeIn(
  before: ConfigDocument,
  after: ConfigDocument,
  setting: string,
  ...more: readonly string[]
): string {
  const [was, is] = [before, after].map((outline) => settingIn(outline, setting, ...more));
  const found = is?.value === undefined ? was : is;
  return found === undefined ? setting : found.place.join(".");
}
