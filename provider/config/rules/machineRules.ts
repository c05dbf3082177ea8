import type { Path } from "../path";
import { isAddress } from "../schema/formats";
import { checkAdmissionPlugins } from "./admissionPluginRules";
import type { DocumentView } from "./documentView";
import { checkFiles } from "./fileRules";
import { checkFlags } from "./flagRules";
import { checkInstaller, checkKubernetesImages } from "./imageRules";
import { checkKubelet } from "./kubeletRules";
import { checkNodeMetadata, checkOwnLabels } from "./nodeMetadata";
import { checkRuntimeSpec } from "./runtimeSpec";
import { checkEncryptionKeys } from "./volumeRules";

/** The roles of the Talos API. Source: pkg/machinery/role, Talos v1.12.1, v1.13.9 and v1.14.1. */
function apiRoles(talosMinor: number): readonly string[] {
  return [
    "os:admin",
    "os:operator",
    "os:reader",
    "os:etcd:backup",
    "os:impersonator",
    ...(talosMinor < 13 ? [] : ["os:image:verifier", "os:meta:writer"]),
  ];
}

/**
 * Checks the `machine` section beyond its schema. Source: the Validate methods of
 * pkg/machinery/config/types/v1alpha1, Talos v1.12.1, for all modes: `installRules.ts` has the others.
 * Tokens are required here too, because no machine joins without one.
 */
export function checkMachine(view: DocumentView): void {
  const type = view.get("machine", "type");
  view.require('"controlplane" or "worker"', ["machine", "type"]);
  view.require("machines join the cluster with it", ["machine", "token"]);
  if (type === "controlplane" || type === "worker") {
    checkAuthority(view, type === "controlplane");
  }
  checkKubelet(view);
  checkFlags(view);
  if (type === "controlplane") {
    checkAdmissionPlugins(view, ["cluster", "apiServer"]);
  }
  checkMetadata(view);
  checkOwnLabels(view);
  checkFiles(view);
  checkDiskEncryption(view);
  checkLogging(view);
  if (view.get("persist") === false) {
    view.report(
      ["persist"],
      "has to be true: Talos no longer runs without keeping its configuration",
    );
  }
  view.checkText(
    ["machine", "features", "nodeAddressSortAlgorithm"],
    (sorting) => sorting === "v1" || sorting === "v2",
    'is not allowed: has to be "v1" or "v2"',
  );
  view.checkTexts(
    ["machine", "network", "nameservers"],
    isAddress,
    "is not an IP address, like 10.0.0.2",
  );
  checkApiAccess(view, type);
  // Talos before v1.13 takes it, and then does not forward.
  if (view.talosMinor >= 13) {
    checkHostDns(view);
  }
  checkDisks(view);
  checkExtensions(view);
  checkRuntimeSpec(view, ["machine", "baseRuntimeSpecOverrides"]);
  checkInstaller(view, ["machine", "install", "image"]);
  checkKubernetesImages(view);
}

/** Checks the machine's own resolver. */
export function checkHostDns(view: DocumentView): void {
  const path = ["machine", "features", "hostDNS"];
  if (view.get(...path, "forwardKubeDNSToHost") === true && view.get(...path, "enabled") !== true) {
    view.report([...path, "enabled"], "has to be true for forwardKubeDNSToHost to work");
  }
}

function checkDisks(view: DocumentView): void {
  view.list("machine", "disks").forEach((_, disk) => {
    const path = ["machine", "disks", disk, "partitions"];
    const last = view.list(...path).length - 1;
    view.list(...path).forEach((__, index) => {
      const size = view.get(...path, index, "size") ?? "";
      if (index < last && (size === "" || size === 0)) {
        view.report(
          [...path, index, "size"],
          "is required: only the last partition can use the remaining space",
        );
      }
    });
  });
}

function checkExtensions(view: DocumentView): void {
  const images = new Set<string>();
  view.list("machine", "install", "extensions").forEach((_, index) => {
    const path = ["machine", "install", "extensions", index, "image"];
    const image = view.text(...path) ?? "";
    if (images.has(image)) {
      view.report(path, `${view.quote(...path)} is there twice: name each extension once`);
    }
    images.add(image);
  });
}

function checkAuthority(view: DocumentView, isControlPlane: boolean): void {
  const accepted = view.list("machine", "acceptedCAs").length > 0;
  if (!accepted || isControlPlane) {
    view.require("the certificate authority of the Talos API", ["machine", "ca", "crt"]);
  }
  if (isControlPlane) {
    view.require("control plane machines issue certificates with it", ["machine", "ca", "key"]);
  } else if (view.text("machine", "ca", "key") !== undefined) {
    view.report(
      ["machine", "ca", "key"],
      "must not be on a worker: an attacker on a worker could become administrator of all machines",
    );
  }
}

function checkMetadata(view: DocumentView): void {
  for (const section of ["nodeLabels", "nodeAnnotations", "nodeTaints"] as const) {
    for (const [key, value] of view.entries("machine", section)) {
      for (const problem of checkNodeMetadata(section, key, value)) {
        view.report(["machine", section, key], problem);
      }
    }
  }
}

function checkDiskEncryption(view: DocumentView): void {
  for (const volume of ["state", "ephemeral"]) {
    const path = ["machine", "systemDiskEncryption", volume];
    if (view.isMapping(...path)) {
      view.require("a volume without a key can't be opened", [...path, "keys"]);
      checkEncryptionKeys(view, [...path, "keys"]);
    }
  }
}

function checkLogging(view: DocumentView): void {
  view.list("machine", "logging", "destinations").forEach((_, index) => {
    const path = ["machine", "logging", "destinations", index];
    view.require("where to send logs, like tcp://10.0.0.1:5140", [...path, "endpoint"]);
    view.checkText(
      [...path, "endpoint"],
      (endpoint) => /^(?:tcp|udp):\/\/[^/]/.test(endpoint),
      "has to start with tcp:// or udp:// and name a host",
    );
    view.requireWord([...path, "format"], ["json_lines"], { optional: false });
  });
}

function checkApiAccess(view: DocumentView, type: unknown): void {
  const path = ["machine", "features", "kubernetesTalosAPIAccess"];
  if (view.get(...path, "enabled") !== true) {
    return;
  }
  if (type === "worker") {
    view.report([...path, "enabled"], "can be true on control plane machines only");
  }
  checkApiRoles(view, [...path, "allowedRoles"]);
}

/** Checks a list of roles of the Talos API. */
export function checkApiRoles(view: DocumentView, path: Path): void {
  const roles = apiRoles(view.talosMinor);
  view.checkTexts(
    path,
    (role) => roles.includes(role),
    `is not a role of the Talos API; there are ${roles.join(", ")}`,
  );
}
