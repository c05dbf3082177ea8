import { TalosCluster } from "pulumi-talos-aws";

// No machine has a public address. Machines reach the internet through NAT. Operators reach the
// Kubernetes API and the Talos API through the load balancer. Machines boot with their configuration,
// because it could not be delivered later.
const cluster = new TalosCluster("hidden", {
  environment: "hidden",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  talosApiThroughLoadBalancer: true,
  network: {
    zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
    nat: "perZone",
    gatewayEndpoints: ["s3"],
  },
  controlPlane: { subnets: "private", delivery: "userData" },
  addOns: {
    // In place of flannel and kube-proxy. Traffic between pods on different machines is encrypted.
    cilium: { wireGuard: true, hubble: true },
  },
});

export const endpoint = cluster.endpoint;
export const nodes = cluster.nodes;
export const natAddresses = cluster.natAddresses;
export const kubeconfig = cluster.kubeconfig;
export const talosconfig = cluster.talosconfig;
