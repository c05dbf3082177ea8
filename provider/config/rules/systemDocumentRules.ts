import { checkCelVariables } from "./celRules";
import type { DocumentView } from "./documentView";
import { checkInstaller } from "./imageRules";
import { checkQualifiedName } from "./names";
import { checkRuntimeSpec } from "./runtimeSpec";

/** Files in /etc that Talos writes itself, and folders with such files. */
const OWN_FILES = [
  "resolv.conf",
  "hosts",
  "machine-id",
  "extensions.yaml",
  "localtime",
  "os-release",
  "xattr.conf",
];
const OWN_FOLDERS = [
  "apparmor.d",
  "apparmor",
  "ca-certificates",
  "cni",
  "cri",
  "iscsi",
  "kubernetes",
  "lvm",
  "nvme",
  "pki",
  "selinux",
  "ssl",
];

/** The name of what Talos makes of the older file for containerd. */
const RESERVED_CUSTOMIZATION = "customization";

/** The bytes of a cluster's secret, an AES-256 key. */
const CLUSTER_SECRET_BYTES = 32;

/**
 * Checks of documents about Talos itself beyond their schema, by kind. Since v1.14. Source: the
 * Validate methods of pkg/machinery/config/types/{runtime,cri,cluster}, Talos v1.14.1.
 */
export const systemDocumentRules: readonly (readonly [string, (view: DocumentView) => void])[] = [
  ["EtcFileConfig", checkEtcFile],
  ["CRICustomizationConfig", checkCustomization],
  ["CRIBaseRuntimeSpecConfig", (view) => checkRuntimeSpec(view, ["overrides"])],
  ["UnattendedInstallConfig", checkInstall],
  ["SysctlConfig", (view) => checkParameters(view, "net.ipv4.ip_forward")],
  ["SysfsConfig", (view) => checkParameters(view, "devices.system.cpu.cpu0.cpufreq")],
  ["DiscoveryIdentityConfig", checkIdentity],
  ["DiscoveryServiceConfig", checkDiscoveryService],
];

function checkEtcFile(view: DocumentView): void {
  const name = view.text("name") ?? "";
  const parts = name.split("/");
  if (name === "" || name.startsWith("/") || name.startsWith(".") || !staysInside(parts)) {
    view.report(["name"], `${view.quote("name")} is not a path within /etc, like nfsmount.conf`);
  } else if (OWN_FILES.includes(name) || OWN_FOLDERS.includes(parts[0] ?? "")) {
    view.report(["name"], `${view.quote("name")} is written by Talos itself: choose another file`);
  }
}

/** Whether a relative path with these parts never leaves its folder. */
function staysInside(parts: readonly string[]): boolean {
  let depth = 0;
  return parts.every((part) => {
    depth += part === ".." ? -1 : part === "." || part === "" ? 0 : 1;
    return depth >= 0;
  });
}

function checkCustomization(view: DocumentView): void {
  const name = view.text("name") ?? "";
  const problem = checkQualifiedName(name);
  if (problem !== undefined) {
    view.report(["name"], problem);
  } else if (name === RESERVED_CUSTOMIZATION) {
    view.report(["name"], `${view.quote("name")} is reserved for Talos: choose another name`);
  }
}

function checkInstall(view: DocumentView): void {
  const path = ["provisioning", "diskSelector", "match"];
  view.require("the disk, in CEL, like disk.size > 10u * GB", path);
  checkCelVariables(view, path, "disks");
  checkInstaller(view, ["installer", "image"]);
}

function checkParameters(view: DocumentView, example: string): void {
  for (const [name] of view.entries("params")) {
    if (name === "") {
      view.report(["params"], `has a parameter without a name, like ${example}`);
    }
  }
}

function checkIdentity(view: DocumentView): void {
  view.require("machines find each other by it", ["clusterID"], ["clusterSecret"]);
  const secret = view.text("clusterSecret");
  const bytes = Buffer.from(secret ?? "", "base64");
  const isStandard = bytes.toString("base64") === secret;
  if (secret !== undefined && !(isStandard && bytes.length === CLUSTER_SECRET_BYTES)) {
    view.report(["clusterSecret"], `has to be ${CLUSTER_SECRET_BYTES} bytes in base64`);
  }
}

function checkDiscoveryService(view: DocumentView): void {
  view.require("the service, like https://discovery.talos.dev/", ["endpoint"]);
  view.checkText(
    ["endpoint"],
    (endpoint) => /^(?:https?|grpc):\/\/[^/?#]+/i.test(endpoint),
    "has to be https://, http:// or grpc:// with a host",
  );
}
