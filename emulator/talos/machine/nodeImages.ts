import { createHash } from "node:crypto";
import { pauseImageOf } from "../config/imageFacts";
import { pullFailure } from "../kubernetes/componentImages";
import { isInstaller, systemOf } from "./installerImage";
import type { MachineDisk } from "./machineDisk";
import type { NodeState } from "./nodeState";

/** A container image on a node's disk. */
export interface NodeImage {
  /** Reference with a tag or digest. */
  readonly name: string;
  readonly digest: string;
  readonly sizeBytes: number;
  readonly createdAt: Date;
}

const MEBIBYTE = 1024 * 1024;

/** Registries that a simulated machine can reach; each has every version. */
const registries = ["docker.io", "ghcr.io", "quay.io", "registry.k8s.io", "factory.talos.dev"];
const VERSION_TAG = /^v?\d+(\.\d+){0,3}([-+].*)?$/;

/** The images of Kubernetes (`NS_CRI`) or of Talos' own services (`NS_SYSTEM`), by name. */
export function imagesOf(node: NodeState, namespace: "NS_CRI" | "NS_SYSTEM"): NodeImage[] {
  const images = node.config?.facts.images;
  const brought =
    namespace === "NS_CRI"
      ? [
          ...node.pods.map(({ image }) => image),
          ...(node.pods.length > 0 ? [pauseImageOf(node.talosVersion)] : []),
        ]
      : [...(images ? [images.kubelet] : []), ...(images && node.etcd ? [images.etcd] : [])];
  const { startedAt } = node.uptime;
  const known = new Map(brought.map((name) => [name, startedAt]));
  for (const [name, at] of storeOf(node.disk, namespace)) {
    known.set(name, at);
  }
  return [...known]
    .map(([name, createdAt]) => {
      const hash = createHash("sha256").update(name).digest();
      return {
        name,
        digest: `sha256:${hash.toString("hex")}`,
        sizeBytes: (10 + (hash[0] ?? 0)) * MEBIBYTE,
        createdAt,
      };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

/** The times of the pulls through the API into a namespace, by reference. */
export function storeOf(
  { images, systemImages }: MachineDisk,
  namespace: "NS_CRI" | "NS_SYSTEM",
): Map<string, Date> {
  return namespace === "NS_CRI" ? images : systemImages;
}

/**
 * The full reference of an existing image. Throws an `Error` with containerd's message for a
 * missing one.
 */
export function requireImage(reference: string): string {
  const [first = "", ...rest] = reference.split("/");
  const hasHost = rest.length > 0 && /[.:]/.test(first);
  const path = hasHost ? reference : `docker.io/${rest.length === 0 ? "library/" : ""}${reference}`;
  const [, tag] = /:([^:/]+)$/.exec(path.split("@")[0] ?? "") ?? [];
  const host = path.split("/")[0] ?? "";
  if (!registries.includes(host)) {
    throw new Error(`failed to do request: dial tcp: lookup ${host}: no such host`);
  }
  if (isInstaller(path)) {
    systemOf(path);
  }
  const component = /\/(kube-[a-z-]+|kubelet|etcd)(?=[:@]|$)/.exec(path)?.[1];
  const missing = component === undefined ? undefined : pullFailure(component, path);
  if (missing !== undefined) {
    throw new Error(missing);
  }
  const full = tag === undefined && !path.includes("@") ? `${path}:latest` : path;
  if (tag !== undefined && tag !== "latest" && !VERSION_TAG.test(tag)) {
    throw new Error(`failed to resolve reference ${JSON.stringify(full)}: ${full}: not found`);
  }
  return full;
}
