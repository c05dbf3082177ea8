import { eachAddOn } from "../../addOns/addOnChoices";
import { registriesOf, registryOf } from "../../addOns/addOnImages";
import { podIdentityWebhook } from "../../addOns/podIdentityWebhook";
import type { ChosenClusterArgs } from "../arguments/chosenClusterArgs";

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
export function planRegistries(args: ChosenClusterArgs, role: MachineRole): RegistryUsers {
  const users = new Map<string, string[]>();
  const fetch = (registry: string, what: string) => {
    users.set(registry, [...(users.get(registry) ?? []), what]);
  };
  const isControlPlane = role === "controlPlane";
  const { addOns = {}, cni = "flannel", facts } = args;
  fetch("factory.talos.dev", "upgrades of Talos");
  fetch("ghcr.io", "kubelet");
  fetch("registry.k8s.io", isControlPlane ? "Kubernetes" : "pods");
  if (isControlPlane && talosMinorOf(args) < ETCD_IN_KUBERNETES_REGISTRY) {
    fetch("gcr.io", "etcd");
  }
  if (cni === "flannel" && addOns.cilium === undefined) {
    fetch("ghcr.io", "flannel");
  }
  const fetched = eachAddOn(addOns, (name, addOn, choice) =>
    (addOn.machines ?? role) === role
      ? registriesOf(addOn, choice, facts.addOnCluster).map((registry) => [registry, name] as const)
      : [],
  );
  const webhook = facts.irsa?.webhook;
  const ofWebhook =
    webhook === undefined ? [] : registriesOf(podIdentityWebhook, webhook, facts.addOnCluster);
  for (const [registry, name] of fetched) {
    fetch(registry, name);
  }
  for (const registry of ofWebhook) {
    fetch(registry, "irsa");
  }
  if (isControlPlane && facts.secretsEncryption !== undefined) {
    fetch(registryOf(facts.secretsEncryption.pluginImage), "secretsEncryption");
  }
  return users;
}

/** The minor of the machines' Talos; the newest for a version that is known later. */
export function talosMinorOf({ talosVersion }: ChosenClusterArgs): number {
  const [, minor] = /^v1\.(\d+)\./.exec(typeof talosVersion === "string" ? talosVersion : "") ?? [];
  return minor === undefined ? Infinity : Number(minor);
}
