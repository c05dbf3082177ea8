import { TalosCluster } from "pulumi-talos-aws";

const cluster = new TalosCluster(
  "platform",
  {
    // The former name, which certificates and kubeconfigs contain.
    clusterName: "demo",
    environment: "demo",
    domain: "example.com",
    talosVersion: "v1.14.1",
    versionContract: "v1.14",
    kubernetesVersion: "v1.37.2",
    operatorCidrs: ["203.0.113.7/32"],
    network: { zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"] },
  },
  { aliases: [{ name: "demo" }] },
);

export const { endpoint, nodes, kubeconfig, talosconfig } = cluster;
