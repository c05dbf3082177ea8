import { TalosCluster } from "pulumi-talos-aws";

// What runs in the cluster is in a Git repository, from its CRDs to its applications. Pulumi brings the
// machines, Flux brings the rest.
const cluster = new TalosCluster("fleet", {
  environment: "fleet",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a"] },
  controlPlane: { machineCount: 1 },
  workerPools: { apps: { machineCount: 1 } },
  addOns: {
    // Whoever may write to this branch has every right in the cluster. A private repository needs `key`.
    flux: { url: "https://github.com/example/fleet", path: "clusters/fleet", interval: "5m" },
    // Tells of what is wrong with a machine, by conditions of its node that Flux can alert on.
    nodeProblemDetector: true,
  },
});

export const endpoint = cluster.endpoint;
export const kubeconfig = cluster.kubeconfig;
