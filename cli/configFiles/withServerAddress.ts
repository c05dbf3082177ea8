import { parse, stringify } from "yaml";

interface Kubeconfig {
  readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
}

/**
 * A kubeconfig that reaches the server at an address instead of its name, which may not be in the
 * DNS yet. The server's certificate is still checked for the name.
 */
export function withServerAddress(kubeconfig: string, address: string): string {
  const config = parse(kubeconfig) as Kubeconfig;
  const host = address.includes(":") ? `[${address}]` : address;
  const clusters = config.clusters.map((entry) => {
    const url = new URL(entry.cluster.server);
    const server = `https://${host}:${url.port || "443"}`;
    return { ...entry, cluster: { ...entry.cluster, server, "tls-server-name": url.hostname } };
  });
  return stringify({ ...config, clusters }, { lineWidth: 0 });
}
