import type { MachineConfigInput } from "../../provider/config/machineConfigInput";
import { generateSecretsBundle } from "../../provider/pki/generateSecretsBundle";

/** How many machines the cluster has whose configurations are measured. */
export const machineCount = 1_000;

/** A control plane machine's configuration, the bigger of the two roles. */
export async function sampleInput(): Promise<MachineConfigInput> {
  return {
    clusterName: "bench",
    endpoint: "https://k8s.bench.example:6443",
    machineType: "controlplane",
    secretsBundle: await generateSecretsBundle(),
    versionContract: "v1.12",
    talosVersion: "v1.12.1",
    kubernetesVersion: "1.35.0",
    installDisk: "/dev/xvda",
    installerImage: "factory.talos.dev/aws-installer/example:v1.12.1",
    certSans: ["k8s.bench.example"],
  };
}

/** What one machine has of its own: a name, labels, a kernel parameter, names for its certificate. */
export function machinePatch(index: number): string {
  return `machine:
  certSANs:
    - machine-${index}.bench.example
  nodeLabels:
    topology.kubernetes.io/zone: eu-central-1${"abc"[index % 3] ?? "a"}
    example.com/rack: rack-${index % 40}
  sysctls:
    vm.max_map_count: "${262_144 + index}"
---
apiVersion: v1alpha1
kind: HostnameConfig
auto: off
hostname: machine-${index}
`;
}
