import type { ServiceStatus } from "../../api/talosClient";

/** What Talos says of a service whose first check went well (Talos v1.12.1 and v1.14.1, `system/service_runner.go`). */
const HEALTHY = "Health check successful";

/**
 * Whether a machine has been up since it booted, with its kubelet. To Talos v1.13 the stage alone says so, because a
 * boot waits for the kubelet. Since v1.14 the kubelet is loaded apart from the boot. So a machine can be `running` whose
 * kubelet never was healthy, such as a worker before its cluster's bootstrap. Source: Talos v1.14.1, `StartAllServices`
 * and `k8s.KubeletServiceController`; seen on real machines.
 */
export function hasBeenUp(stage: string, services: readonly ServiceStatus[]): boolean {
  const kubelet = services.find(({ id }) => id === "kubelet");
  return (
    stage === "running" &&
    kubelet !== undefined &&
    (kubelet.healthy || kubelet.events.some(({ message }) => message === HEALTHY))
  );
}
