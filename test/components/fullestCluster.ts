import type { TalosClusterArgs } from "../../components";

/** A cluster that has everything: as many kinds of resources as arguments can ask for. */
export const fullestCluster: TalosClusterArgs = {
  environment: "production",
  domain: "example.com",
  talosVersion: "v1.12.1",
  versionContract: "v1.12",
  kubernetesVersion: "v1.35.0",
  operatorCidrs: ["203.0.113.0/24"],
  exposure: "both",
  network: {
    zones: ["us-east-1a", "us-east-1b", "us-east-1c"],
    privateSubnets: true,
    nat: "perZone",
    ipv6: true,
    gatewayEndpoints: ["s3", "dynamodb"],
    interfaceEndpoints: ["ec2", "sts"],
    workerCidrBlock: "100.64.0.0/16",
    flowLogs: true,
  },
  firewall: {
    monitoring: ["kubelet", "controlPlane", "nodeExporter"],
    extraRules: {
      ingress: {
        group: "worker",
        protocol: "tcp",
        ports: 30443,
        from: { world: true },
        description: "Ingress",
      },
    },
  },
  kubeSpan: true,
  dns: { createZone: true },
  addOns: {
    cloudController: { manifest: "kind: List" },
    ebsCsi: { manifest: "kind: List" },
    clusterAutoscaler: true,
    loadBalancerController: true,
    externalDns: { zoneIds: ["Z0123456789ABCDEFGHIJ"] },
    metricsServer: true,
    nodeTerminationHandler: true,
    nodeProblemDetector: true,
    auditLog: true,
    etcdBackup: { agePublicKey: "none" },
  },
  irsa: true,
  helm: { web: { chart: "oci://registry.example.com/charts/web", version: "1.2.3" } },
  controlPlane: {
    fixedAddresses: true,
    etcdVolume: { sizeGib: 10 },
    detailedMonitoring: true,
    role: {
      permissions: { ecrPull: true },
      managedPolicyArns: { read: "arn:aws:iam::aws:policy/ReadOnlyAccess" },
      statements: [{ actions: ["s3:GetObject"], resources: ["*"] }],
    },
  },
  workerPools: {
    apps: {
      machineCount: 2,
      metadataHopLimit: 2,
      ingress: { listeners: { https: { port: 443, targetPort: 30_443 } }, allowWorld: true },
      placementGroup: { strategy: "spread" },
    },
    batch: {
      subnets: "private",
      role: { permissions: { clusterAutoscaler: true } },
      autoScaling: { minSize: 0, maxSize: 4 },
    },
    spread: { subnets: "worker", autoScaling: { minSize: 0, maxSize: 4, groups: "single" } },
  },
  // Three for NAT, three that are fixed.
  quotas: { elasticAddresses: 6 },
  tags: { team: "platform" },
};
