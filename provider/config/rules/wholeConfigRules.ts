import type { ConfigProblem } from "../configError";
import { type ConfigDocument, documentId, isMapping, textAt } from "../machineConfig";
import { dependencyProblems } from "./containerRules";
import { DocumentView } from "./documentView";

/**
 * Kinds of documents for control plane machines only. Source: the methods ControlplaneOnlyDocument
 * of pkg/machinery/config/types/k8s, Talos v1.14.1.
 */
export const CONTROL_PLANE_KINDS: readonly string[] = [
  "KubeAPIServerConfig",
  "KubeAdmissionControlConfig",
  "KubeAggregatorCAConfig",
  "KubeAuditPolicyConfig",
  "KubeAuthenticationConfig",
  "KubeAuthorizerConfig",
  "KubeControllerManagerConfig",
  "KubeCoreDNSConfig",
  "KubeEtcdEncryptionConfig",
  "KubeFlannelCNIConfig",
  "KubeProxyConfig",
  "KubeSchedulerConfig",
  "KubeServiceAccountConfig",
  "KubeTalosAPIAccessConfig",
];

/**
 * Problems of a configuration as a whole: what one document needs of others. Talos has had these
 * rules since v1.14, when a setting can be in a document of its own. Source: `validateContainer` in
 * pkg/machinery/config/container/validate.go, Talos v1.14.1.
 */
export function wholeConfigProblems(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ConfigProblem[] {
  const config = documents.find((document) => documentId(document) === "v1alpha1");
  if (talosMinor < 14 || config === undefined) {
    return [];
  }
  const whole = new WholeConfig(documents, new DocumentView(config, talosMinor));
  return [
    ...whole.controlPlaneKinds(),
    ...whole.discovery(),
    ...whole.kubernetes(),
    ...whole.resolvers(),
    ...dependencyProblems(documents),
  ];
}

class WholeConfig {
  constructor(
    private readonly documents: readonly ConfigDocument[],
    private readonly config: DocumentView,
  ) {}

  controlPlaneKinds(): ConfigProblem[] {
    return this.isControlPlane
      ? []
      : this.documents
          .filter((document) => CONTROL_PLANE_KINDS.includes(textAt(document, "kind") ?? ""))
          .map((document) => ({
            document: documentId(document),
            path: "",
            message: "is for control plane machines only: leave it out on workers",
          }));
  }

  discovery(): ConfigProblem[] {
    const kubeSpan =
      this.config.get("machine", "network", "kubespan", "enabled") === true ||
      this.has("KubeSpanConfig", ({ enabled }) => enabled === true);
    if (!this.discovers) {
      return unless(
        !kubeSpan,
        "KubeSpan finds its peers through discovery: add a DiscoveryServiceConfig",
      );
    }
    const legacy = ["id", "secret"].map((key) => this.config.text("cluster", key) !== undefined);
    const identity = this.has("DiscoveryIdentityConfig");
    const complete = legacy.some(Boolean) ? legacy.every(Boolean) : identity;
    return unless(
      complete,
      "discovery needs the identity of the cluster: cluster.id and cluster.secret, or the document DiscoveryIdentityConfig",
    );
  }

  kubernetes(): ConfigProblem[] {
    const authority =
      this.has("KubeAPIServerCAConfig") ||
      this.config.isMapping("cluster", "ca") ||
      this.config.list("cluster", "acceptedCAs").length > 0;
    if (!authority) {
      return [];
    }
    const named =
      this.has("KubeClusterConfig") ||
      this.config.get("cluster", "controlPlane", "endpoint") !== undefined;
    const encrypted =
      this.has("KubeEtcdEncryptionConfig") ||
      ["secretboxEncryptionSecret", "aescbcEncryptionSecret"].some(
        (key) => this.config.text("cluster", key) !== undefined,
      );
    return [
      ...unless(
        named,
        "Kubernetes needs the endpoint of its API: cluster.controlPlane.endpoint, or the document KubeClusterConfig",
      ),
      ...unless(
        encrypted || !this.isControlPlane,
        "the API server needs a key for etcd's data: cluster.secretboxEncryptionSecret, or the document KubeEtcdEncryptionConfig",
      ),
    ];
  }

  resolvers(): ConfigProblem[] {
    const encrypted = this.has("ResolverConfig", ({ nameservers }) =>
      Array.isArray(nameservers)
        ? nameservers.some((each) => ["DoT", "DoH"].includes(textAt(each, "protocol") ?? ""))
        : false,
    );
    const enabled =
      this.config.get("machine", "features", "hostDNS", "enabled") === true ||
      this.has("ResolverConfig", ({ hostDNS }) => isMapping(hostDNS) && hostDNS.enabled === true);
    return encrypted && !enabled
      ? [
          {
            document: "ResolverConfig",
            path: "hostDNS.enabled",
            message: "has to be true for nameservers with the protocol DoT or DoH",
          },
        ]
      : [];
  }

  private get isControlPlane(): boolean {
    return this.config.get("machine", "type") === "controlplane";
  }

  /** Whether machines find each other through the discovery service. */
  private get discovers(): boolean {
    const path = ["cluster", "discovery"];
    const legacy =
      this.config.get(...path, "enabled") === true &&
      this.config.get(...path, "registries", "service", "disabled") !== true;
    return legacy || this.has("DiscoveryServiceConfig");
  }

  private has(kind: string, suits: (document: ConfigDocument) => boolean = () => true): boolean {
    return this.documents.some((document) => document.kind === kind && suits(document));
  }
}

function unless(isRight: boolean, message: string): ConfigProblem[] {
  return isRight ? [] : [{ document: "", path: "", message }];
}
