// Source: talos v1.12.1, pkg/machinery/constants/constants.go (`DefaultIPv4PodNet` and its neighbours).

/** The ranges of pods that Talos takes where a configuration has none. */
export const DEFAULT_POD_CIDRS: readonly string[] = ["10.244.0.0/16"];
/** The same of services. */
export const DEFAULT_SERVICE_CIDRS: readonly string[] = ["10.96.0.0/12"];
/** The domain of services, where a configuration has none. */
export const DEFAULT_DNS_DOMAIN = "cluster.local";
/** The pod network, where a configuration has none. */
export const DEFAULT_POD_NETWORK = "flannel";
