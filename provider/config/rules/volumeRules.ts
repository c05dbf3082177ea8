import { isMapping } from "../machineConfig";
import { parseByteSize } from "../schema/byteSize";
import { checkCelVariables } from "./celRules";
import type { DocumentView } from "./documentView";
import { checkUpkeep } from "./storageDocumentRules";

/** Volumes that are folders of EPHEMERAL, unless they get a partition of their own. Since v1.14. */
const OWN_PARTITIONS = ["ETCD", "CRI", "KUBELET", "LOG"];

/** Checks a document about one of Talos' own volumes. */
export function checkSystemVolume(view: DocumentView): void {
  const volumes = [
    ...(view.talosMinor < 11 ? [] : ["STATE"]),
    "EPHEMERAL",
    "IMAGECACHE",
    ...(view.talosMinor < 14 ? [] : OWN_PARTITIONS),
  ];
  const name = view.text("name") ?? "";
  view.requireText(
    ["name"],
    () => volumes.includes(name),
    `is not a volume of Talos: ${volumes.join(", ")}; for another volume use UserVolumeConfig`,
  );
  if (name === "STATE") {
    if (view.isMapping("provisioning")) {
      view.report(
        ["provisioning"],
        "can't be set for STATE, which Talos provisions itself: leave it out",
      );
    }
    view.list("encryption", "keys").forEach((_, index) => {
      if (view.get("encryption", "keys", index, "lockToState") === true) {
        view.report(["encryption", "keys", index, "lockToState"], "can't be true for STATE itself");
      }
    });
  }
  if (view.talosMinor >= 14) {
    checkMountOf(view, name);
    checkUpkeep(view);
  }
  checkCelVariables(view, ["provisioning", "diskSelector", "match"], "disks");
  checkSizes(view);
  checkEncryption(view);
}

/** Settings of volumes that can't be mounted otherwise. Source: types/block/volume_config.go, Talos v1.14.1. */
function checkMountOf(view: DocumentView, name: string): void {
  const mounted = isFilled(view, "mount");
  if (mounted && ["STATE", "IMAGECACHE"].includes(name)) {
    view.report(["mount"], `can't be set for ${name}: leave it out`);
  }
  if (mounted && OWN_PARTITIONS.includes(name) && !isFilled(view, "provisioning")) {
    view.report(["mount"], "needs provisioning: without a partition, EPHEMERAL's mount counts");
  }
  if (name === "IMAGECACHE" && isFilled(view, "filesystem")) {
    view.report(["filesystem"], "can't be set for IMAGECACHE: leave it out");
  }
}

/** Whether a section says something. */
function isFilled(view: DocumentView, section: string): boolean {
  const value = view.get(section);
  return isMapping(value) && Object.values(value).some((each) => each !== null);
}

/** Checks a document about a volume for workloads. */
export function checkUserVolume(view: DocumentView): void {
  checkVolumeName(view);
  const type = view.text("volumeType") ?? "partition";
  if (type === "directory") {
    const inMount = view.talosMinor < 14 ? ["mount"] : ["mount", "disableAccessTime"];
    for (const path of [["provisioning"], ["encryption"], ["filesystem"], inMount]) {
      const value = view.get(...path);
      if (isMapping(value) || typeof value === "boolean") {
        view.report(path, 'has no effect for the volumeType "directory": leave it out');
      }
    }
    checkUpkeep(view);
    return;
  }
  checkProvisioning(view, { sized: type === "partition" });
  checkEncryption(view);
  checkUpkeep(view);
  const isXfs = (view.text("filesystem", "type") ?? "xfs") === "xfs";
  if (view.get("filesystem", "projectQuotaSupport") === true && !isXfs) {
    view.report(["filesystem", "projectQuotaSupport"], "needs the filesystem xfs");
  }
  if (view.isMapping("filesystem", "xfs") && !isXfs) {
    view.report(["filesystem", "xfs"], "needs the filesystem xfs");
  }
}

/** Checks a document about a volume without a file system of its own: raw, or for swap. */
export function checkBareVolume(view: DocumentView): void {
  checkVolumeName(view);
  checkProvisioning(view, { sized: true });
  checkEncryption(view);
}

/** Checks a document about an existing volume. */
export function checkExistingVolume(view: DocumentView): void {
  view.requireText(
    ["name"],
    (name) => /^[A-Za-z0-9-]+$/.test(name),
    "is not a name: letters, digits and hyphens",
  );
  view.require("which volume it is, in CEL", ["discovery", "volumeSelector", "match"]);
  checkCelVariables(view, ["discovery", "volumeSelector", "match"], "volumes");
  checkUpkeep(view);
}

/** Checks a document about a file system that the machine's host shares. Since Talos v1.13. */
export function checkExternalVolume(view: DocumentView): void {
  checkVolumeName(view);
  view.requireWord(["filesystemType"], ["virtiofs"], { optional: false });
  view.require("what the host calls the file system", ["mount", "virtiofs", "tag"]);
}

function checkVolumeName(view: DocumentView): void {
  view.requireText(
    ["name"],
    (name) => /^[A-Za-z0-9-]{1,34}$/.test(name),
    "is not a name for a volume: 1 to 34 letters, digits and hyphens",
  );
}

function checkProvisioning(view: DocumentView, options: { readonly sized: boolean }): void {
  view.require("which disk, in CEL, like !system_disk", ["provisioning", "diskSelector", "match"]);
  checkCelVariables(view, ["provisioning", "diskSelector", "match"], "disks");
  if (options.sized) {
    checkSizes(view);
    if (
      view.text("provisioning", "minSize") === undefined &&
      view.text("provisioning", "maxSize") === undefined
    ) {
      view.report(["provisioning", "minSize"], "or maxSize is required: the size of the volume");
    }
    return;
  }
  for (const key of ["minSize", "maxSize", "grow"]) {
    if (view.get("provisioning", key) !== undefined) {
      view.report(["provisioning", key], "has no effect for a whole disk: leave it out");
    }
  }
}

function checkSizes(view: DocumentView): void {
  const [least, most] = ["minSize", "maxSize"].map((key) =>
    parseByteSize(view.text("provisioning", key) ?? ""),
  );
  for (const key of view.talosMinor < 13 ? ["minSize", "maxSize"] : ["minSize"]) {
    if (view.text("provisioning", key)?.startsWith("-") === true) {
      view.report(["provisioning", key], `${view.quote("provisioning", key)} can't be negative`);
    }
  }
  if (least !== undefined && most !== undefined && least > most) {
    view.report(
      ["provisioning", "maxSize"],
      `${view.quote("provisioning", "maxSize")} is less than minSize, ${view.quote("provisioning", "minSize")}`,
    );
  }
}

function checkEncryption(view: DocumentView): void {
  const path = ["encryption", "keys"];
  const provider = view.text("encryption", "provider") ?? "none";
  // Without a provider and keys, nothing is encrypted.
  if (provider !== "none" || view.list(...path).length > 0) {
    view.requireWord(["encryption", "provider"], ["luks2"], { optional: false });
    view.require("a volume without a key can't be opened", path);
    checkEncryptionKeys(view, path);
    view.list(...path).forEach((_, index) => {
      view.list(...path, index, "tpm", "options", "pcrs").forEach((pcr) => {
        if (typeof pcr === "number" && (pcr < 0 || pcr > 23)) {
          view.report([...path, index, "tpm", "options", "pcrs"], `${pcr} is not a PCR: 0 to 23`);
        }
      });
    });
  }
}

/** Checks the keys of an encrypted volume: each needs its own slot and a kind. */
export function checkEncryptionKeys(view: DocumentView, path: readonly string[]): void {
  const slots = new Set<unknown>();
  view.list(...path).forEach((_, index) => {
    const slot = view.get(...path, index, "slot") ?? 0;
    if (slots.has(slot)) {
      view.report(
        [...path, index, "slot"],
        `${view.quote(...path, index, "slot")} is taken by another key: give each key its own slot`,
      );
    }
    slots.add(slot);
    const kinds = ["static", "nodeID", "kms", "tpm"];
    if (!kinds.some((kind) => view.isMapping(...path, index, kind))) {
      view.report([...path, index], `has no kind: set one of ${kinds.join(", ")}`);
    }
  });
}
