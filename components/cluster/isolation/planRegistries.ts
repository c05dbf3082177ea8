import { addOnChoices, isOwn, isOwnPinned } from "../addOns/addOnChoices";
import { clusterBackup } from "../addOns/clusterBackup";
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
  const { ebsCsi, loadBalancerController, servingCertificateApprover: approver } = choices;
  const { nodeTerminationHandler } = choices;
  if (ebsCsi !== undefined && isOwn(ebsCsi)) {
    fetch("public.ecr.aws", "ebsCsi");
  }
  if (!isControlPlane && nodeTerminationHandler !== undefined && isOwn(nodeTerminationHandler)) {
    fetch("public.ecr.aws", "nodeTerminationHandler");
  }
  if (isControlPlane && loadBalancerController !== undefined && isOwn(loadBalancerController)) {
    fetch("public.ecr.aws", "loadBalancerController");
  }
  if (clusterIrsa(args)?.webhook !== undefined) {
    fetch("public.ecr.aws", "irsa");
  }
  if (approver !== undefined && isOwnPinned(approver)) {
    fetch("ghcr.io", "servingCertificateApprover");
  }
  const { auditLog } = choices;
  if (isControlPlane && auditLog !== undefined && isOwn(auditLog)) {
    fetch("ghcr.io", "auditLog");
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
