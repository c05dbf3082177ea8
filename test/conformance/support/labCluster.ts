import type { ClientCredentials } from "../../../provider/pki/clientCredentials";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import type { KubernetesLab } from "./kubernetesLab";
import { LAB } from "./labRelease";
import { ServedResource } from "./servedResource";

/** A cluster that the resources make in the lab. */
export interface LabCluster {
  readonly credentials: ClientCredentials;
  readonly secretsBundle: SecretsBundle;
  /** The inputs of a machine's `ConfigurationApply`. */
  inputs(role: "controlplane" | "worker", node: string, patches?: object[]): object;
}

/** A resource that is made anew. */
async function made(kind: ConstructorParameters<typeof ServedResource>[0], given: object) {
  const resource = new ServedResource(kind);
  expect(await resource.up(given)).toBe("created");
  return resource.outputs;
}

/**
 * Makes the secrets and configurations of a cluster for the lab's newest Kubernetes.
 *
 * @param first the control plane machine that is the cluster's endpoint
 */
export async function makeLabCluster(lab: KubernetesLab, first: string): Promise<LabCluster> {
  const { secretsBundle } = await made("MachineSecrets", {
    versionContract: "v1.12",
    allowContractChange: false,
  });
  const bundle = secretsBundle as SecretsBundle;
  const { certs } = bundle;
  const access = await made("ClientConfiguration", {
    clusterName: "lab",
    certificateAuthority: certs.os,
    endpoints: [first],
    nodes: [],
    roles: ["os:admin"],
    lifetimeHours: 1,
  });
  const credentials = access.credentials as ClientCredentials;
  const { patches, images } = await lab.settings();
  const kubernetesVersion = (Object.keys(images).sort().at(-1) ?? "").replace(/^v/, "");
  const configure = async (machineType: "controlplane" | "worker") => {
    const { machineConfiguration } = await made("MachineConfiguration", {
      clusterName: "lab",
      endpoint: `https://${first}:6443`,
      machineType,
      secretsBundle,
      platform: "metal",
      talosVersion: LAB.talos,
      versionContract: "v1.12",
      kubernetesVersion,
      installDisk: "/dev/sda",
      patches: [patches[machineType]],
    });
    return machineConfiguration;
  };
  const configurations = {
    controlplane: await configure("controlplane"),
    worker: await configure("worker"),
  };
  return {
    credentials,
    secretsBundle: bundle,
    inputs: (role, node, more = []) => ({
      machineId: `i-${node}`,
      node,
      endpoint: node,
      credentials,
      timeoutSeconds: 600,
      machineConfiguration: configurations[role],
      patches: more,
      mode: "auto",
      settledSeconds: 5,
      redactedConfiguration: "",
    }),
  };
}
