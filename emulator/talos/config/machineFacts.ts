import { type ConfigDocument, fieldsOfDocuments } from "../../../provider/config";
import type { CertificateAndKey } from "../../../provider/pki";
import { nanosecondsOf } from "../kubernetes/flagValue";
import {
  controlPlaneFacts,
  etcdFacts,
  kubeletFacts,
  type ComponentFacts,
  type ControlPlaneFacts,
  type EtcdFacts,
} from "./componentFacts";
import { imageFacts, tagOf, type ImageFacts } from "./imageFacts";
import { aggregatorAuthority, certificateAndKeyAt, kubernetesAuthority } from "./kubernetesSecrets";
import { machineFirewall, type MachineFirewall } from "./machineFirewall";
import { manifestFacts, type ManifestFacts } from "./manifestFacts";
import { textAt, textMapAt, textsAt, valueAt } from "./yamlPath";

const YEAR_MS = 365 * 24 * 60 * 60 * 1_000;

/** A taint of a node. */
export interface Taint {
  readonly key: string;
  readonly value?: string;
  readonly effect: string;
}

/**
 * The behaviour of a simulated node according to its machine configuration; defaults are those of
 * Talos v1.12.
 */
export interface MachineFacts {
  readonly machineType: "controlplane" | "worker";
  readonly clusterId: string;
  readonly clusterName: string;
  /** URL of the Kubernetes API, for example `https://1.2.3.4:6443`. */
  readonly endpoint: string;
  /**
   * The CA of the node's own certificate. A worker doesn't have its key, and gets its certificate
   * from trustd.
   */
  readonly osCa: CertificateAndKey | undefined;
  /** Base64 PEM certificates of the accepted CAs for API clients, including the own CA. */
  readonly acceptedCas: readonly string[];
  /** A worker's token for trustd. */
  readonly token: string;
  /** Additional names and addresses of the node's certificate. */
  readonly certSans: readonly string[];
  /** The CA of the Kubernetes API's certificates and clients; only control planes have its key. */
  readonly kubernetesCa: CertificateAndKey | undefined;
  /** Base64 PEM certificates of the accepted CAs for Kubernetes clients, including the own CA. */
  readonly kubernetesAcceptedCas: readonly string[];
  /** Base64 PEM certificates of the accepted CAs for requests that API servers pass on. */
  readonly aggregatorCas: readonly string[];
  readonly apiServerCertSans: readonly string[];
  /** How long an administrator's certificate is valid. */
  readonly adminCertificateMs: number;
  /** The CAs of etcd, base64 of one or more PEM certificates: `etcdTrustOf`. */
  readonly etcdCa: string | undefined;
  /** The hostname in the configuration, if any. */
  readonly hostname: string | undefined;
  /** Whether Kubernetes knows the node by its full name instead of the first part. */
  readonly registerWithFqdn: boolean;
  readonly nodeLabels: Readonly<Record<string, string>>;
  readonly nodeAnnotations: Readonly<Record<string, string>>;
  /** The taints that Talos sets on its node. Kubernetes allows that only on control planes. */
  readonly nodeTaints: readonly Taint[];
  /** The taints with which the kubelet registers its node; it can't change them later. */
  readonly registerWithTaints: readonly Taint[];
  /** Talos installs no pod network, and fetches none: `cni: none`. */
  readonly awaitsPodNetwork: boolean;
  /** Whether a control plane runs ordinary pods. */
  readonly allowSchedulingOnControlPlanes: boolean;
  readonly dnsDomain: string;
  readonly serviceCidrs: readonly string[];
  readonly podCidrs: readonly string[];
  /** Ranges for the kubelet's addresses; empty for any outside those of pods and services. */
  readonly nodeIpSubnets: readonly string[];
  readonly discoveryEnabled: boolean;
  /** Whether KubeSpan, the WireGuard network between the nodes, is enabled. */
  readonly kubeSpanEnabled: boolean;
  /** What the machine itself drops. */
  readonly firewall: MachineFirewall;
  /** The secret with which nodes of a cluster discover each other. */
  readonly clusterSecret: string;
  readonly timeServer: string;
  /** With a leading v: `v1.35.0`. */
  readonly kubeletVersion: string;
  readonly apiServerVersion: string;
  readonly images: ImageFacts;
  /** The manifests that Talos applies to the cluster. */
  readonly manifests: ManifestFacts;
  readonly kubelet: ComponentFacts;
  /** What etcd starts with, on a control plane. */
  readonly etcd: EtcdFacts;
  /** The static pods of a control plane. */
  readonly controlPlane: ControlPlaneFacts;
}

/** Defaults of talos v1.12.1, `pkg/machinery/constants`. */
const defaults = {
  dnsDomain: "cluster.local",
  timeServer: "time.cloudflare.com",
  podCidr: "10.244.0.0/16",
  serviceCidr: "10.96.0.0/12",
};

/** The document with `machine` and `cluster`, which has no kind. */
export function v1alpha1Document(documents: readonly ConfigDocument[]): ConfigDocument | undefined {
  return documents.find((document) => document.kind === undefined);
}

/**
 * The same, with the settings that stand in documents, as Talos' controllers find them. The product's own
 * reader finds them: what it finds is compared with Talos' code, so it can't be wrong with it here.
 */
export function effectiveConfig(documents: readonly ConfigDocument[]): ConfigDocument | undefined {
  return v1alpha1Document(documents) && fieldsOfDocuments(documents);
}

/** What is read before a machine runs it, which then has the images of its own release. */
const ANY_RELEASE = "v1.12.1";

/**
 * Reads the facts. Undefined for a configuration without the v1alpha1 document.
 *
 * @param talosVersion the release that runs it, whose images it has by default
 */
export function machineFacts(
  documents: readonly ConfigDocument[],
  talosVersion = ANY_RELEASE,
): MachineFacts | undefined {
  const config = effectiveConfig(documents);
  if (!config) {
    return undefined;
  }
  const osCa = certificateAndKeyAt(config, "machine", "ca");
  const configured = { config, documents };
  const kubernetes = kubernetesAuthority(configured);
  const images = imageFacts(config, talosVersion);
  const machineType = textAt(config, "machine", "type");
  const ranges = {
    serviceCidrs: orDefault(textsAt(config, "cluster", "network", "serviceSubnets"), [
      defaults.serviceCidr,
    ]),
    podCidrs: orDefault(textsAt(config, "cluster", "network", "podSubnets"), [defaults.podCidr]),
  };
  return {
    machineType:
      machineType === "controlplane" || machineType === "init" ? "controlplane" : "worker",
    clusterId: textAt(config, "cluster", "id") ?? "",
    clusterName: textAt(config, "cluster", "clusterName") ?? "",
    endpoint: textAt(config, "cluster", "controlPlane", "endpoint") ?? "",
    osCa,
    acceptedCas: [...(osCa ? [osCa.crt] : []), ...acceptedCasOf(config)],
    token: textAt(config, "machine", "token") ?? "",
    certSans: textsAt(config, "machine", "certSANs"),
    kubernetesCa: kubernetes.issuing,
    kubernetesAcceptedCas: kubernetes.accepted,
    aggregatorCas: aggregatorAuthority(configured).accepted,
    apiServerCertSans: textsAt(config, "cluster", "apiServer", "certSANs"),
    adminCertificateMs: adminCertificateMs(config),
    etcdCa: textAt(config, "cluster", "etcd", "ca", "crt"),
    hostname: hostnameOf(documents, config),
    registerWithFqdn: valueAt(config, "machine", "kubelet", "registerWithFQDN") === true,
    nodeLabels: textMapAt(config, "machine", "nodeLabels"),
    nodeAnnotations: textMapAt(config, "machine", "nodeAnnotations"),
    nodeTaints: Object.entries(textMapAt(config, "machine", "nodeTaints")).map(([key, taint]) =>
      taintOf(key, partsOfTaint(taint)),
    ),
    awaitsPodNetwork: textAt(config, "cluster", "network", "cni", "name") === "none",
    registerWithTaints: taintsAt(config, "machine", "kubelet", "extraConfig", "registerWithTaints"),
    allowSchedulingOnControlPlanes:
      valueAt(config, "cluster", "allowSchedulingOnControlPlanes") === true,
    dnsDomain: textAt(config, "cluster", "network", "dnsDomain") ?? defaults.dnsDomain,
    ...ranges,
    nodeIpSubnets: textsAt(config, "machine", "kubelet", "nodeIP", "validSubnets"),
    discoveryEnabled: valueAt(config, "cluster", "discovery", "enabled") === true,
    kubeSpanEnabled: valueAt(config, "machine", "network", "kubespan", "enabled") === true,
    firewall: machineFirewall(documents),
    clusterSecret: textAt(config, "cluster", "secret") ?? "",
    timeServer: timeServersOf(documents, config)[0] ?? defaults.timeServer,
    kubeletVersion: tagOf(images.kubelet),
    apiServerVersion: tagOf(images.apiServer),
    images,
    manifests: manifestFacts(config, documents),
    kubelet: kubeletFacts(config, images, documents),
    etcd: etcdFacts(config, images),
    controlPlane: controlPlaneFacts({ config, images, documents, talosVersion, ...ranges }),
  };
}

/** Talos' default is a year (machinery v1.12.1, `KubernetesAdminCertDefaultLifetime`). */
function adminCertificateMs(config: ConfigDocument): number {
  const given = nanosecondsOf(textAt(config, "cluster", "adminKubeconfig", "certLifetime") ?? "");
  return given === undefined || given === 0n ? YEAR_MS : Number(given / 1_000_000n);
}

function acceptedCasOf(config: ConfigDocument): string[] {
  const accepted = valueAt(config, "machine", "acceptedCAs");
  if (!Array.isArray(accepted)) {
    return [];
  }
  return accepted.map((ca) => textAt(ca, "crt")).filter((crt) => crt !== undefined);
}

function taintsAt(config: ConfigDocument, ...path: string[]): Taint[] {
  const taints = valueAt(config, ...path);
  if (!Array.isArray(taints)) {
    return [];
  }
  return taints.map((taint) =>
    taintOf(textAt(taint, "key") ?? "", {
      value: textAt(taint, "value") ?? "",
      effect: textAt(taint, "effect") ?? "",
    }),
  );
}

/**
 * A taint in Talos' notation: `<value>:<effect>`, or only `<effect>`. Source: v1.12.1,
 * `k8s/node_taint_spec.go`.
 */
function partsOfTaint(taint: string): { readonly value: string; readonly effect: string } {
  const [, value = "", effect = taint] = /^([^:]*):(.*)$/s.exec(taint) ?? [];
  return { value, effect };
}

function taintOf(key: string, { value, effect }: { value: string; effect: string }): Taint {
  return { key, ...(value === "" ? {} : { value }), effect };
}

function hostnameOf(
  documents: readonly ConfigDocument[],
  config: ConfigDocument,
): string | undefined {
  const document = documents.find(({ kind }) => kind === "HostnameConfig");
  return textAt(document, "hostname") ?? textAt(config, "machine", "network", "hostname");
}

function timeServersOf(documents: readonly ConfigDocument[], config: ConfigDocument): string[] {
  const document = documents.find(({ kind }) => kind === "TimeSyncConfig");
  return orDefault(
    textsAt(document, "ntp", "servers"),
    textsAt(config, "machine", "time", "servers"),
  );
}

function orDefault(values: string[], fallback: readonly string[]): string[] {
  return values.length > 0 ? values : [...fallback];
}
