import * as aws from "@pulumi/aws";
import * as pulumi from "@pulumi/pulumi";
import { TalosCluster } from "pulumi-talos-aws";

// To destroy it: pulumi config set protected false, pulumi up, pulumi destroy.
const isProtected = new pulumi.Config().getBoolean("protected") ?? true;

// Encrypts the machines' volumes.
const key = new aws.kms.Key("volumes", {
  description: "Volumes of the cluster production",
  enableKeyRotation: true,
});

// Encrypts Kubernetes' Secrets in etcd. Without it, nobody can read them again.
const secretsKey = new aws.kms.Key(
  "secrets",
  { description: "Secrets of the cluster production", enableKeyRotation: true },
  { protect: isProtected },
);

const cluster = new TalosCluster("prod", {
  environment: "production",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["203.0.113.0/28"],
  kubernetesApiCidrs: ["203.0.113.0/24", "198.51.100.0/24", "2001:db8:1200::/48"],
  network: {
    zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
    // Clients may also come over IPv6.
    ipv6: true,
    gatewayEndpoints: ["s3"],
    // Kept for a year in CloudWatch.
    flowLogs: true,
  },
  controlPlane: {
    instanceType: "m6i.xlarge",
    rootVolumeSizeGib: 100,
    // For what machines write, etcd's data first of all.
    etcdVolume: { sizeGib: 40, iops: 6000, throughputMib: 250 },
    kmsKeyId: key.arn,
    terminationProtection: isProtected,
    // Many accounts require a boundary and a path for every role.
    role: {
      permissions: { ecrPull: true },
      path: "/talos/",
      permissionsBoundaryArn: "arn:aws:iam::aws:policy/PowerUserAccess",
      managedPolicyArns: { metrics: "arn:aws:iam::aws:policy/CloudWatchAgentServerPolicy" },
      statements: [
        {
          actions: ["secretsmanager:GetSecretValue"],
          resources: ["arn:aws:secretsmanager:eu-central-1:*:secret:production/*"],
        },
      ],
    },
  },
  // You build the image of the plugin: docs/rotation.md.
  secretsEncryption: {
    pluginImage: "123456789012.dkr.ecr.eu-central-1.amazonaws.com/aws-encryption-provider:v1.36.0",
    kmsKeyArns: { 1: secretsKey.arn },
  },
  addOns: {
    metricsServer: true,
    // Who did what in Kubernetes, out of reach of whoever has a machine.
    auditLog: { retentionDays: 400 },
    // Prefer your own key (age-keygen): snapshots contain every secret of the cluster.
    etcdBackup: { agePublicKey: "none", schedule: "@hourly", retentionDays: 14 },
  },
  // People log in with roles of the account; nobody holds a key.
  access: {
    aws: {
      issuerUrl: "https://a1faa616-d595-447d-bdfd-64b774ab199c.tokens.sts.global.api.aws",
      roles: {
        "arn:aws:iam::123456789012:role/Developers": ["deployers"],
        "arn:aws:iam::123456789012:role/OnCall": ["deployers", "operators"],
      },
    },
    groups: {
      deployers: { clusterRole: "edit", namespaces: ["shop", "search"] },
      operators: { clusterRole: "view" },
    },
  },
  talosconfigRoles: ["os:operator"],
  // It is in system:masters: people have their roles, and pipelines their own kubeconfig, below.
  kubeconfigLifetimeHours: 24,
  // Quiet connections, such as kubectl exec, stay for an hour.
  loadBalancerIdleTimeoutSeconds: 3600,
  loadBalancerDeletionProtection: isProtected,
  protect: isProtected,
  tags: { team: "platform" },
});

export const deployKubeconfig = cluster.createKubeconfig({
  user: "ci",
  groups: ["deployers"],
  lifetimeHours: 168,
});
export const accessKubeconfig = cluster.accessKubeconfig;
export const endpoint = cluster.endpoint;
export const kubeconfig = cluster.kubeconfig;
export const talosconfig = cluster.talosconfig;
export const nodes = cluster.nodes;
export const roles = cluster.roles;
