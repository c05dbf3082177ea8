import { type ConfigDocument, talosMinor } from "../../../provider/config";
import { textAt, valueAt } from "./yamlPath";

/** The container images of a node's configuration. Undefined for disabled components. */
export interface ImageFacts {
  readonly kubelet: string;
  readonly etcd: string;
  readonly apiServer: string;
  readonly controllerManager: string;
  readonly scheduler: string;
  readonly proxy: string | undefined;
  readonly coreDns: string | undefined;
  readonly flannel: string | undefined;
}

/** The images that a Talos release brings. */
interface TalosImages {
  /** With a leading v. */
  readonly kubernetes: string;
  readonly etcd: string;
  readonly coreDns: string;
  readonly flannel: string;
}

/**
 * The default images of each Talos minor, as their tags are written. Source:
 * `pkg/machinery/constants` of v1.10.6, v1.11.6, v1.12.1, v1.13.9 and v1.14.1.
 */
export const talosImages: ReadonlyMap<number, TalosImages> = new Map([
  [
    10,
    {
      kubernetes: "v1.33.3",
      etcd: "gcr.io/etcd-development/etcd:v3.5.21",
      coreDns: "v1.12.1",
      flannel: "v0.26.7",
    },
  ],
  [
    11,
    {
      kubernetes: "v1.34.1",
      etcd: "gcr.io/etcd-development/etcd:v3.6.5",
      coreDns: "v1.12.4",
      flannel: "v0.27.4",
    },
  ],
  [
    12,
    {
      kubernetes: "v1.35.0",
      etcd: "registry.k8s.io/etcd:v3.6.7",
      coreDns: "v1.13.2",
      flannel: "v0.27.4",
    },
  ],
  [
    13,
    {
      kubernetes: "v1.36.3",
      etcd: "registry.k8s.io/etcd:v3.6.12",
      coreDns: "v1.14.6",
      flannel: "0.28.8",
    },
  ],
  [
    14,
    {
      kubernetes: "v1.37.0",
      etcd: "registry.k8s.io/etcd:3.7.1",
      coreDns: "v1.14.7",
      flannel: "0.28.9",
    },
  ],
]);

/** The release whose images a machine of an unknown one has. */
const USUAL_MINOR = 12;

/** The pause image of every pod. Source: `pkg/images/list.go` of v1.12.1 and v1.14.1. */
export function pauseImageOf(talosVersion: string): string {
  return `registry.k8s.io/pause:${(talosMinor(talosVersion) ?? 0) >= 14 ? "3.10.2" : "3.10"}`;
}

function defaultsOf(talosVersion: string) {
  const images =
    talosImages.get(talosMinor(talosVersion) ?? USUAL_MINOR) ?? talosImages.get(USUAL_MINOR);
  if (images === undefined) {
    throw new Error(`there are no images of Talos v1.${USUAL_MINOR}`);
  }
  const { kubernetes, etcd, coreDns, flannel } = images;
  return {
    kubelet: `ghcr.io/siderolabs/kubelet:${kubernetes}`,
    etcd,
    apiServer: `registry.k8s.io/kube-apiserver:${kubernetes}`,
    controllerManager: `registry.k8s.io/kube-controller-manager:${kubernetes}`,
    scheduler: `registry.k8s.io/kube-scheduler:${kubernetes}`,
    proxy: `registry.k8s.io/kube-proxy:${kubernetes}`,
    coreDns: `registry.k8s.io/coredns/coredns:${coreDns}`,
    flannel: `ghcr.io/siderolabs/flannel:${flannel}`,
  };
}

/**
 * The images, from the v1alpha1 document.
 *
 * @param talosVersion the release that runs, `v1.12.1`: what the configuration leaves out is its
 */
export function imageFacts(config: ConfigDocument, talosVersion: string): ImageFacts {
  const defaults = defaultsOf(talosVersion);
  const image = (...path: string[]) => textAt(config, ...path, "image");
  const isDisabled = (name: string) => valueAt(config, "cluster", name, "disabled") === true;
  const cni = textAt(config, "cluster", "network", "cni", "name") ?? "flannel";
  return {
    kubelet: image("machine", "kubelet") ?? defaults.kubelet,
    etcd: image("cluster", "etcd") ?? defaults.etcd,
    apiServer: image("cluster", "apiServer") ?? defaults.apiServer,
    controllerManager: image("cluster", "controllerManager") ?? defaults.controllerManager,
    scheduler: image("cluster", "scheduler") ?? defaults.scheduler,
    proxy: isDisabled("proxy") ? undefined : (image("cluster", "proxy") ?? defaults.proxy),
    coreDns: isDisabled("coreDNS") ? undefined : (image("cluster", "coreDNS") ?? defaults.coreDns),
    flannel: cni === "flannel" ? defaults.flannel : undefined,
  };
}

/** The tag of an image reference, without a digest. */
export function tagOf(image: string): string {
  const name = image.split("@")[0] ?? "";
  return name.slice(name.lastIndexOf(":") + 1);
}
