import { parse } from "yaml";

/** Host and port of a kubeconfig's server. */
export function serverOfKubeconfig(kubeconfig: string): { host: string; port: number } {
  const { clusters } = parse(kubeconfig) as {
    readonly clusters?: readonly { readonly cluster?: { readonly server?: string } }[];
  };
  const { hostname, port } = new URL(clusters?.[0]?.cluster?.server ?? "");
  return { host: hostname.replace(/^\[|\]$/g, ""), port: port === "" ? 443 : Number(port) };
}
