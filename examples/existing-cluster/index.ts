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
// Addresses by a permanent id of each machine: an instance id, a serial number.
const machines = Object.entries(config.requireObject<Record<string, string>>("machines"));
const addresses = machines.map(([, address]) => address);
const [first, ...others] = addresses;
if (first === undefined) {
  throw new pulumi.RunError("the setting machines is empty: name the control plane machines");
}

// A control plane machine's configuration, or a file from `talosctl gen secrets`:
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
  // The machines' platform: "metal", "aws" …
  platform: config.require<Platform>("platform"),
  talosVersion: config.require("talosVersion"),
  kubernetesVersion: config.require("kubernetesVersion"),
  installDisk: config.require("installDisk"),
});
// The first "pulumi up" only looks: it records each machine as it is and warns about differences. Then
// "pulumi preview --refresh" shows each line, and the next "pulumi up" changes one machine after
// another.
const rollout = new ConfigurationRollout("control-plane", {
  machines: Object.fromEntries(
    machines.map(([machineId, node]) => [machineId, { machineId, node }]),
  ),
  takeover: "look",
  credentials,
  machineConfiguration: controlPlane.machineConfiguration,
  redactedConfiguration: controlPlane.redactedConfiguration,
});
// It finds a running etcd, and leaves it alone.
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
    // After each change of a machine, the whole cluster is checked.
    triggers: rollout.configurationHashes.apply((hashes) => Object.values(hashes)),
  },
  { dependsOn: rollout },
);

export { kubeconfig };
