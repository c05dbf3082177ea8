import type { Path } from "../path";
import { parseByteSize } from "../schema/byteSize";
import { parseDuration } from "../schema/duration";
import { checkCelVariables } from "./celRules";
import type { DocumentView } from "./documentView";

/** The shortest time between two scrubs, in nanoseconds. */
const MIN_SCRUB_NANOSECONDS = 10_000_000_000n;

/**
 * Checks how often file systems are trimmed and scrubbed, in a document of their own or in that of a
 * volume. Since v1.14. Source: `Validate` in types/block/{trim,scrub}.go, Talos v1.14.1.
 */
export function checkUpkeep(view: DocumentView): void {
  view.requireNotNegative(["trim", "interval"]);
  checkScrub(view, ["scrub", "interval"]);
}

/** Checks the document `FilesystemTrimConfig`. */
export function checkTrimDocument(view: DocumentView): void {
  view.requireNotNegative(["interval"]);
}

/** Checks the document `FilesystemScrubConfig`. */
export function checkScrubDocument(view: DocumentView): void {
  checkScrub(view, ["interval"]);
}

function checkScrub(view: DocumentView, path: Path): void {
  const interval = parseDuration(view.text(...path) ?? "") ?? 0n;
  if (interval !== 0n && interval < MIN_SCRUB_NANOSECONDS) {
    view.report(path, `${view.quote(...path)} is too short: at least 10s`);
  }
}

/**
 * Checks the document `LVMVolumeGroupConfig`. Since v1.14. Source of this and the next two:
 * pkg/machinery/config/types/storage, Talos v1.14.1.
 */
export function checkVolumeGroup(view: DocumentView): void {
  checkName(view, 63);
  checkMembers(view);
}

/** Checks the document `RAIDArrayConfig`. */
export function checkRaidArray(view: DocumentView): void {
  checkName(view, 32);
  checkMembers(view);
}

/** Checks the document `LVMLogicalVolumeConfig`. */
export function checkLogicalVolume(view: DocumentView): void {
  checkName(view, 63);
  const type = view.text("type") ?? "linear";
  checkCount(view, "mirrors", 1, ["raid1", "raid10"].includes(type), type);
  checkCount(view, "stripes", 2, ["raid0", "raid10"].includes(type), type);
  const place = ["provisioning"];
  view.require("the volume group that it is in", [...place, "volumeGroup"]);
  view.require("the size of the volume", [...place, "maxSize"]);
  const [least, most] = ["minSize", "maxSize"].map((key) =>
    parseByteSize(view.text(...place, key) ?? ""),
  );
  if (view.text(...place, "maxSize")?.startsWith("-") === true) {
    view.report([...place, "maxSize"], `${view.quote(...place, "maxSize")} can't be negative`);
  } else if (least !== undefined && most !== undefined && least > most) {
    view.report(
      [...place, "maxSize"],
      `${view.quote(...place, "maxSize")} is less than minSize, ${view.quote(...place, "minSize")}`,
    );
  }
}

function checkCount(
  view: DocumentView,
  key: string,
  least: number,
  isUsed: boolean,
  type: string,
): void {
  const count = view.get(key);
  if (count !== undefined && !isUsed) {
    view.report([key], `has no effect for the type "${type}": leave it out`);
  } else if (typeof count === "number" && count < least) {
    view.report([key], `${count} is too few: at least ${least}`);
  }
}

function checkName(view: DocumentView, longest: number): void {
  view.requireText(
    ["name"],
    (name) => /^[\w-]+$/.test(name) && name.length <= longest,
    `is not a name here: 1 to ${longest} letters, digits, "-" and "_"`,
  );
}

function checkMembers(view: DocumentView): void {
  const path = ["provisioning", "volumeSelector", "match"];
  view.require("which volumes are its members, in CEL", path);
  checkCelVariables(view, path, "members");
}
