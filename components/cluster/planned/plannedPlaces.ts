import { KUBERNETES_API_PORT } from "../../firewall/planFirewallRules";
import { DEFAULT_NETWORK_CIDR } from "../../network/networkArgs";
import type { MetricsSource } from "../arguments/talosClusterArgs";
import { METRICS_FLAGS } from "../plan/planMetrics";
import { joined, type Plan, plannedFlag, type PlannedPlaces } from "./plan";

/** Ports that the firewall opens for metrics, and Talos asks for the components' health. */
const COMPONENT_PORTS = { controllerManager: 10_257, scheduler: 10_259 } as const;

/** Settings without an argument that more than their machine follows, of all machines. */
export function placesOfAll(plan: Plan): PlannedPlaces {
  return {
    "machine.kubelet.nodeIP.validSubnets": {
      ...networkOf(plan),
      allows: "wider",
      wayOut: "name the whole network of the machines, by whose addresses up finds their nodes",
    },
    ...plannedFlag("machine.kubelet", "node-ip", {
      wayOut: "leave it to Talos: up finds nodes by the addresses that EC2 gives",
    }),
    "machine.network.interfaces.*.vip": { wayOut: VIP },
    "machine.network.interfaces.*.vlans.*.vip": { wayOut: VIP },
    "Layer2VIPConfig/*": { wayOut: VIP },
    "HCloudVIPConfig/*": { wayOut: VIP },
    "machine.features.rbac": {
      wayOut: "leave it on: talosconfigRoles counts only with it",
    },
  };
}

const VIP =
  "use the argument exposure: AWS delivers nothing for an address that a machine only announces, and the load balancer is the way to the Kubernetes API";

/** Settings without an argument that more than their machine follows, of control planes. */
export function placesOfControlPlanes(plan: Plan): PlannedPlaces {
  const port = "because the load balancer, the firewall and the health checks use it";
  return {
    "cluster.controlPlane.localAPIServerPort": {
      value: KUBERNETES_API_PORT,
      default: KUBERNETES_API_PORT,
      wayOut: `keep the port, ${port}`,
    },
    ...plannedFlag("cluster.apiServer", "secure-port", {
      wayOut: `keep the port ${KUBERNETES_API_PORT}, ${port}`,
    }),
    ...plannedFlag("cluster.apiServer", "bind-address", {
      wayOut:
        "leave it to Talos: load balancer and kubelets reach the API at the machine's address",
    }),
    ...plannedFlag("cluster.apiServer", "advertise-address", {
      wayOut:
        "leave it to Talos: each API server announces its own machine, and pods reach the API by these addresses",
    }),
    ...joined(
      ["advertise-client-urls", "initial-advertise-peer-urls", "initial-cluster"].map((flag) => ({
        [`cluster.etcd.extraArgs.${flag}`]: {
          wayOut: "leave it to Talos: each member of etcd announces its own machine",
        },
      })),
    ),
    ...joined(
      Object.entries(COMPONENT_PORTS).map(([component, usual]) =>
        plannedFlag(`cluster.${component}`, "secure-port", {
          wayOut: `keep the port ${usual}, which the firewall opens for monitoring`,
        }),
      ),
    ),
    ...Object.fromEntries(
      ["advertisedSubnets", "listenSubnets", "subnet"].map((key) => [
        `cluster.etcd.${key}`,
        {
          ...networkOf(plan),
          allows: "wider" as const,
          wayOut:
            "name the whole network of the machines, by whose addresses up finds etcd's members",
        },
      ]),
    ),
    ...etcdVolume(plan),
    ...joined((plan.args.metrics ?? []).map(metricsFlag)),
  };
}

function metricsFlag(source: MetricsSource): PlannedPlaces {
  const { program, flag, value } = METRICS_FLAGS[source];
  const wayOut = `leave "${source}" out of the argument metrics, which opens its port in the firewall`;
  // The other spelling is another flag to Talos, and the program takes one of the two.
  return {
    ...plannedFlag(program, flag, { wayOut }),
    [`${program}.extraArgs.${flag}`]: { value, wayOut },
  };
}

/** The range that the machines' addresses are in; nothing for an adopted network, which isn't read. */
function networkOf({ args: { network }, pool }: Plan): { readonly value?: string[] } {
  if (network.adopt !== undefined) {
    return {};
  }
  const range =
    pool?.subnets === "worker"
      ? network.workerCidrBlock
      : (network.cidrBlock ?? DEFAULT_NETWORK_CIDR);
  return range === undefined ? {} : { value: [range] };
}

/** The component places Talos' volume on etcd's own disk. */
function etcdVolume({ args }: Plan): PlannedPlaces {
  const { etcdVolume: volume } = args.controlPlane;
  return volume === undefined
    ? {}
    : {
        [`VolumeConfig/${volume.holds === "etcd" ? "ETCD" : "EPHEMERAL"}.provisioning`]: {
          wayOut: "set controlPlane.etcdVolume, which makes the disk and places the volume there",
        },
      };
}
