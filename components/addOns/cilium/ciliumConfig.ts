import type { KubernetesObject } from "../../../provider/kubernetes";
import type { KnownSettings } from "../common/addOn";
import { SYSTEM_NAMESPACE } from "../common/addOnScope";
import { SECRETS_NAMESPACE } from "./ciliumAccess";
import { type CiliumAddOn, replacesKubeProxy } from "./ciliumAddOn";
import { CILIUM_DEFAULTS } from "./ciliumDefaults";

/** Cilium's settings by their names, which are those of its programs' flags. */
export type CiliumSettings = Readonly<Record<string, string>>;

/** The ConfigMap that agents and operator read. */
export const CONFIG_MAP = "cilium-config";

/** Where the operator tells whether it works. */
export const OPERATOR_HEALTH_PORT = 9_234;

/** The ports of metrics; those of Cilium's documentation. */
export const METRICS_PORTS = { agent: 9_962, operator: 9_963, proxy: 9_964, hubble: 9_965 };

/**
 * The flows that Hubble counts, for example drops by their reason. Source: Cilium's guide "Monitoring &
 * Metrics".
 */
const FLOW_METRICS = "dns drop tcp flow icmp";

/** What Cilium does, by the arguments. */
export function ciliumSettings(addOn: KnownSettings<CiliumAddOn>): CiliumSettings {
  const { wireGuard, hubble, metrics, gatewayApi, extraArgs = {} } = addOn;
  const given = Object.entries(extraArgs).map(([name, values]) => [
    name,
    [values].flat().join(","),
  ]);
  return {
    ...CILIUM_DEFAULTS,
    "kube-proxy-replacement": `${replacesKubeProxy(addOn)}`,
    // Talos forwards the queries of the cluster's DNS to its own resolver on the machine, which pods don't
    // reach otherwise (Cilium's guide "Talos Linux", limitations).
    "enable-host-legacy-routing": "true",
    "operator-api-serve-addr": `127.0.0.1:${OPERATOR_HEALTH_PORT}`,
    "enable-hubble": `${hubble === true}`,
    "enable-metrics": `${metrics === true}`,
    ...(hubble === true && HUBBLE),
    ...(metrics === true && METRICS),
    ...(hubble === true && metrics === true && FLOWS),
    ...(wireGuard === true && WIRE_GUARD),
    "bpf-lb-algorithm-annotation": `${gatewayApi === true}`,
    ...(gatewayApi === true && GATEWAY_API),
    ...(Object.fromEntries(given) as CiliumSettings),
  };
}

/** The ConfigMap of the settings. */
export function ciliumConfig(
  settings: CiliumSettings,
  labels: Readonly<Record<string, string>>,
): KubernetesObject {
  return {
    apiVersion: "v1",
    kind: "ConfigMap",
    metadata: { name: CONFIG_MAP, namespace: SYSTEM_NAMESPACE, labels },
    data: settings,
  };
}

/** Without an address, the flows are on no port. */
const HUBBLE: CiliumSettings = {
  "hubble-socket-path": "/var/run/cilium/hubble.sock",
  "hubble-network-policy-correlation-enabled": "true",
};

const METRICS: CiliumSettings = {
  "prometheus-serve-addr": `:${METRICS_PORTS.agent}`,
  "operator-prometheus-serve-addr": `:${METRICS_PORTS.operator}`,
  "proxy-prometheus-port": `${METRICS_PORTS.proxy}`,
  "controller-group-metrics": "write-cni-file sync-host-ips sync-lb-maps-with-k8s-services",
};

const FLOWS: CiliumSettings = {
  "hubble-metrics": FLOW_METRICS,
  "hubble-metrics-server": `:${METRICS_PORTS.hubble}`,
  "hubble-metrics-server-enable-tls": "false",
  "enable-hubble-open-metrics": "false",
};

const WIRE_GUARD: CiliumSettings = {
  "enable-wireguard": "true",
  "wireguard-persistent-keepalive": "0s",
};

const GATEWAY_API: CiliumSettings = {
  "enable-gateway-api": "true",
  "enable-envoy-config": "true",
  "envoy-config-retry-interval": "15s",
  "bpf-lb-sock-hostns-only": "true",
  "enable-gateway-api-secrets-sync": "true",
  "gateway-api-secrets-namespace": SECRETS_NAMESPACE,
  "enable-gateway-api-alpn": "false",
  "enable-gateway-api-app-protocol": "false",
  "enable-gateway-api-proxy-protocol": "false",
  "gateway-api-hostnetwork-enabled": "false",
  "gateway-api-hostnetwork-nodelabelselector": "",
  "gateway-api-service-externaltrafficpolicy": "Cluster",
  "gateway-api-use-remote-address": "true",
  "gateway-api-xff-num-trusted-hops": "0",
};
