/**
 * What Talos takes where a configuration says nothing. Source: talos v1.12.1,
 * pkg/machinery/constants/constants.go (`DefaultIPv4PodNet`, `DefaultIPv4ServiceNet`, `DefaultDNSDomain`).
 */
export const DEFAULT_POD_CIDRS: readonly string[] = ["10.244.0.0/16"];
export const DEFAULT_SERVICE_CIDRS: readonly string[] = ["10.96.0.0/12"];
export const DEFAULT_DNS_DOMAIN = "cluster.local";
