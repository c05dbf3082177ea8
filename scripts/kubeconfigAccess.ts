import { parse } from "yaml";

/**
 * The host name in the URL of a kubeconfig's server.
 *
 * @throws Error without a cluster
 */
export function serverHost(kubeconfig: string): string {
  const { clusters } = parse(kubeconfig) as {
    readonly clusters: readonly { readonly cluster: { readonly server: string } }[];
  };
  const [first] = clusters;
  if (first === undefined) {
    throw new Error("the kubeconfig names no cluster");
  }
  return new URL(first.cluster.server).hostname;
}
