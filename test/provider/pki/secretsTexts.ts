import { stringify } from "yaml";
import { generateSecretsBundle } from "../../../provider/pki/generateSecretsBundle";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { SecretsBundleError } from "../../../provider/pki/secretsBundleError";

const bundles = new Map<string, Promise<SecretsBundle>>();

/** The secrets of a cluster, by its name. They are quick to create, because they have no RSA key. */
export function cheapBundle(cluster = "cluster"): Promise<SecretsBundle> {
  const made =
    bundles.get(cluster) ??
    generateSecretsBundle({
      versionContract: "v1.6",
      now: new Date("2026-01-01T00:00:00Z"),
    });
  bundles.set(cluster, made);
  return made;
}

/** A moment at which the authorities of `cheapBundle` are valid. */
export const validNow = new Date("2030-01-01T00:00:00Z");

/** Secrets where a control plane's configuration has them, with some of the rest around. */
export function machineConfigOf({ cluster, secrets, trustdinfo, certs }: SecretsBundle) {
  return {
    version: "v1alpha1",
    machine: { type: "controlplane", token: trustdinfo.token, ca: certs.os, certSANs: [] },
    cluster: {
      ...cluster,
      controlPlane: { endpoint: "https://k8s.example.com:6443" },
      token: secrets.bootstraptoken,
      secretboxEncryptionSecret: secrets.secretboxencryptionsecret,
      aescbcEncryptionSecret: secrets.aescbcencryptionsecret,
      ca: certs.k8s,
      aggregatorCA: certs.k8saggregator,
      serviceAccount: certs.k8sserviceaccount,
      etcd: { ca: certs.etcd },
    },
  };
}

/** What a machine shows of its configuration, as `talosctl get machineconfig -o yaml` prints it. */
export function resourceOf(config: string | object, id = "v1alpha1"): string {
  return stringify({
    node: "10.0.0.1",
    metadata: {
      namespace: "config",
      type: "MachineConfigs.config.talos.dev",
      id,
      phase: "running",
    },
    spec: config,
  });
}

/** The problems that a reading raises, none if it doesn't. */
export function problemsOf(read: () => unknown): Record<string, string> {
  try {
    read();
    return {};
  } catch (error) {
    if (!(error instanceof SecretsBundleError)) {
      throw error;
    }
    return Object.fromEntries(error.problems.map(({ path, message }) => [path, message]));
  }
}
