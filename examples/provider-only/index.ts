import * as pulumi from "@pulumi/pulumi";
import {
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationApply,
  MachineBootstrap,
  MachineConfiguration,
  MachineSecrets,
} from "pulumi-talos-aws";

const config = new pulumi.Config();
const versions = {
  platform: "metal",
  talosVersion: "v1.12.1",
  kubernetesVersion: "v1.35.0",
} as const;
const clusterName = "rack";
const installDisk = config.require("installDisk");
// Machines that booted Talos and wait for their configuration: addresses by what identifies each for
// good, such as a serial number.
const controlPlanes = Object.entries(config.requireObject<Record<string, string>>("controlPlanes"));
const workers = Object.entries(config.getObject<Record<string, string>>("workers") ?? {});
const addresses = controlPlanes.map(([, address]) => address);
const [first, ...others] = addresses;
if (first === undefined) {
  throw new pulumi.RunError("the setting controlPlanes is empty: name a machine at least");
}

const { secretsBundle, versionContract } = new MachineSecrets("secrets", {
  versionContract: "v1.12",
});
const { credentials, talosconfig } = new ClientConfiguration("access", {
  clusterName,
  secretsBundle,
  endpoints: addresses,
});

const roles = { controlplane: controlPlanes, worker: workers };
const applies = (["controlplane", "worker"] as const).flatMap((machineType) => {
  const { machineConfiguration, redactedConfiguration } = new MachineConfiguration(machineType, {
    ...versions,
    clusterName,
    endpoint: config.require("endpoint"),
    machineType,
    secretsBundle,
    versionContract,
    installDisk,
  });
  return roles[machineType].map(
    ([machineId, node]) =>
      new ConfigurationApply(machineId, {
        machineId,
        node,
        credentials,
        machineConfiguration,
        redactedConfiguration,
      }),
  );
});

const bootstrap = new MachineBootstrap(
  "bootstrap",
  { node: first, peers: others, credentials },
  { dependsOn: applies },
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
    workerNodes: workers.map(([, address]) => address),
    credentials,
    kubeconfig,
  },
  { dependsOn: applies },
);

export { kubeconfig, talosconfig };
