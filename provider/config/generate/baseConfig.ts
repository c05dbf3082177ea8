import type { SecretsBundle } from "../../pki/secretsBundle";
import {
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_SERVICE_CIDRS,
} from "../birth/clusterDefaults";
import type { ConfigDocument, YamlValue } from "../machineConfig";
import type { MachineConfigInput } from "../machineConfigInput";
import type { VersionContract } from "../releases/versionContract";
import { auditPolicy, podSecurity } from "./apiServerDefaults";
import { componentImage } from "./componentImage";
import { endpointSans } from "./endpointSans";

/**
 * The machine configuration proper as each contract has it, without options. From v1.14 on it is
 * nearly empty: see `systemDocuments` and `kubernetesDocuments`.
 */
export function baseConfig(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  return {
    version: "v1alpha1",
    debug: false,
    persist: input.persist ?? true,
    machine: machine(input, contract),
    cluster: cluster(input, contract),
  };
}

function machine(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  const { secretsBundle, machineType, certSans = [] } = input;
  return {
    type: machineType,
    token: secretsBundle.trustdinfo.token,
    ca: authority(secretsBundle.certs.os, machineType === "controlplane"),
    certSANs: [...certSans],
    ...when(!contract.kubernetesDocuments, { kubelet: kubelet(input, contract) }),
    ...when(contract.networkSection, { network: {} }),
    ...when(!contract.systemDocuments, {
      install: {
        disk: input.installDisk,
        image: input.installerImage,
        wipe: false,
        ...when(contract.grubUseUkiCmdline, { grubUseUKICmdline: true }),
      },
    }),
    features: {
      ...when(contract.rbacFlag, { rbac: true }),
      ...when(contract.stableHostnameFlag, { stableHostname: true }),
      ...when(contract.keyUsageFlag, { apidCheckExtKeyUsage: true }),
      ...when(contract.diskQuota, { diskQuotaSupport: true }),
    },
  };
}

function kubelet(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  return {
    image: componentImage("kubelet", input),
    ...when(contract.defaultSeccompProfile, { defaultRuntimeSeccompProfileEnabled: true }),
    ...when(contract.noManifestsDirectory, { disableManifestsDirectory: true }),
  };
}

function cluster(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  const { secretsBundle, machineType } = input;
  const isControlPlane = machineType === "controlplane";
  const token = secretsBundle.secrets.bootstraptoken;
  const etcd = { ca: authority(secretsBundle.certs.etcd, true) };
  if (contract.kubernetesDocuments) {
    return { token, ...when(isControlPlane, { etcd }) };
  }
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
    token,
    ca: authority(secretsBundle.certs.k8s, isControlPlane),
    ...when(isControlPlane, { ...controlPlane(input, contract), etcd }),
  };
}

/** The fields that only control plane machines have, but for etcd. */
function controlPlane(input: MachineConfigInput, contract: VersionContract): ConfigDocument {
  const { secrets, certs } = input.secretsBundle;
  const certSans = input.apiServerCertSans ?? input.certSans ?? [];
  return {
    ...encryptionSecrets(secrets),
    aggregatorCA: authority(certs.k8saggregator, true),
    serviceAccount: { key: certs.k8sserviceaccount.key },
    apiServer: {
      image: componentImage("apiServer", input),
      certSANs: [...endpointSans(input, contract), ...certSans],
      ...when(contract.noPodSecurityPolicyFlag, { disablePodSecurityPolicy: true }),
      ...when(contract.podSecurityAdmission, { admissionControl: [podSecurity] }),
      ...when(contract.auditPolicy, { auditPolicy }),
    },
    controllerManager: { image: componentImage("controllerManager", input) },
    proxy: { image: componentImage("proxy", input) },
    scheduler: { image: componentImage("scheduler", input) },
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

function authority(
  { crt, key }: { readonly crt: string; readonly key: string },
  withKey: boolean,
): YamlValue {
  return { crt, key: withKey ? key : "" };
}
