import * as pulumi from "@pulumi/pulumi";
import {
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationRollout,
  MachineBootstrap,
  MachineConfiguration,
  MachineSecrets,
  type Platform,
} from "pulumi-talos-aws";

const config = new pulumi.Config();
const clusterName = config.require("clusterName");
// Addresses by what identifies each machine for good: an instance id, a serial number.
const machines = Object.entries(config.requireObject<Record<string, string>>("machines"));
const addresses = machines.map(([, address]) => address);
const [first, ...others] = addresses;
if (first === undefined) {
  throw new pulumi.RunError("the setting machines is empty: name the control plane machines");
}

// The text of a control plane machine's configuration, or of a file from `talosctl gen secrets`:
// pulumi config set --secret importedSecrets < controlplane.yaml
const { secretsBundle, versionContract } = new MachineSecrets(
  "secrets",
  {
    versionContract: config.require("versionContract"),
    importedSecrets: config.requireSecret("importedSecrets"),
  },
  { protect: true },
);
const { credentials } = new ClientConfiguration("access", {
  clusterName,
  secretsBundle,
  endpoints: addresses,
  lifetimeHours: 87_600,
});
const controlPlane = new MachineConfiguration("control-plane", {
  clusterName,
  endpoint: config.require("endpoint"),
  machineType: "controlplane",
  secretsBundle,
  versionContract,
  // What the machines run on: "metal", "aws" …
  platform: config.require<Platform>("platform"),
  talosVersion: config.require("talosVersion"),
  kubernetesVersion: config.require("kubernetesVersion"),
  installDisk: config.require("installDisk"),
});
// The first "pulumi up" only looks: it records each machine as it is and warns of what differs. Then
// "pulumi preview --refresh" shows that line by line, and the next "pulumi up" changes it, one machine
// after another.
const rollout = new ConfigurationRollout("control-plane", {
  machines: Object.fromEntries(
    machines.map(([machineId, node]) => [machineId, { machineId, node }]),
  ),
  takeover: "look",
  credentials,
  machineConfiguration: controlPlane.machineConfiguration,
  redactedConfiguration: controlPlane.redactedConfiguration,
});
// Finds etcd running, and leaves it alone.
const bootstrap = new MachineBootstrap(
  "bootstrap",
  { node: first, peers: others, credentials },
  { dependsOn: rollout },
);
const { kubeconfig } = new ClusterKubeconfig(
  "kubeconfig",
  { node: first, credentials },
  { dependsOn: bootstrap },
);
new ClusterHealth(
  "health",
  {
    controlPlaneNodes: addresses,
    credentials,
    kubeconfig,
    // Whatever changes on a machine, the whole cluster is looked at afterwards.
    triggers: rollout.configurationHashes.apply((hashes) => Object.values(hashes)),
  },
  { dependsOn: rollout },
);

export { kubeconfig };
