import * as pulumi from "@pulumi/pulumi";
import { Network, TalosCluster } from "pulumi-talos-aws";

const zones = ["us-east-1a", "us-east-1b", "us-east-1c"];
const network = new Network("shared", {
  clusterName: "shared",
  zones,
  // The cloud controller of each cluster finds subnets for its load balancers by its tag.
  tags: { "kubernetes.io/cluster/blue": "shared", "kubernetes.io/cluster/green": "shared" },
});
const publicSubnetIds = Object.fromEntries(
  Object.entries(network.publicSubnets).map(([zone, { id }]) => [zone, id]),
);

// Each cluster has its own certificates, machines, firewall and name. You can delete one without the other.
const clusters = ["blue", "green"].map(
  (environment) =>
    new TalosCluster(
      environment,
      {
        environment,
        domain: "example.com",
        dns: { createZone: true },
        talosVersion: "v1.14.1",
        versionContract: "v1.14",
        kubernetesVersion: "v1.37.2",
        operatorCidrs: ["203.0.113.7/32"],
        network: { adopt: { vpcId: network.vpcId, publicSubnetIds } },
        // One machine each, for $30 a month; three survive the loss of one.
        controlPlane: { machineCount: 1 },
      },
      // Machines need the route to the internet as soon as they boot.
      { dependsOn: network },
    ),
);

export const endpoints = clusters.map(({ endpoint }) => endpoint);
export const kubeconfigs = pulumi.all(clusters.map(({ kubeconfig }) => kubeconfig));
