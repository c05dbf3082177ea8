import * as pulumi from "@pulumi/pulumi";
import { SchematicImage, TalosCluster } from "pulumi-talos-aws";

const config = new pulumi.Config();
const systemExtensions = ["siderolabs/iscsi-tools"];

// An image of your own with system extensions, of a disk that you have put into a bucket.
const storage = new SchematicImage("storage", {
  talosVersion: "v1.14.1",
  architecture: "amd64",
  systemExtensions,
  bucket: config.require("diskBucket"),
  key: "talos-v1.14.1-amd64.raw",
  copyTo: ["eu-west-1"],
});

// The instance type sets a machine's architecture. Each pool boots the image for its own.
const cluster = new TalosCluster("demo", {
  environment: "demo",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"] },
  controlPlane: { instanceType: "t4g.medium" },
  workerPools: {
    // For workloads that run on any architecture: Graviton costs about a fifth less.
    general: { machineCount: 2, instanceType: "m7g.large" },
    // Only for workloads that tolerate the taint: images that exist only for amd64.
    legacy: {
      machineCount: 1,
      instanceType: "m6i.large",
      imageId: storage.imageId,
      machineConfiguration: { systemExtensions },
      taints: { "example.com/architecture": "amd64:NoSchedule" },
      // Talos mounts it at /var/mnt/data.
      dataVolumes: { data: { sizeGib: 50 } },
      // `pulumi config set replacement "broken disk"` replaces the machine and its volume.
      machines: { "1": { replacement: config.get("replacement") ?? "none" } },
    },
  },
});

export const imageIds = storage.imageIds;
export const endpoint = cluster.endpoint;
export const nodes = cluster.nodes;
export const kubeconfig = cluster.kubeconfig;
