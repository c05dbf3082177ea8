import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

// To end it all: pulumi config set protected false, pulumi up, pulumi destroy.
const isProtected = new pulumi.Config().getBoolean("protected") ?? true;

const cluster = new TalosCluster("prod", {
  environment: "production",
  domain: "example.com",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/28"],
  kubernetesApiCidrs: ["203.0.113.0/24", "198.51.100.0/24"],
  network: {
    zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
    gatewayEndpoints: ["s3"],
  },
  controlPlane: {
    instanceType: "m6i.xlarge",
    rootVolumeSizeGib: 100,
    terminationProtection: isProtected,
    role: { permissions: { ecrPull: true } },
  },
  addOns: {
    metricsServer: true,
    // Better a key of yours, by age-keygen: snapshots hold every secret of the cluster.
    etcdBackup: { agePublicKey: "none", schedule: "@hourly", retentionDays: 14 },
  },
  talosconfigRoles: ["os:operator"],
  loadBalancerDeletionProtection: isProtected,
  protect: isProtected,
  tags: { team: "platform" },
});

// What its holder may do, you bind to the group:
// kubectl create clusterrolebinding deployers --clusterrole=edit --group=deployers
export const deployKubeconfig = cluster.getKubeconfig({
  user: "ci",
  groups: ["deployers"],
  lifetimeHours: 168,
});
export const endpoint = cluster.endpoint;
export const kubeconfig = cluster.kubeconfig;
export const talosconfig = cluster.talosconfig;
export const nodes = cluster.nodes;
