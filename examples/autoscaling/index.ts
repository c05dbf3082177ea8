import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

const config = new pulumi.Config();

const cluster = new TalosCluster("demo", {
  environment: "demo",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"], nat: "single" },
  // Pods call AWS by roles of their service accounts; so do the add-ons, and no machine may do their work.
  irsa: true,
  addOns: {
    // Gives nodes the id that the autoscaler and the load balancer controller know them by.
    cloudController: true,
    clusterAutoscaler: { extraArgs: { "scale-down-unneeded-time": "5m" } },
    ebsCsi: true,
    externalDns: { zoneIds: [config.require("zoneId")] },
    loadBalancerController: { replicas: 1 },
    metricsServer: { resources: { requests: { cpu: "50m", memory: "100Mi" } } },
    // Drains workers before AWS takes them away or ends them.
    nodeTerminationHandler: true,
  },
  workerPools: {
    // For what has to stay, as the cluster's DNS.
    system: {
      machineCount: 2,
      subnets: "private",
      instanceType: "t3.medium",
      // Each machine on its own hardware, and reserved capacity stays for others.
      placementGroup: { strategy: "spread" },
      capacityReservation: { preference: "none" },
      // For an ingress controller with these node ports. TLS ends at the load balancer.
      ingress: {
        allowWorld: true,
        accessLogs: { bucketName: config.require("logBucket"), prefix: "ingress" },
        listeners: {
          https: {
            port: 443,
            targetPort: 30080,
            certificateArn: config.require("certificateArn"),
            healthCheck: { protocol: "http", path: "/healthz" },
          },
        },
      },
    },
    // A group for each zone; from no machine in any of them to ten in all.
    spot: {
      subnets: "private",
      instanceType: "m6i.large",
      labels: { "example.com/capacity": "spot" },
      taints: { "example.com/capacity": "spot:NoSchedule" },
      // Talos mounts them at /var/mnt/cache and /var/mnt/data.
      dataVolumes: {
        cache: { sizeGib: 20, throughputMib: 250 },
        data: { sizeGib: 100, type: "io2", iops: 5000 },
      },
      autoScaling: {
        minSize: 0,
        desiredSize: 3,
        maxSize: 10,
        // AWS chooses among these types of one size, so spot machines are found more often.
        moreInstanceTypes: ["m5.large", "m6a.large", "m5a.large", "m7i.large"],
        onDemandPercentage: 0,
      },
    },
  },
});

// For pods of the service account "reports" in the namespace "apps": annotate that with
// eks.amazonaws.com/role-arn, and AWS' SDKs in them find their way.
const reports = cluster.createServiceAccountRole({
  namespace: "apps",
  name: "reports",
  statements: [{ actions: ["s3:GetObject"], resources: ["arn:aws:s3:::example-reports/*"] }],
});

export const reportsRole = reports.roleArn;
export const ingress = cluster.ingress;
export const endpoint = cluster.endpoint;
export const nodes = cluster.nodes;
export const autoScalingGroups = cluster.autoScalingGroupNames;
export const kubeconfig = cluster.kubeconfig;
