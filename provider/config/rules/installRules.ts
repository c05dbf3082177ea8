import type { ConfigProblem } from "../configError";
import { type ConfigDocument, documentId, isMapping } from "../machineConfig";
import { valueAt } from "../settings/keyPaths";
import type { DocumentView } from "./documentView";

/**
 * How Talos runs, as `talosctl validate --mode` has it: `metal` installs itself on a disk, `cloud` boots
 * an image, `container` is for tests.
 */
export type ValidationMode = "cloud" | "metal" | "container";

/** From this minor on, the machine's section may lack the installation. Source: v1.14.1, `Config.Validate`. */
const FIRST_MINOR_WITHOUT_INSTALL = 14;

/**
 * Checks the installation as a machine needs it that installs itself. Source:
 * pkg/machinery/config/types/v1alpha1, `Config.Validate`, Talos v1.12.1, v1.13.9 and v1.14.1.
 */
export function checkInstallation(view: DocumentView): void {
  const path = ["machine", "install"];
  if (!view.isMapping(...path)) {
    if (view.talosMinor < FIRST_MINOR_WITHOUT_INSTALL) {
      view.report(path, "is required on the platform metal: name the disk to install Talos on");
    }
    return;
  }
  const selector = view.get(...path, "diskSelector");
  const selects = isMapping(selector) && Object.keys(selector).length > 0;
  if (view.text(...path, "disk") === undefined && !selects) {
    view.report(
      [...path, "disk"],
      "is required on the platform metal, unless diskSelector chooses the disk to install Talos on",
    );
  }
  const args = view.list(...path, "extraKernelArgs");
  if (args.length > 0 && view.get(...path, "grubUseUKICmdline") === true) {
    view.report(
      [...path, "extraKernelArgs"],
      "can't be set together with grubUseUKICmdline, with which the image has the kernel's arguments: set the option extraKernelArgs of the image instead, or grubUseUKICmdline to false",
    );
  }
}

/**
 * What Talos in a container needs: it has no DNS of its own. Source: as above, and from v1.14 on
 * pkg/machinery/config/container/validate.go, which reads it in two places.
 */
export function containerProblems(documents: readonly ConfigDocument[]): ConfigProblem[] {
  const at = (id: string) => documents.find((document) => documentId(document) === id);
  const legacy = valueAt(at("v1alpha1"), ["machine", "features", "hostDNS"]);
  const own = at("ResolverConfig")?.hostDNS;
  const [settings, document, path] = isMapping(own)
    ? [own, "ResolverConfig", "hostDNS"]
    : [isMapping(legacy) ? legacy : {}, "v1alpha1", "machine.features.hostDNS"];
  const message = "has to be true in a container, which has no DNS of its own";
  return ["enabled", "forwardKubeDNSToHost"]
    .filter((key) => settings[key] !== true)
    .map((key) => ({ document, path: `${path}.${key}`, message }));
}
