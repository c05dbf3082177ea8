import type { ConfigDocument } from "../../../provider/config/machineConfig";
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

const KUBERNETES_VERSION = "v1.35.0";

/** The default images of talos v1.12.1 (`talosctl image default`). */
const defaults = {
  kubelet: `ghcr.io/siderolabs/kubelet:${KUBERNETES_VERSION}`,
  etcd: "registry.k8s.io/etcd:v3.6.7",
  apiServer: `registry.k8s.io/kube-apiserver:${KUBERNETES_VERSION}`,
  controllerManager: `registry.k8s.io/kube-controller-manager:${KUBERNETES_VERSION}`,
  scheduler: `registry.k8s.io/kube-scheduler:${KUBERNETES_VERSION}`,
  proxy: `registry.k8s.io/kube-proxy:${KUBERNETES_VERSION}`,
  coreDns: "registry.k8s.io/coredns/coredns:v1.13.2",
  flannel: "ghcr.io/siderolabs/flannel:v0.27.4",
};

/** The pause image of every pod in Talos v1.12.1. */
export const pauseImage = "registry.k8s.io/pause:3.10";

/** The images, from the v1alpha1 document. */
export function imageFacts(config: ConfigDocument): ImageFacts {
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
