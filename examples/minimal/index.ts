import { TalosCluster } from "pulumi-talos-aws";

// One machine, reached by its own address, for experiments. If you lose it, you lose the cluster.
const cluster = new TalosCluster("tiny", {
  environment: "tiny",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  exposure: "direct",
  network: { zones: ["eu-central-1a"] },
  controlPlane: { machineCount: 1, instanceType: "t3.medium", rootVolumeSizeGib: 20 },
  machineConfiguration: { allowSchedulingOnControlPlanes: true },
});

export const endpoint = cluster.endpoint;
export const kubeconfig = cluster.kubeconfig;
