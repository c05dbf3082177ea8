import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

// To destroy it: pulumi config set protected false, pulumi up, pulumi destroy.
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
    // Prefer your own key (age-keygen): snapshots contain every secret of the cluster.
    etcdBackup: { agePublicKey: "none", schedule: "@hourly", retentionDays: 14 },
  },
  talosconfigRoles: ["os:operator"],
  // Quiet connections, such as kubectl exec, stay for an hour.
  loadBalancerIdleTimeoutSeconds: 3600,
  loadBalancerDeletionProtection: isProtected,
  protect: isProtected,
  tags: { team: "platform" },
});

// Bind a role to its group:
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
