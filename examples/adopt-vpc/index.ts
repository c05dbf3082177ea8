import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

// Existing resources, for example outputs of other stacks.
const config = new pulumi.Config();

const cluster = new TalosCluster("guest", {
  environment: "guest",
  domain: config.require("domain"),
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.7/32"],
  network: {
    adopt: {
      vpcId: config.require("vpcId"),
      // Ids by zone: pulumi config set --path 'publicSubnetIds["eu-central-1a"]' subnet-…
      publicSubnetIds: config.requireObject<Record<string, string>>("publicSubnetIds"),
    },
  },
  dns: { zoneId: config.require("zoneId") },
  controlPlane: {
    machineCount: 1,
    role: { instanceProfileName: config.require("instanceProfileName") },
  },
});

export const endpoint = cluster.endpoint;
export const kubeconfig = cluster.kubeconfig;
export const vpcId = cluster.vpcId;
export const subnetIds = cluster.subnetIds;
