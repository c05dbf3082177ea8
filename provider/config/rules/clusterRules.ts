import { DEFAULT_POD_CIDRS, DEFAULT_SERVICE_CIDRS } from "../birth/clusterDefaults";
import { isMapping } from "../machineConfig";
import { formatPath, type Path } from "../path";
import { isCidr, isFetchable } from "../schema/formats";
import { networksOverlap } from "../schema/ipNetwork";
import { checkClusterRanges } from "./clusterRanges";
import type { DocumentView } from "./documentView";
import { checkControlPlaneEndpoint } from "./endpoint";
import { checkKubeSpan } from "./kubeSpanRules";
import { isDnsName } from "./names";
import { isSubnet, NO_SUBNET } from "./subnets";

/**
 * Checks the `cluster` section beyond its schema. Source: the Validate methods of
 * pkg/machinery/config/types/v1alpha1, Talos v1.12.1. Stricter in three points that Talos finds
 * late or never: the endpoint must be https, pod and service networks must be networks, and the
 * token must exist.
 */
export function checkCluster(view: DocumentView): void {
  const type = view.get("machine", "type");
  checkControlPlaneEndpoint(view);
  view.require("kubelets get their first certificate with it", ["cluster", "token"]);
  checkClusterNetwork(view, type === "controlplane");
  if (type === "controlplane") {
    checkControlPlaneParts(view);
  } else if (type === "worker") {
    checkNoControlPlaneParts(view);
  }
  checkAuthorization(view);
  for (const component of ["apiServer", "controllerManager", "scheduler"]) {
    checkResources(view, ["cluster", component, "resources"]);
  }
  checkInlineManifests(view);
  checkDiscovery(view);
  checkKubeSpan(view);
  const provider = ["cluster", "externalCloudProvider"];
  checkUrls(view, [...provider, "manifests"]);
  if (view.get(...provider, "enabled") !== true && view.list(...provider, "manifests").length > 0) {
    view.report(
      [...provider, "manifests"],
      "have no effect: set externalCloudProvider.enabled to true, or leave them out",
    );
  }
}

function checkClusterNetwork(view: DocumentView, isControlPlane: boolean): void {
  const network = ["cluster", "network"];
  view.checkText([...network, "dnsDomain"], isDnsName, 'is not a DNS name, like "cluster.local"');
  for (const key of ["podSubnets", "serviceSubnets"]) {
    view.checkTexts(
      [...network, key],
      isCidr,
      "is not a network in CIDR notation, like 10.244.0.0/16",
    );
  }
  checkOverlaps(view);
  if (isControlPlane) {
    checkClusterRanges(view);
    checkCni(view, [...network, "cni"]);
  }
}

/** Talos' default networks. */
const defaultNetworks = {
  podSubnets: DEFAULT_POD_CIDRS,
  serviceSubnets: DEFAULT_SERVICE_CIDRS,
};

/** Talos accepts overlapping networks; Kubernetes then loses packets. */
function checkOverlaps(view: DocumentView): void {
  const networks = Object.entries(defaultNetworks).flatMap(([key, standard]) => {
    const path = ["cluster", "network", key];
    const given = view.texts(...path);
    return given.length > 0 ? given : standard.map((cidr) => [path, cidr] as const);
  });
  const readable = networks.filter(([, network]) => isCidr(network));
  readable.forEach(([path, network], index) => {
    const other = readable.slice(0, index).find(([, earlier]) => networksOverlap(earlier, network));
    if (other !== undefined) {
      view.report(
        path,
        `"${network}" overlaps with ${formatPath(other[0])}, "${other[1]}": pods and services need networks of their own`,
      );
    }
  });
}

function checkCni(view: DocumentView, path: readonly string[]): void {
  if (view.isMapping(...path)) {
    view.require('"flannel", "custom" or "none"', [...path, "name"]);
  }
  const name = view.text(...path, "name") ?? "flannel";
  if (name !== "custom" && view.list(...path, "urls").length > 0) {
    view.report(
      [...path, "urls"],
      `have no effect with the CNI "${name}": set name to "custom", or leave them out`,
    );
  }
  if (name !== "flannel" && view.list(...path, "flannel", "extraArgs").length > 0) {
    view.report(
      [...path, "flannel", "extraArgs"],
      `have no effect with the CNI "${name}": leave them out`,
    );
  }
  if (name !== "flannel" && view.get(...path, "flannel", "kubeNetworkPoliciesEnabled") === true) {
    view.report(
      [...path, "flannel", "kubeNetworkPoliciesEnabled"],
      `has no effect with the CNI "${name}": leave it out`,
    );
  }
  if (name === "custom") {
    checkUrls(view, [...path, "urls"]);
  }
}

function checkControlPlaneParts(view: DocumentView): void {
  const etcd = ["cluster", "etcd"];
  if (view.isMapping(...etcd)) {
    view.require(
      "the certificate authority of etcd",
      [...etcd, "ca", "crt"],
      [...etcd, "ca", "key"],
    );
  }
  for (const key of ["advertisedSubnets", "listenSubnets"]) {
    view.checkTexts([...etcd, key], isSubnet, NO_SUBNET);
  }
  if (
    view.text(...etcd, "subnet") !== undefined &&
    view.list(...etcd, "advertisedSubnets").length > 0
  ) {
    view.report([...etcd, "subnet"], "is the old name of advertisedSubnets: leave it out");
  }
  view.checkText([...etcd, "subnet"], isSubnet, NO_SUBNET);
  checkEncryptionSecret(view, "secretboxEncryptionSecret", [32]);
  checkEncryptionSecret(view, "aescbcEncryptionSecret", [16, 24, 32]);
}

/** A wrong one is only visible when kube-apiserver does not start. */
function checkEncryptionSecret(view: DocumentView, key: string, lengths: readonly number[]): void {
  const secret = view.text("cluster", key);
  if (secret !== undefined && !lengths.includes(Buffer.from(secret, "base64").length)) {
    view.report(["cluster", key], `has to be ${lengths.join(" or ")} bytes in base64`);
  }
}

function checkNoControlPlaneParts(view: DocumentView): void {
  if (view.isMapping("cluster", "etcd")) {
    view.report(
      ["cluster", "etcd"],
      "runs on control plane machines only: leave it out on workers",
    );
  }
  if (view.text("cluster", "ca", "key") !== undefined) {
    view.report(
      ["cluster", "ca", "key"],
      "must not be on a worker: an attacker on a worker could become administrator of the cluster",
    );
  }
}

/** Authorization in the Kubernetes API. */
function checkAuthorization(view: DocumentView): void {
  const apiServer = ["cluster", "apiServer"];
  const authorizers = view.list(...apiServer, "authorizationConfig");
  authorizers.forEach((_, index) => {
    const path = [...apiServer, "authorizationConfig", index];
    view.requireWord([...path, "type"], ["Node", "RBAC", "Webhook"], { optional: false });
    view.require("it identifies the authorizer", [...path, "name"]);
  });
  const args = view.get(...apiServer, "extraArgs");
  for (const name of authorizers.length > 0 && isMapping(args) ? Object.keys(args) : []) {
    if (name === "authorization-mode" || name.startsWith("authorization-webhook-")) {
      view.report(
        [...apiServer, "extraArgs", name],
        "can't be set together with authorizationConfig: leave one of them out",
      );
    }
  }
}

/** Checks which resources of a pod are limited: Talos knows two. */
export function checkResources(view: DocumentView, path: readonly string[]): void {
  for (const amount of ["requests", "limits"]) {
    const resources = view.get(...path, amount);
    for (const name of isMapping(resources) ? Object.keys(resources) : []) {
      if (name !== "cpu" && name !== "memory") {
        view.report([...path, amount, name], "can't be limited: only cpu and memory can");
      }
    }
  }
}

function checkInlineManifests(view: DocumentView): void {
  const names = new Set<string>();
  view.list("cluster", "inlineManifests").forEach((_, index) => {
    const path = ["cluster", "inlineManifests", index, "name"];
    const name = view.text(...path)?.trim() ?? "";
    if (name === "") {
      view.report(path, "is required: it identifies the manifest");
    } else if (names.has(name)) {
      view.report(path, `${view.quote(...path)} is there twice: give each manifest a unique name`);
    }
    names.add(name);
  });
}

function checkDiscovery(view: DocumentView): void {
  const discovery = ["cluster", "discovery"];
  const service = [...discovery, "registries", "service"];
  if (view.get(...discovery, "enabled") !== true || view.get(...service, "disabled") === true) {
    return;
  }
  view.require(
    "machines find each other by it through the discovery service",
    ["cluster", "id"],
    ["cluster", "secret"],
  );
  view.checkText(
    [...service, "endpoint"],
    (endpoint) => /^[a-z][a-z0-9+.-]*:\/\/[^/?#]+\/?(?:\?.*)?$/i.test(endpoint),
    "is not a URL without a path, like https://discovery.talos.dev/",
  );
}

function checkUrls(view: DocumentView, path: Path): void {
  view.checkTexts(
    path,
    isFetchable,
    "is not a URL that can be fetched, like https://example.com/manifest.yaml",
  );
}
