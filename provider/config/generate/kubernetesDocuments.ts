import {
  DEFAULT_DNS_DOMAIN,
  DEFAULT_POD_CIDRS,
  DEFAULT_SERVICE_CIDRS,
} from "../birth/clusterDefaults";
import type { ConfigDocument } from "../machineConfig";
import type { MachineConfigInput } from "../machineConfigInput";
import type { VersionContract } from "../releases/versionContract";
import { pemOfBase64 } from "../settings/pemForms";
import { auditPolicy, authentication, noAnonymous, podSecurity } from "./apiServerDefaults";
import { componentImage } from "./componentImage";
import { encryptionResources } from "./encryptionProviders";
import { endpointSans } from "./endpointSans";
import type { Generator } from "./generator";
import { signingKey } from "./keyDocuments";
import { configDocument } from "./mapping";

/**
 * What contracts from v1.14 on say of Kubernetes without options, each thing in a document of its own.
 * Options add to the same documents. Source: config/generate/kubernetes.go, Talos v1.14.1.
 */
export const kubernetesDocuments: Generator<MachineConfigInput> = {
  generate(input, contract) {
    if (!contract.kubernetesDocuments) {
      return {};
    }
    const isControlPlane = input.machineType === "controlplane";
    return {
      documents: [
        ...ofEveryMachine(input, contract),
        authorityDocument(input),
        ...(isControlPlane ? ofControlPlane(input, contract) : []),
      ],
    };
  },
};

function ofEveryMachine(
  input: MachineConfigInput,
  { defaultSeccompProfile }: VersionContract,
): ConfigDocument[] {
  const { clusterName, endpoint } = input;
  return [
    configDocument("KubeClusterConfig", { clusterName, endpoint }),
    configDocument("KubeNodeConfig", {}),
    configDocument("KubeletConfig", {
      image: componentImage("kubelet", input),
      defaultRuntimeSeccompProfileEnabled: defaultSeccompProfile ? true : undefined,
    }),
    configDocument("KubeNetworkConfig", {
      dnsDomain: input.dnsDomain ?? DEFAULT_DNS_DOMAIN,
      podSubnets: input.podCidrs ?? DEFAULT_POD_CIDRS,
      serviceSubnets: input.serviceCidrs ?? DEFAULT_SERVICE_CIDRS,
    }),
  ];
}

/** The CA of the Kubernetes API: what issues on control planes, what is accepted on workers. */
function authorityDocument(input: MachineConfigInput): ConfigDocument {
  const { machineType, acceptedAuthorities } = input;
  const { crt, key } = input.secretsBundle.certs.k8s;
  const accepted = (acceptedAuthorities?.kubernetesCa ?? []).map(pemOfBase64);
  const cert = pemOfBase64(crt);
  return machineType === "controlplane"
    ? configDocument("KubeAPIServerCAConfig", {
        issuingCA: { cert, key: pemOfBase64(key) },
        acceptedCAs: accepted,
      })
    : configDocument("KubeAPIServerCAConfig", { acceptedCAs: [cert, ...accepted] });
}

function ofControlPlane(input: MachineConfigInput, contract: VersionContract): ConfigDocument[] {
  const { certs, secrets } = input.secretsBundle;
  const { k8saggregator } = certs;
  const { openHealthChecks, podSecurityAdmission } = contract;
  const certExtraSANs = input.apiServerCertSans ?? input.certSans ?? [];
  return [
    configDocument("KubeAggregatorCAConfig", {
      issuingCA: { cert: pemOfBase64(k8saggregator.crt), key: pemOfBase64(k8saggregator.key) },
    }),
    ...(podSecurityAdmission ? [configDocument("KubeAdmissionControlConfig", podSecurity)] : []),
    configDocument("KubeAuditPolicyConfig", { configuration: auditPolicy }),
    configDocument("KubeAuthenticationConfig", {
      configuration: openHealthChecks ? authentication : noAnonymous,
    }),
    configDocument("KubeAuthorizerConfig", { name: "node", type: "Node" }),
    configDocument("KubeAuthorizerConfig", { name: "rbac", type: "RBAC" }),
    configDocument("KubeEtcdEncryptionConfig", {
      config: { resources: encryptionResources(secrets, contract) },
    }),
    configDocument("KubeServiceAccountConfig", {
      issuer: { privateKey: signingKey(certs), issuerURL: input.endpoint },
    }),
    configDocument("KubeAPIServerConfig", {
      image: componentImage("apiServer", input),
      certExtraSANs: [...endpointSans(input, contract), ...certExtraSANs],
      // The probes are sent without credentials.
      startupProbes: openHealthChecks ? undefined : false,
    }),
    configDocument("KubeControllerManagerConfig", {
      image: componentImage("controllerManager", input),
    }),
    configDocument("KubeSchedulerConfig", { image: componentImage("scheduler", input) }),
    configDocument("KubeProxyConfig", { image: componentImage("proxy", input) }),
    configDocument("KubeCoreDNSConfig", { enabled: true }),
  ];
}
