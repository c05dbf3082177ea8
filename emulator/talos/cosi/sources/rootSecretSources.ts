import { fromBase64 } from "../../../../provider/pki";
import type { MachineFacts } from "../../config/machineFacts";
import { talosApiNames } from "../../machine/nodeCertificates";
import type { NodeState } from "../../machine/nodeState";
import { apiServerPort } from "../../machine/ports";
import { type ResourceSource, sourceOf, type SourceValue } from "../resource";
import { encodeSpec, ipOf } from "../specCodec";

const NAMESPACE = "secrets";

/** The issuing CAs of a node and the accepted ones, with their keys, so they are secret. */
export function rootSecretSources(node: NodeState): readonly ResourceSource[] {
  return [
    sourceOf(
      {
        namespace: NAMESPACE,
        type: "OSRootSecrets.secrets.talos.dev",
        owner: "secrets.RootOSController",
      },
      () => (node.config ? [osRoot(node, node.config.facts)] : []),
    ),
    sourceOf(
      {
        namespace: NAMESPACE,
        type: "KubernetesRootSecrets.secrets.talos.dev",
        owner: "secrets.RootKubernetesController",
      },
      () =>
        node.config?.facts.machineType === "controlplane"
          ? [kubernetesRoot(node.config.facts)]
          : [],
    ),
  ];
}

function osRoot(node: NodeState, facts: MachineFacts): SourceValue {
  const { dnsNames, ipAddresses } = talosApiNames(
    { hostname: node.hostname, ...node.hardware },
    facts,
  );
  // The node's own CA is the first accepted one.
  const accepted = facts.osCa ? facts.acceptedCas.slice(1) : facts.acceptedCas;
  return {
    id: "os",
    spec: {
      ...(facts.osCa ? { issuingCA: { ...facts.osCa } } : {}),
      acceptedCAs: accepted.map((crt) => ({ crt })),
      certSANIPs: [...ipAddresses],
      certSANDNSNames: [...dnsNames],
      token: facts.token,
    },
    proto: encodeSpec("OsRoot", {
      ...issuerOf(facts.osCa),
      certSaniPs: ipAddresses.map(ipOf),
      certSandnsNames: dnsNames,
      token: facts.token,
      acceptedCAs: accepted.map((crt) => ({ crt: pemOf(crt) })),
    }),
  };
}

function kubernetesRoot(facts: MachineFacts): SourceValue {
  const { clusterName, endpoint, dnsDomain, apiServerCertSans, kubernetesCa } = facts;
  const localEndpoint = `https://localhost:${apiServerPort}`;
  const accepted = kubernetesCa
    ? facts.kubernetesAcceptedCas.slice(1)
    : facts.kubernetesAcceptedCas;
  return {
    id: "k8s",
    spec: {
      name: clusterName,
      endpoint,
      local_endpoint: localEndpoint,
      certSANs: [...apiServerCertSans],
      dnsDomain,
      ...(kubernetesCa ? { issuingCA: { ...kubernetesCa } } : {}),
      acceptedCAs: accepted.map((crt) => ({ crt })),
    },
    proto: encodeSpec("KubernetesRoot", {
      name: clusterName,
      endpoint: { fullPath: endpoint },
      localEndpoint: { fullPath: localEndpoint },
      certSaNs: apiServerCertSans,
      dnsDomain,
      ...issuerOf(kubernetesCa),
      acceptedCAs: accepted.map((crt) => ({ crt: pemOf(crt) })),
    }),
  };
}

function issuerOf(ca: MachineFacts["osCa"]) {
  return ca ? { issuingCa: { crt: pemOf(ca.crt), key: pemOf(ca.key) } } : {};
}

function pemOf(base64: string): Buffer {
  return Buffer.from(fromBase64(base64));
}
