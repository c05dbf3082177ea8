import { type ComponentConfigSpec, controlPlaneResources } from "../../api/controlPlaneResources";
import {
  kubeletResources,
  type NodeIpConfigSpec,
  type StaticPodSpec,
  type StaticPodStatusSpec,
} from "../../api/kubeletResources";
import type { CallOptions, ServiceStatus, TalosClient } from "../../api/talosClient";
import { type MachineStatusSpec, talosResources } from "../../api/talosResources";
import type { TypedResource } from "../../api/typedResource";
import { unlessSilent } from "../silence";
import type { Component, RenderingFacts } from "./judgeRendering";

/** The facts that a configured machine reports at one moment; all times are by its own clock. */
export interface MachineFacts extends RenderingFacts {
  readonly status: MachineStatusSpec;
  readonly services: readonly ServiceStatus[];
  /** The kubelet's image in its configuration, and the one that Talos starts. */
  readonly kubeletImages: {
    readonly wanted: string | undefined;
    readonly started: string | undefined;
  };
  /**
   * When the kubelet's start parameters last changed, RFC 3339; undefined if there are none yet.
   */
  readonly kubeletSpecAt: string | undefined;
  /** What the kubelet's addresses are chosen by, and those that it has. */
  readonly nodeAddresses: {
    readonly config: NodeIpConfigSpec | undefined;
    readonly chosen: readonly string[] | undefined;
  };
  /** Its name in Kubernetes; undefined while it has none. */
  readonly nodename: string | undefined;
  readonly pods: readonly StaticPod[];
  /** By their ids, for example `kube-system/kube-apiserver-<node>`. */
  readonly podStatuses: ReadonlyMap<string, StaticPodStatusSpec>;
}

/** A static pod in the version that Talos last gave to the kubelet. */
export interface StaticPod extends StaticPodSpec {
  /** RFC 3339. */
  readonly updatedAt: string | undefined;
}

/** Since Talos v1.14, the configuration from which a pod is rendered has this before its name. */
const FINAL = "final-";

/**
 * Asks a machine for its facts, with concurrent calls.
 *
 * @throws TalosApiError if it doesn't answer or refuses
 */
export async function readMachineFacts(
  client: TalosClient,
  call: CallOptions,
): Promise<MachineFacts> {
  const { apiServerConfig, controllerManagerConfig, schedulerConfig } = controlPlaneResources;
  const [
    nodeIpConfig,
    nodeIp,
    status,
    services,
    nodename,
    pods,
    podStatuses,
    spec,
    config,
    ...rest
  ] = await Promise.all([
    client.listTyped(kubeletResources.nodeIpConfig, call),
    client.listTyped(kubeletResources.nodeIp, call),
    client.getTyped(talosResources.machineStatus, call),
    client.services(call),
    unlessSilent(client.getTyped(talosResources.nodename, call)),
    client.listTyped(kubeletResources.staticPod, call),
    client.listTyped(kubeletResources.staticPodStatus, call),
    client.listTyped(kubeletResources.kubeletSpec, call),
    client.listTyped(kubeletResources.kubeletConfig, call),
    client.listTyped(controlPlaneResources.secretsStatus, call),
    client.listTyped(controlPlaneResources.configStatus, call),
    client.listTyped(apiServerConfig, call),
    client.listTyped(controllerManagerConfig, call),
    client.listTyped(schedulerConfig, call),
  ]);
  const [secrets, files, ...parts] = rest;
  return {
    status: status.spec,
    services,
    kubeletSpecAt: spec[0]?.updated,
    kubeletImages: { wanted: config[0]?.spec.image, started: spec[0]?.spec.image },
    nodeAddresses: { config: nodeIpConfig[0]?.spec, chosen: nodeIp[0]?.spec.addresses },
    nodename: nodename?.spec.nodename,
    pods: pods.map(toStaticPod),
    podStatuses: new Map(podStatuses.map((each) => [each.id, each.spec])),
    components: new Map(parts.flatMap(toComponents)),
    secretsVersion: secrets[0]?.spec.version,
    filesVersion: files[0]?.spec.version,
  };
}

/** The configuration of one component: the final one counts. */
function toComponents(
  configs: readonly TypedResource<ComponentConfigSpec>[],
): (readonly [string, Component])[] {
  const counts = configs.find(({ id }) => id.startsWith(FINAL)) ?? configs[0];
  if (counts === undefined) {
    return [];
  }
  const { id, version, spec } = counts;
  const name = id.startsWith(FINAL) ? id.slice(FINAL.length) : id;
  return [[name, { version, isEnabled: spec.enabled }]];
}

function toStaticPod({ spec, updated }: TypedResource<StaticPodSpec>): StaticPod {
  return { ...spec, updatedAt: updated };
}
