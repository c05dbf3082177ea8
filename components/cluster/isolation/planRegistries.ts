import { addOnChoices, isOwn, isOwnPinned } from "../addOns/addOnChoices";
import { containersOf } from "../addOns/addOnContainers";
import { clusterBackup } from "../addOns/clusterBackup";
import type { AddOnPods } from "../arguments/addOnPodsArgs";
import type { AddOnManifest } from "../arguments/clusterAddOnsArgs";
import type { TalosClusterArgs } from "../arguments/talosClusterArgs";
import { clusterIrsa } from "../clusterIrsa";

/** The images that machines fetch, by their registry. */
export type RegistryUsers = ReadonlyMap<string, readonly string[]>;

/** The machines of a role, which fetch the same images. */
export type MachineRole = "controlPlane" | "worker";

/** The Talos minor since which etcd's image is in Kubernetes' registry; before, in Google's. */
const ETCD_IN_KUBERNETES_REGISTRY = 12;

/**
 * The registries that the machines of a role fetch images from. Manifests of the user's may name
 * others. Sources: `talosctl image default` of v1.12.1; the objects of the add-ons here.
 */
export function planRegistries(args: TalosClusterArgs, role: MachineRole): RegistryUsers {
  const users = new Map<string, string[]>();
  const fetch = (registry: string, what: string) => {
    users.set(registry, [...(users.get(registry) ?? []), what]);
  };
  const isControlPlane = role === "controlPlane";
  const { addOns = {}, cni = "flannel" } = args;
  const choices = addOnChoices(addOns);
  fetch("factory.talos.dev", "upgrades of Talos");
  fetch("ghcr.io", "kubelet");
  fetch("registry.k8s.io", isControlPlane ? "Kubernetes" : "pods");
  if (isControlPlane && talosMinorOf(args) < ETCD_IN_KUBERNETES_REGISTRY) {
    fetch("gcr.io", "etcd");
  }
  if (cni === "flannel" && choices.cilium === undefined) {
    fetch("ghcr.io", "flannel");
  }
  const { ebsCsi, loadBalancerController, nodeTerminationHandler, auditLog } = choices;
  const { cloudController, clusterAutoscaler, externalDns } = choices;
  const { servingCertificateApprover: approver, metricsServer } = choices;
  /** The usual registry, unless each container has another image. */
  const fetchOwn = (
    name: string,
    addOn: (AddOnManifest & AddOnPods) | undefined,
    usual: string | undefined,
    isOurs = addOn !== undefined && isOwn(addOn),
  ) => {
    if (addOn === undefined || !isOurs) {
      return;
    }
    const { images = {} } = addOn;
    const isAll = containersOf(name).every((container) => images[container] !== undefined);
    const usually = usual === undefined || isAll ? [] : [usual];
    for (const registry of new Set([...usually, ...Object.values(images).map(registryOf)])) {
      fetch(registry, name === "webhook" ? "irsa" : name);
    }
  };
  fetchOwn("ebsCsi", ebsCsi, "public.ecr.aws");
  if (isControlPlane) {
    fetchOwn("loadBalancerController", loadBalancerController, "public.ecr.aws");
    // Their usual registry is that of Kubernetes.
    fetchOwn("cloudController", cloudController, undefined);
    fetchOwn("clusterAutoscaler", clusterAutoscaler, undefined);
    fetchOwn("externalDns", externalDns, undefined);
  } else {
    fetchOwn("nodeTerminationHandler", nodeTerminationHandler, "public.ecr.aws");
  }
  fetchOwn("webhook", clusterIrsa(args)?.webhook, "public.ecr.aws", true);
  fetchOwn("servingCertificateApprover", approver, "ghcr.io", approver && isOwnPinned(approver));
  fetchOwn("metricsServer", metricsServer, undefined, metricsServer && isOwnPinned(metricsServer));
  if (isControlPlane) {
    fetchOwn("auditLog", auditLog, "ghcr.io");
  }
  if (isControlPlane && addOns.etcdBackup !== undefined) {
    fetch(registryOf(clusterBackup(args, addOns.etcdBackup).image), "etcdBackup");
  }
  return users;
}

/** The minor of the machines' Talos; the newest for a version that is known later. */
export function talosMinorOf({ talosVersion }: TalosClusterArgs): number {
  const [, minor] = /^v1\.(\d+)\./.exec(typeof talosVersion === "string" ? talosVersion : "") ?? [];
  return minor === undefined ? Infinity : Number(minor);
}

/** The registry of an image. A name without a host is one of Docker's. */
function registryOf(image: string): string {
  const [first = "", ...rest] = image.split("/");
  return rest.length > 0 && /[.:]|^localhost$/.test(first) ? first : "docker.io";
}
