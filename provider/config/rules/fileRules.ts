import { dirname, normalize } from "node:path/posix";
import type { DocumentView } from "./documentView";

/** Folders and files outside `/var` that Talos creates. Source: see `checkFiles`. */
const CREATED_FOLDER = "/etc/kubernetes/manifests";
const CREATED_FILE = "/etc/cri/conf.d/20-customization.part";

/** Beginning of the folders with this package's own files. */
const OWN_FOLDERS = "/var/etc/talos-aws";

/**
 * Checks `machine.files`. Talos writes them at a boot, creates files in `/var` alone, and ends the
 * boot with an error for another one, so that the machine restarts again and again. Source: Talos
 * v1.12.1 and v1.14.1, `WriteUserFiles` in `v1alpha1_sequencer_tasks.go`; siderolabs/talos issue 5147.
 * Of two files at one path, it keeps the last, which must not replace one of this package.
 */
export function checkFiles(view: DocumentView): void {
  const places = view
    .list("machine", "files")
    .map((_, index) => ["machine", "files", index, "path"]);
  const files = places.map((path) => view.text(...path));
  places.forEach((path, index) => {
    const file = files[index];
    if (file?.startsWith(OWN_FOLDERS) === true && files.indexOf(file) !== index) {
      view.report(
        path,
        `${view.quote(...path)} is there already: folders that begin with ${OWN_FOLDERS} are for files of this package, so put yours elsewhere`,
      );
    }
    if (
      view.get("machine", "files", index, "op") === "create" &&
      file !== undefined &&
      !isBelowVar(file) &&
      dirname(file) !== CREATED_FOLDER &&
      file !== CREATED_FILE
    ) {
      view.report(
        path,
        `${view.quote(...path)} can't be created: Talos creates files below /var only, and a machine with another one restarts in each boot; put it below /var, and mount it from there`,
      );
    }
  });
}

/** A folder can't be written like a file, so `/var` itself and `/var/a/` don't count. */
function isBelowVar(file: string): boolean {
  return /^\/*var\//.test(file) && /^\/var\/.*[^/]$/.test(normalize(`/${file}`));
}
