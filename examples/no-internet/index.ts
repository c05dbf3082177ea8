import { TalosCluster } from "pulumi-talos-aws";

// Nothing in this network reaches the internet. Run Pulumi in it or in a connected network. The
// mirror is a registry of yours there, which holds or fetches the images of every registry.
const fromInside = {
  registryMirrors: { "*": ["https://mirror.corp.example.com"] },
  timeServers: ["169.254.169.123"],
  discovery: false,
};

const cluster = new TalosCluster("inside", {
  environment: "inside",
  domain: "example.com",
  talosVersion: "v1.14.1",
  versionContract: "v1.14",
  kubernetesVersion: "v1.37.2",
  operatorCidrs: ["10.0.0.0/8"],
  exposure: "internal",
  talosApiThroughLoadBalancer: true,
  dns: { createZone: true, privateZone: true },
  network: {
    cidrBlock: "10.20.0.0/22",
    zones: ["eu-central-1a", "eu-central-1b", "eu-central-1c"],
    internetAccess: false,
    // Many machines need more addresses than the network's own range has.
    workerCidrBlock: "100.64.0.0/16",
    gatewayEndpoints: ["s3"],
    interfaceEndpoints: ["ec2", "elasticloadbalancing", "sts"],
  },
  irsa: true,
  addOns: { cloudController: true, ebsCsi: true },
  controlPlane: { subnets: "private", delivery: "userData" },
  machineConfiguration: fromInside,
  workers: { machineConfiguration: fromInside },
  workerPools: { apps: { machineCount: 2, subnets: "worker" } },
});

export const endpoint = cluster.endpoint;
export const nodes = cluster.nodes;
export const kubeconfig = cluster.kubeconfig;
export const talosconfig = cluster.talosconfig;
