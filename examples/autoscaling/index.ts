import { TalosCluster } from "pulumi-talos-aws";

const cluster = new TalosCluster("demo", {
  environment: "demo",
  domain: "example.com",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"], nat: "single" },
  addOns: {
    // Gives nodes the id that the autoscaler knows them by: it is refused without.
    cloudController: true,
    // Runs on the control plane, so no worker may resize groups.
    clusterAutoscaler: { extraArgs: { "scale-down-unneeded-time": "5m" } },
  },
  workerPools: {
    // For what has to stay, as the cluster's DNS.
    system: { machineCount: 2, subnets: "private", instanceType: "t3.medium" },
    // A group for each zone; from no machine in any of them to ten in all.
    spot: {
      subnets: "private",
      instanceType: "m6i.large",
      labels: { "example.com/capacity": "spot" },
      taints: { "example.com/capacity": "spot:NoSchedule" },
      autoScaling: {
        minSize: 0,
        desiredSize: 3,
        maxSize: 10,
        moreInstanceTypes: ["m6a.large", "m5.large"],
        onDemandPercentage: 0,
      },
    },
  },
});

export const endpoint = cluster.endpoint;
export const nodes = cluster.nodes;
export const autoScalingGroups = cluster.autoScalingGroupNames;
export const kubeconfig = cluster.kubeconfig;
