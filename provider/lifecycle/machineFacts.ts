import {
  kubeletResources,
  type StaticPodSpec,
  type StaticPodStatusSpec,
} from "../api/kubeletResources";
import type { CallOptions, ServiceStatus, TalosClient } from "../api/talosClient";
import { type MachineStatusSpec, talosResources } from "../api/talosResources";
import type { TypedResource } from "../api/typedResource";
import { unlessSilent } from "./silence";

/** The facts that a configured machine reports at one moment; all times are by its own clock. */
export interface MachineFacts {
  readonly status: MachineStatusSpec;
  readonly services: readonly ServiceStatus[];
  /**
   * When the kubelet's start parameters last changed, RFC 3339; undefined if there are none yet.
   */
  readonly kubeletSpecAt: string | undefined;
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

/**
 * Asks a machine for its facts, with six concurrent calls.
 *
 * @throws TalosApiError if it doesn't answer or refuses
 */
export async function readMachineFacts(
  client: TalosClient,
  call: CallOptions,
): Promise<MachineFacts> {
  const [status, services, nodename, kubelet, pods, podStatuses] = await Promise.all([
    client.getTyped(talosResources.machineStatus, call),
    client.services(call),
    unlessSilent(client.getTyped(talosResources.nodename, call)),
    client.listTyped(kubeletResources.kubeletSpec, call),
    client.listTyped(kubeletResources.staticPod, call),
    client.listTyped(kubeletResources.staticPodStatus, call),
  ]);
  return {
    status: status.spec,
    services,
    kubeletSpecAt: kubelet[0]?.updated,
    nodename: nodename?.spec.nodename,
    pods: pods.map(toStaticPod),
    podStatuses: new Map(podStatuses.map(({ id, spec }) => [id, spec])),
  };
}

function toStaticPod({ spec, updated }: TypedResource<StaticPodSpec>): StaticPod {
  return { ...spec, updatedAt: updated };
}
