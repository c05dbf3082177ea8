import { createHash } from "node:crypto";
import { parse } from "yaml";
import type { TalosClient } from "../../../provider/api/talosClient";

/** What a machine was told and made of it: equal before and after what must not touch it. */
export interface MachineTruth {
  /** SHA-256 of its configuration. */
  readonly configuration: string;
  /** The version of each control plane component's configuration, as the machine derived it; none on a worker. */
  readonly derived: Readonly<Record<string, string>>;
  /** The same versions in the static pods that the machine gives its kubelet. */
  readonly rendered: Readonly<Record<string, string>>;
  /** SHA-256 of what its kubelet is started with, whatever the boot. */
  readonly kubelet: string;
  /** Services that are down or not healthy. */
  readonly unwell: readonly string[];
}

/** The components of a control plane, and the resource with the configuration of each. */
export const COMPONENTS = {
  "kube-apiserver": "APIServerConfigs",
  "kube-controller-manager": "ControllerManagerConfigs",
  "kube-scheduler": "SchedulerConfigs",
} as const;

/** On a pod: the version of the configuration that it was rendered from (Talos v1.12.1, constants/constants.go). */
export const CONFIG_VERSION = "talos.dev/config-version";

/** Where the kubelet gets its static pods: another port after each boot. */
const PORT_OF_A_BOOT = /staticPodURL: \S+/;

interface Pod {
  readonly metadata: { readonly annotations?: Readonly<Record<string, string>> };
}

/** Asks a machine for it. */
export async function readTruth(client: TalosClient): Promise<MachineTruth> {
  const list = (namespace: string, type: string) => client.listResources({ namespace, type });
  const kubernetes = "kubernetes.talos.dev";
  const names = Object.keys(COMPONENTS);
  const [configs, kubelets, pods, services, ...components] = await Promise.all([
    list("config", "MachineConfigs.config.talos.dev"),
    list("k8s", `KubeletSpecs.${kubernetes}`),
    list("k8s", `StaticPods.${kubernetes}`),
    client.services(),
    ...Object.values(COMPONENTS).map((type) => list("controlplane", `${type}.${kubernetes}`)),
  ]);
  const derived = components.flatMap((found, index) =>
    found.map(({ version }) => [names[index] ?? "", version] as const),
  );
  const rendered = pods.flatMap(({ id, spec }) => {
    const { metadata } = parse(spec) as Pod;
    return names.includes(id) ? [[id, metadata.annotations?.[CONFIG_VERSION] ?? ""] as const] : [];
  });
  return {
    configuration: digest(configs.find(({ id }) => id === "v1alpha1")?.spec),
    derived: Object.fromEntries(derived),
    rendered: Object.fromEntries(rendered),
    kubelet: digest(kubelets[0]?.spec.replace(PORT_OF_A_BOOT, "")),
    unwell: services
      .filter(
        ({ state, healthy, healthUnknown }) => !(state === "Running" && (healthy || healthUnknown)),
      )
      .map(({ id, state }) => `${id} ${state}`),
  };
}

function digest(text = ""): string {
  return createHash("sha256").update(text).digest("hex");
}
