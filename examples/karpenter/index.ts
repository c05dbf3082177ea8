import { TalosCluster } from "pulumi-talos-aws";

const cluster = new TalosCluster("demo", {
  environment: "demo",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a", "eu-central-1b"], nat: "single" },
  // One is enough to try it. With three, a second Karpenter waits for the first one to fail.
  controlPlane: { machineCount: 1 },
  // Karpenter launches machines with a role of its own.
  irsa: true,
  addOns: {
    // Gives nodes the id by which Karpenter knows its machines.
    cloudController: true,
    karpenter: true,
  },
  workerPools: {
    // For what has to stay, as the cluster's DNS.
    system: { machineCount: 1, subnets: "private", instanceType: "t3.medium" },
    // The cheapest machines that pods of any size need, and none without such pods.
    batch: {
      subnets: "private",
      labels: { "example.com/tier": "batch" },
      taints: { "example.com/tier": "batch:NoSchedule" },
      rootVolumeSizeGib: 100,
      karpenter: {
        // All machines of the pool together have this at most.
        limits: { vcpus: 64, memoryGib: 256, nodes: 20 },
        capacityTypes: ["spot", "on-demand"],
        architectures: ["amd64", "arm64"],
        instanceCategories: ["c", "m", "r"],
        vcpus: { min: 2, max: 16 },
        requirements: [
          { key: "karpenter.k8s.aws/instance-generation", operator: "Gt", values: ["4"] },
        ],
        budgets: [
          { nodes: "20%" },
          // In working hours, nothing but what is empty.
          {
            nodes: "0",
            reasons: ["Underutilized", "Drifted"],
            schedule: "0 8 * * 1-5",
            duration: "10h",
          },
        ],
        consolidateAfter: "5m",
        expireAfter: "336h",
      },
    },
  },
});

export const endpoint = cluster.endpoint;
export const nodes = cluster.nodes;
export const kubeconfig = cluster.kubeconfig;
