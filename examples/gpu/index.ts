import * as pulumi from "@pulumi/pulumi";
import { SchematicImage, TalosCluster } from "pulumi-talos-aws";

const config = new pulumi.Config();

// Up to Talos v1.13, NVIDIA's container toolkit for Talos has the runtime that the device plugin needs. From v1.14 on
// NVIDIA's GPU operator hands out GPUs, so the add-on is refused there.
const TALOS_VERSION = "v1.13.9";

// What gpu: "nvidia" asks of an image. Its disk is in a bucket of yours: docs/images.md.
const image = new SchematicImage("gpu", {
  talosVersion: TALOS_VERSION,
  architecture: "amd64",
  systemExtensions: [
    "siderolabs/nvidia-open-gpu-kernel-modules-lts",
    "siderolabs/nvidia-container-toolkit-lts",
  ],
  bucket: config.require("diskBucket"),
  key: `talos-${TALOS_VERSION}-nvidia-amd64.raw`,
});

const cluster = new TalosCluster("demo", {
  environment: "demo",
  domain: "example.com",
  talosVersion: TALOS_VERSION,
  versionContract: "v1.13",
  kubernetesVersion: "v1.36.3",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a", "eu-central-1b"], nat: "single" },
  // One is enough to try it.
  controlPlane: { machineCount: 1 },
  irsa: true,
  addOns: {
    // Gives nodes the id by which the autoscaler knows its machines.
    cloudController: true,
    // A machine with a GPU ends five minutes after its last pod.
    clusterAutoscaler: { extraArgs: { "scale-down-unneeded-time": "5m" } },
    // Drains spot machines before AWS takes them away.
    nodeTerminationHandler: true,
    nvidiaDevicePlugin: true,
  },
  workerPools: {
    // For what has to stay, as the cluster's DNS. The taint of the other nodes keeps that away from GPUs.
    system: { machineCount: 1, subnets: "private", instanceType: "t3.medium" },
    // A GPU that is always there.
    inference: {
      machineCount: 1,
      subnets: "private",
      instanceType: "g6.xlarge",
      gpu: "nvidia",
      imageId: image.imageId,
      // For the container images, which are large.
      rootVolumeSizeGib: 100,
      labels: { "example.com/work": "inference" },
    },
    // From no machine to four in all zones, so four bound what it costs.
    training: {
      subnets: "private",
      instanceType: "g6.xlarge",
      gpu: "nvidia",
      imageId: image.imageId,
      rootVolumeSizeGib: 100,
      labels: { "example.com/work": "training" },
      autoScaling: {
        minSize: 0,
        maxSize: 4,
        // As many processors and GPUs, and as much memory.
        moreInstanceTypes: ["g5.xlarge"],
        gpuCount: 1,
        onDemandPercentage: 0,
      },
    },
  },
});

export const imageName = image.imageName;
export const endpoint = cluster.endpoint;
export const nodes = cluster.nodes;
export const autoScalingGroups = cluster.autoScalingGroupNames;
export const kubeconfig = cluster.kubeconfig;
