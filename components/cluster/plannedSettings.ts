import type { MachineType, PlannedSettings } from "../../provider";
import { KUBERNETES_API_PORT } from "../firewall/planFirewallRules";

/** Settings that a cluster is planned by on all its machines. */
const OF_ALL: PlannedSettings = {
  "cluster.controlPlane.endpoint": {
    wayOut: "set the arguments environment and domain, which make the name of the Kubernetes API",
  },
  "machine.network.kubespan.enabled": { default: false, wayOut: "set the argument kubeSpan" },
  "KubeSpanConfig.enabled": { default: false, wayOut: "set the argument kubeSpan" },
};

/** Settings that only control planes read. */
const OF_CONTROL_PLANE: PlannedSettings = {
  "cluster.network.cni.name": { default: "flannel", wayOut: "set the argument cni" },
  "cluster.network.podSubnets": { wayOut: "set the argument podCidrs" },
  "cluster.network.serviceSubnets": { wayOut: "set the argument serviceCidrs" },
  "cluster.controlPlane.localAPIServerPort": {
    default: KUBERNETES_API_PORT,
    wayOut: "keep the port, because the load balancer, the firewall and the health checks use it",
  },
};

/**
 * What patches of a role must not change, because firewall, load balancer, ranges and waits of a
 * `TalosCluster` follow from its arguments alone.
 */
export function plannedSettingsOf(role: MachineType): PlannedSettings {
  return role === "worker" ? OF_ALL : { ...OF_ALL, ...OF_CONTROL_PLANE };
}
