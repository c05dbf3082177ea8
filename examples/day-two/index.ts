import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

const config = new pulumi.Config();

// What docs/upgrades.md, scaling.md, backup.md and rotation.md change, in one cluster.
const cluster = new TalosCluster("prod", {
  environment: "prod",
  domain: "example.com",
  talosVersion: "v1.14.1",
  kubernetesVersion: "v1.37.2",
  // Created with Talos v1.12, and so it stays.
  versionContract: "v1.12",
  operatorCidrs: ["203.0.113.7/32"],
  network: { zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"], nat: "perZone" },
  controlPlane: {
    machineCount: 3, // 1, 3 or 5
    drain: { timeoutSeconds: 600 }, // 300 is the default
  },
  workerPools: {
    apps: {
      machineCount: 3,
      drain: { whenBlocked: "proceed" }, // the default is fail
    },
    batch: {
      subnets: "private",
      autoScaling: { minSize: 6, maxSize: 12, maxHealthyPercentage: 200, warmupSeconds: 300 },
    },
  },
  addOns: {
    etcdBackup: {
      agePublicKey: config.require("agePublicKey"), // "age1…", or "none"
      schedule: "0 */6 * * *", // the default, UTC
      retentionDays: 30, // the default
    },
  },
  rotation: { talosCa: { to: 2, stage: "accept" } },
});

export const { endpoint, nodes, kubeconfig, talosconfig } = cluster;
