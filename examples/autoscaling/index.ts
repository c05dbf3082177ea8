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
    // It sets the id by which the autoscaler knows a node. Its project publishes only a chart: publish the
    // output of `helm template` at a URL of yours, or pass it as `manifest`.
    cloudController: {
      manifestUrls: ["https://manifests.example.com/aws-cloud-controller/v1.35.0.yaml"],
    },
  },
  workerPools: {
    // The cluster autoscaler runs here: only this pool has its permissions, and only its pods can use them.
    system: {
      machineCount: 2,
      subnets: "private",
      instanceType: "t3.medium",
      role: { permissions: { clusterAutoscaler: true } },
      metadataHopLimit: 2,
    },
    // One group per zone, with 0 to 10 machines in total.
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
