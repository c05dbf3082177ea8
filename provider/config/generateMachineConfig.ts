import type { SecretsBundle } from "../pki/secretsBundle";
import { checkMachineConfigInput } from "./checkInput";
import { DEFAULT_DNS_DOMAIN, DEFAULT_POD_CIDRS, DEFAULT_SERVICE_CIDRS } from "./clusterDefaults";
import { ConfigError } from "./configError";
import type { Replaced } from "./generate/generator";
import { generators } from "./generate/generators";
import { union } from "./generate/mapping";
import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "./machineConfig";
import type { MachineConfigInput } from "./machineConfigInput";
import { normalizeDocument } from "./normalize";
import { talosSchema } from "./talosSchemas";
import { type VersionContract, versionContract } from "./versionContract";

/** The registries of Kubernetes' images. Source: pkg/machinery/constants, Talos v1.12.1. */
const images = {
  kubelet: "ghcr.io/siderolabs/kubelet",
  apiServer: "registry.k8s.io/kube-apiserver",
  controllerManager: "registry.k8s.io/kube-controller-manager",
  proxy: "registry.k8s.io/kube-proxy",
  scheduler: "registry.k8s.io/kube-scheduler",
};

/**
 * Pods must not harm their node unless their namespace allows it. The rest of the level
 * "restricted" causes warnings.
 */
const podSecurity: ConfigDocument = {
  name: "PodSecurity",
  configuration: {
    apiVersion: "pod-security.admission.config.k8s.io/v1alpha1",
    kind: "PodSecurityConfiguration",
    defaults: {
      enforce: "baseline",
      "enforce-version": "latest",
      audit: "restricted",
      "audit-version": "latest",
      warn: "restricted",
      "warn-version": "latest",
    },
    exemptions: { usernames: [], runtimeClasses: [], namespaces: ["kube-system"] },
  },
};

const auditPolicy: ConfigDocument = {
  apiVersion: "audit.k8s.io/v1",
  kind: "Policy",
  rules: [{ level: "Metadata" }],
};

/**
 * The documents of a machine configuration. Encoded, they are byte for byte what `talosctl gen
 * config` of the contract's Talos generates for the same secrets and options. They contain the
 * cluster's keys. A worker's contain none that could take over the cluster.
 *
 * @throws ConfigError with all problems of the input
 */
export function generateMachineConfig(input: MachineConfigInput): ConfigDocument[] {
  const problems = checkMachineConfigInput(input);
  if (problems.length > 0) {
    throw new ConfigError(
      problems.map(({ property, reason }) => ({ document: "", path: property, message: reason })),
    );
  }
  const contract = versionContract(input.versionContract);
  const schema = talosSchema(input.talosVersion ?? input.versionContract);
  const base: ConfigDocument = {
    version: "v1alpha1",
    debug: false,
    persist: input.persist ?? true,
    machine: machine(input, contract),
    cluster: cluster(input, contract),
  };
  const parts = generators.map(({ generate }) => generate(input, contract));
  const config = parts.reduce((whole, part) => union(whole, part.config ?? {}), base);
  const documents = [
    withoutReplaced(
      config,
      parts.flatMap(({ replaced = [] }) => replaced),
    ),
    ...parts.flatMap((part) => part.documents ?? []),
  ];
  return documents.map((document) => normalizeDocument(document, schema));
}

/** The machine configuration proper without the fields that documents replace. */
function withoutReplaced(config: ConfigDocument, replaced: readonly Replaced[]): ConfigDocument {
  return mapMembers(config, (part, section) =>
    isMapping(part)
      ? mapMembers(part, (value, key) =>
          replaced.some((field) => field[0] === section && field[1] === key) ? undefined : value,
        )
      : part,
  );
}

function machine(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  const { secretsBundle, machineType, certSans = [] } = input;
  const isControlPlane = machineType === "controlplane";
  return {
    type: machineType,
    token: secretsBundle.trustdinfo.token,
    ca: authority(secretsBundle.certs.os, isControlPlane),
    certSANs: [...certSans],
    kubelet: {
      image: image("kubelet", input),
      ...when(contract.defaultSeccompProfile, { defaultRuntimeSeccompProfileEnabled: true }),
      ...when(contract.noManifestsDirectory, { disableManifestsDirectory: true }),
    },
    ...when(contract.networkSection, { network: {} }),
    install: {
      disk: input.installDisk,
      image: input.installerImage,
      wipe: false,
      ...when(contract.grubUseUkiCmdline, { grubUseUKICmdline: true }),
    },
    features: {
      ...when(contract.rbacFlag, { rbac: true }),
      ...when(contract.stableHostnameFlag, { stableHostname: true }),
      ...when(contract.keyUsageFlag, { apidCheckExtKeyUsage: true }),
      ...when(contract.diskQuota, { diskQuotaSupport: true }),
    },
  };
}

function cluster(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  const { secretsBundle } = input;
  const isControlPlane = input.machineType === "controlplane";
  return {
    id: secretsBundle.cluster.id,
    secret: secretsBundle.cluster.secret,
    controlPlane: { endpoint: input.endpoint },
    ...when(isControlPlane || contract.clusterNameOnWorkers, { clusterName: input.clusterName }),
    network: {
      dnsDomain: input.dnsDomain ?? DEFAULT_DNS_DOMAIN,
      podSubnets: [...(input.podCidrs ?? DEFAULT_POD_CIDRS)],
      serviceSubnets: [...(input.serviceCidrs ?? DEFAULT_SERVICE_CIDRS)],
    },
    token: secretsBundle.secrets.bootstraptoken,
    ca: authority(secretsBundle.certs.k8s, isControlPlane),
    ...when(isControlPlane, controlPlane(input, contract)),
  };
}

/** The fields that only control plane machines have. */
function controlPlane(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  const { secrets, certs } = input.secretsBundle;
  const certSans = input.apiServerCertSans ?? input.certSans ?? [];
  return {
    ...encryptionSecrets(secrets),
    aggregatorCA: authority(certs.k8saggregator, true),
    serviceAccount: { key: certs.k8sserviceaccount.key },
    apiServer: {
      image: image("apiServer", input),
      certSANs: [...(contract.endpointInCertSans ? [hostOf(input.endpoint)] : []), ...certSans],
      ...when(contract.noPodSecurityPolicyFlag, { disablePodSecurityPolicy: true }),
      ...when(contract.podSecurityAdmission, { admissionControl: [podSecurity] }),
      ...when(contract.auditPolicy, { auditPolicy }),
    },
    controllerManager: { image: image("controllerManager", input) },
    proxy: { image: image("proxy", input) },
    scheduler: { image: image("scheduler", input) },
    etcd: { ca: authority(certs.etcd, true) },
  };
}

/**
 * All encryption keys of the cluster. Without one, kube-apiserver could not decrypt etcd's data.
 */
function encryptionSecrets(secrets: SecretsBundle["secrets"]): ConfigDocument {
  const { secretboxencryptionsecret: secretbox, aescbcencryptionsecret: aescbc } = secrets;
  return {
    ...(aescbc === undefined ? {} : { aescbcEncryptionSecret: aescbc }),
    ...(secretbox === undefined ? {} : { secretboxEncryptionSecret: secretbox }),
  };
}

/** Fields that depend on a condition. */
function when(condition: boolean, fields: ConfigDocument): ConfigDocument {
  return condition ? fields : {};
}

/** The host of a checked endpoint, as it was written; an IPv6 address without brackets. */
function hostOf(endpoint: string): string {
  const [, address, name = ""] = /^https:\/\/(?:\[([^\]]*)\]|([^:/]*))/i.exec(endpoint) ?? [];
  return address ?? name;
}

function authority(
  { crt, key }: { readonly crt: string; readonly key: string },
  withKey: boolean,
): YamlValue {
  return { crt, key: withKey ? key : "" };
}

function image(component: keyof typeof images, { kubernetesVersion }: MachineConfigInput): string {
  return `${images[component]}:v${kubernetesVersion.replace(/^v/, "")}`;
}
