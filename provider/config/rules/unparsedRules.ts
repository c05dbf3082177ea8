import { minorOfImage } from "../flags/componentTable";
import { isQuantity, proxyModes } from "../flags/componentValues";
import { isMapping } from "../machineConfig";
import type { Path } from "../path";
import { isAddress, isFetchable } from "../schema/formats";
import type { DocumentView } from "./documentView";
import { isDnsName } from "./names";

/**
 * Checks values that Talos hands on without parsing them. It accepts any text, and only the program
 * that reads it finds it wrong, or nobody does. With a quantity that is none, Talos defines no static
 * pod at all.
 *
 * Sources: Talos v1.12.1, controllers `k8s/kubelet_config.go`, `k8s/control_plane_static_pod.go`,
 * `k8s/extra_manifest.go`, `k8s/kubeprism.go`, `network/etcfile.go`, `network/timeserver_spec.go`,
 * `secrets/root.go`.
 */
export function checkUnparsed(view: DocumentView): void {
  view.checkTexts(
    ["machine", "time", "servers"],
    isTimeSource,
    "is not a host name or an IP address",
  );
  for (const section of [["machine"], ["cluster", "apiServer"]]) {
    view.checkTexts([...section, "certSANs"], isSubject, "is not a DNS name or an IP address");
  }
  view.checkTexts(
    ["cluster", "extraManifests"],
    isFetchable,
    "is not a URL, like https://example.com/manifest.yaml",
  );
  view.list("machine", "network", "extraHostEntries").forEach((_, index) => {
    const path = ["machine", "network", "extraHostEntries", index, "ip"];
    view.checkText(path, isAddress, "is not an IP address, like 10.0.0.2");
  });
  const proxyMinor = minorOfImage(view.text("cluster", "proxy", "image"));
  view.requireWord(["cluster", "proxy", "mode"], proxyModes(proxyMinor), { optional: true });
  checkPort(view, ["machine", "features", "kubePrism", "port"]);
  checkPort(view, ["cluster", "controlPlane", "localAPIServerPort"]);
  for (const component of ["apiServer", "controllerManager", "scheduler"]) {
    for (const amount of ["requests", "limits"]) {
      checkQuantities(view, ["cluster", component, "resources", amount]);
    }
  }
}

/** Checks the amounts of resources that a pod may use. */
export function checkQuantities(view: DocumentView, path: Path): void {
  const resources = view.get(...path);
  for (const [name, value] of isMapping(resources) ? Object.entries(resources) : []) {
    const isText = typeof value === "string" || typeof value === "number";
    if (isText && value !== "" && !isQuantity(String(value))) {
      view.report(
        [...path, name],
        `${view.quote(...path, name)} is not a quantity, like "100m" for cpu or "512Mi" for memory`,
      );
    }
  }
}

/** 0 is Talos' default port. */
function checkPort(view: DocumentView, path: Path): void {
  const port = view.get(...path);
  if (typeof port === "number" && (port < 0 || port > 65_535)) {
    view.report(path, `${view.quote(...path)} is not a port: ports are 1 to 65535`);
  }
}

/** Whether a text names a source of the time: a host, or a clock of the machine. */
export function isTimeSource(text: string): boolean {
  return isAddress(text) || isDnsName(text) || text.startsWith("/dev/");
}

/** A name that a certificate can have, also with a wildcard. */
function isSubject(text: string): boolean {
  return isAddress(text) || isDnsName(text.replace(/^\*\./, ""));
}
