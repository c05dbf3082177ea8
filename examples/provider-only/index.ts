import * as pulumi from "@pulumi/pulumi";
import {
  ClientConfiguration,
  ClusterHealth,
  ClusterKubeconfig,
  ConfigurationRollout,
  MachineBootstrap,
  MachineConfiguration,
  MachineSecrets,
} from "pulumi-talos-aws";

const config = new pulumi.Config();
const versions = {
  platform: "metal",
  talosVersion: "v1.14.1",
  kubernetesVersion: "v1.37.2",
} as const;
const CLUSTER_NAME = "rack";
const installDisk = config.require("installDisk");
// Machines that booted Talos and wait for their configuration: addresses by a permanent id, such as a
// serial number.
const controlPlanes = Object.entries(config.requireObject<Record<string, string>>("controlPlanes"));
const workers = Object.entries(config.getObject<Record<string, string>>("workers") ?? {});
const addresses = controlPlanes.map(([, address]) => address);
const [first, ...others] = addresses;
if (first === undefined) {
  throw new pulumi.RunError("the setting controlPlanes is empty: name at least one machine");
}

const { secretsBundle, versionContract } = new MachineSecrets("secrets", {
  versionContract: "v1.14",
});
const { credentials, talosconfig } = new ClientConfiguration("access", {
  clusterName: CLUSTER_NAME,
  secretsBundle,
  endpoints: addresses,
});

// Machines change one after another, each when the one before is healthy again. Workers follow the
// control plane. maxUnavailable changes several workers at the same time.
const roll = (
  machineType: "controlplane" | "worker",
  machines: readonly [string, string][],
  after: pulumi.Resource[],
) => {
  const { machineConfiguration, redactedConfiguration } = new MachineConfiguration(machineType, {
    ...versions,
    clusterName: CLUSTER_NAME,
    endpoint: config.require("endpoint"),
    machineType,
    secretsBundle,
    versionContract,
    installDisk,
  });
  return new ConfigurationRollout(
    machineType,
    {
      machines: Object.fromEntries(
        machines.map(([machineId, node]) => [machineId, { machineId, node }]),
      ),
      credentials,
      machineConfiguration,
      redactedConfiguration,
    },
    { dependsOn: after },
  );
};
const controlPlane = roll("controlplane", controlPlanes, []);
const workerMachines = roll("worker", workers, [controlPlane]);

const bootstrap = new MachineBootstrap(
  "bootstrap",
  { node: first, peers: others, credentials },
  { dependsOn: controlPlane },
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
    // After each change of a machine, the whole cluster is checked.
    triggers: pulumi
      .all([controlPlane.configurationHashes, workerMachines.configurationHashes])
      .apply((hashes) => hashes.flatMap((each) => Object.values(each))),
  },
  { dependsOn: [controlPlane, workerMachines] },
);

export { kubeconfig, talosconfig };
