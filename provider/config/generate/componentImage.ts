/** The registries of Kubernetes' images. Source: pkg/machinery/constants, Talos v1.12.1 to v1.14.1. */
const images = {
  kubelet: "ghcr.io/siderolabs/kubelet",
  apiServer: "registry.k8s.io/kube-apiserver",
  controllerManager: "registry.k8s.io/kube-controller-manager",
  proxy: "registry.k8s.io/kube-proxy",
  scheduler: "registry.k8s.io/kube-scheduler",
};

/** The image of a part of Kubernetes, in the release that a machine runs. */
export function componentImage(
  component: keyof typeof images,
  { kubernetesVersion }: { readonly kubernetesVersion: string },
): string {
  return `${images[component]}:v${kubernetesVersion.replace(/^v/, "")}`;
}
