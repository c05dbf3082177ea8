import { UNKNOWN } from "../../../provider/base/unknown";
import type { Platform } from "../../../provider/config/installer/platform";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { sharedSecrets } from "../pki/sharedSecrets";

/** The inputs of `MachineConfiguration` for a control plane. */
export async function machineConfigurationInputs() {
  return {
    clusterName: "demo",
    endpoint: "https://k8s.demo.example.com:6443",
    machineType: "controlplane" as const,
    secretsBundle: await sharedSecrets(),
    platform: "aws" as Platform,
    talosVersion: "v1.12.1",
    versionContract: "v1.12",
    kubernetesVersion: "1.35.0",
    installDisk: "/dev/xvda",
    machineConfiguration: "",
    machineConfigurationHash: "",
    redactedConfiguration: "",
    installerImage: "",
  };
}

/** Every secret value of a bundle: what no message may contain. */
export function secretValues(bundle: SecretsBundle): string[] {
  const { cluster, secrets, trustdinfo, certs } = bundle;
  return [
    cluster.secret,
    ...Object.values(secrets).filter((value) => typeof value === "string"),
    trustdinfo.token,
    ...[certs.etcd, certs.k8s, certs.k8saggregator, certs.k8sserviceaccount, certs.os].map(
      ({ key }) => key,
    ),
  ];
}

/** Asserts that a value, however deep, holds none of a cluster's secrets. */
export function expectNoSecrets(value: unknown, bundle: SecretsBundle): void {
  const text = JSON.stringify(value);
  for (const secret of secretValues(bundle)) {
    expect(text).not.toContain(secret);
  }
}

/** What the engine sends in a preview for a value of whatever type. */
export const unknownValue = UNKNOWN as never;
