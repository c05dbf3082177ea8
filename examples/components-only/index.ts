import * as aws from "@pulumi/aws";
import {
  ApiLoadBalancer,
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationApply,
  FirstContact,
  ControlPlane,
  DnsRecord,
  Firewall,
  IngressLoadBalancer,
  MachineBootstrap,
  MachineConfiguration,
  MachineImage,
  MachineSecrets,
  Network,
  NodeRole,
  WorkerPool,
} from "pulumi-talos-aws";

const CLUSTER_NAME = "parts";
const RECORD_NAME = "k8s.parts.example.com";
const TALOS_VERSION = "v1.14.1";
const VERSION_CONTRACT = "v1.14";

// AWS: the parts of TalosCluster. You can replace each one.
const network = new Network("network", {
  clusterName: CLUSTER_NAME,
  zones: ["eu-central-1a", "eu-central-1b"],
});
const firewall = new Firewall("firewall", {
  clusterName: CLUSTER_NAME,
  vpcId: network.vpcId,
  operatorCidrs: ["203.0.113.7/32"],
});
const loadBalancer = new ApiLoadBalancer("api", {
  vpcId: network.vpcId,
  subnetIds: network.publicSubnetIds.apply((ids) => Object.values(ids)),
  securityGroupId: firewall.loadBalancerGroupId,
  // They decide how API servers can be checked.
  versionContract: VERSION_CONTRACT,
  talosVersion: TALOS_VERSION,
});
const dnsRecord = new DnsRecord("dns", {
  recordName: RECORD_NAME,
  zoneName: "example.com",
  loadBalancerDnsName: loadBalancer.dnsName,
  loadBalancerZoneId: loadBalancer.zoneId,
});
const role = new NodeRole("machines", { machines: "control plane", clusterName: CLUSTER_NAME });
const image = new MachineImage("image", { talosVersion: TALOS_VERSION, architecture: "arm64" });
const controlPlane = new ControlPlane(
  "control-plane",
  {
    clusterName: CLUSTER_NAME,
    subnets: network.publicSubnets,
    machineCount: 3,
    instanceType: "m7g.large",
    imageId: image.imageId,
    securityGroupId: firewall.controlPlaneGroupId,
    instanceProfileName: role.instanceProfileName,
    targets: loadBalancer.targets,
    publicApiGroupId: firewall.loadBalancerGroupId,
  },
  { dependsOn: network },
);

// Talos: the same as on any other platform.
const { secretsBundle, versionContract } = new MachineSecrets("secrets", {
  versionContract: VERSION_CONTRACT,
});
const { credentials } = new ClientConfiguration("access", {
  clusterName: CLUSTER_NAME,
  secretsBundle,
  endpoints: [RECORD_NAME],
});
const shared = {
  platform: "aws",
  clusterName: CLUSTER_NAME,
  endpoint: `https://${RECORD_NAME}:6443`,
  secretsBundle,
  versionContract,
  talosVersion: TALOS_VERSION,
  kubernetesVersion: "v1.37.2",
  installDisk: "/dev/nvme0n1",
} as const;
const { machineConfiguration, redactedConfiguration } = new MachineConfiguration("control-plane", {
  ...shared,
  machineType: "controlplane",
});
const machines = Object.values(controlPlane.machines);
const applies = machines.map(({ name, instanceId, instanceArn, publicAddress, reachability }) => {
  // Before it gets the cluster's keys, the machine must print its certificate's fingerprint on EC2's console.
  const console = { instanceArn };
  const way = { machineId: instanceId, node: publicAddress, credentials, console };
  const options = { dependsOn: [network, firewall, dnsRecord, ...reachability] };
  const { fingerprints: firstContact } = new FirstContact(name, way, options);
  return new ConfigurationApply(
    name,
    { ...way, firstContact, machineConfiguration, redactedConfiguration },
    options,
  );
});
const [first, ...others] = machines.map(({ publicAddress }) => publicAddress);
if (first === undefined) {
  throw new Error("a control plane needs at least one machine");
}
const bootstrap = new MachineBootstrap(
  "bootstrap",
  { node: first, peers: others, credentials },
  { dependsOn: applies },
);

// A worker that your database lets in, behind a load balancer of its own.
const databaseClients = new aws.ec2.SecurityGroup("database-clients", {
  vpcId: network.vpcId,
  description: "Clients of the database",
});
const ingress = new IngressLoadBalancer(
  "web",
  {
    vpcId: network.vpcId,
    subnetIds: network.publicSubnetIds.apply((ids) => Object.values(ids)),
    machineGroupId: firewall.workerGroupId,
    clientCidrs: ["203.0.113.0/24"],
    listeners: { https: { port: 443, targetPort: 30443 } },
  },
  { dependsOn: network },
);
const worker = new MachineConfiguration("worker", { ...shared, machineType: "worker" });
new WorkerPool(
  "web",
  {
    clusterName: CLUSTER_NAME,
    machineCount: 1,
    subnets: network.publicSubnets,
    instanceType: "m7g.large",
    imageId: image.imageId,
    securityGroupId: firewall.workerGroupId,
    moreSecurityGroupIds: [databaseClients.id],
    targets: ingress.targets,
    publicApiGroupId: firewall.loadBalancerGroupId,
    credentials,
    machineConfiguration: worker.machineConfiguration,
    redactedConfiguration: worker.redactedConfiguration,
  },
  { dependsOn: [network, bootstrap] },
);

export const ingressName = ingress.dnsName;
export const { kubeconfig } = new ClusterKubeconfig(
  "kubeconfig",
  { node: first, credentials },
  { dependsOn: bootstrap },
);
// Ends when the cluster serves, and checks it again after each change of a machine.
new ClusterHealth(
  "health",
  {
    controlPlaneNodes: [first, ...others],
    credentials,
    kubeconfig,
    triggers: applies.map(({ configurationHash }) => configurationHash),
  },
  { dependsOn: applies },
);
