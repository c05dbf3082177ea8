import { type ConfigDocument, isMapping, type YamlValue } from "../../../provider/config";
import { authenticationOfFlag, fileFault } from "./apiServerFiles";
import type { EncryptionKeys } from "./encryptionKeys";
import { fileRefusals } from "./fileRefusals";
import type { ImageFacts } from "./imageFacts";
import {
  aggregatorAuthority,
  encryptionKeys,
  kubernetesAuthority,
  serviceAccountFacts,
  type ServiceAccountFacts,
} from "./kubernetesSecrets";
import { type NodeIpamFacts, nodeIpamFacts } from "./nodeIpamFacts";
import { textAt, valueAt } from "./yamlPath";

/** The start parameters of a Kubernetes component. */
export interface ComponentFacts {
  readonly image: string;
  /** Whether the node runs it. */
  readonly enabled: boolean;
  /** The values of additional flags, by their names without dashes. */
  readonly extraArgs: ConfigDocument;
  /** The feature gates in its configuration file. Default: none. */
  readonly featureGates?: YamlValue | undefined;
  /** What the component prints when it ends because of a file that a flag names. */
  readonly fileFault?: string;
  /** What the component prints when it ends because of a file that Talos wrote for it. */
  readonly refusedFile?: string;
  /** All inputs of its Talos resource, as text. A change of it restarts the component. */
  readonly settings: string;
}

/** The three components of a control plane, and the files that they read. */
export interface ControlPlaneFacts {
  readonly apiServer: ComponentFacts;
  readonly controllerManager: ComponentFacts;
  readonly scheduler: ComponentFacts;
  /** Each file is a separate resource. The version of the files consists of their versions. */
  readonly files: {
    readonly admissionControl: string;
    readonly auditPolicy: string;
    readonly authorization: string;
    /** Undefined where Talos writes none. */
    readonly authentication: string | undefined;
  };
  /** What the controller manager gives ranges of pods to nodes with. */
  readonly nodeIpam: NodeIpamFacts;
  /** Whose service account tokens the API server accepts. */
  readonly serviceAccounts: ServiceAccountFacts;
  /** The secrets that Talos writes for the API server. A change of them restarts it. */
  readonly secrets: string;
  /** The keys with which the API server reads Secrets; the first one encrypts. */
  readonly encryptionKeys: EncryptionKeys;
  /** The API server's AuthenticationConfiguration. Default: none. */
  readonly authentication: YamlValue | undefined;
}

/** What the components of a control plane come from. */
interface ControlPlaneSources {
  readonly config: ConfigDocument;
  readonly images: ImageFacts;
  readonly documents: readonly ConfigDocument[];
  /** The release that runs it: `v1.12.1`. */
  readonly talosVersion: string;
  readonly podCidrs: readonly string[];
  readonly serviceCidrs: readonly string[];
}

/**
 * The components of a control plane, from the v1alpha1 document, and their secrets, also from others.
 * Source: talos v1.12.1, `k8s/control_plane.go`.
 */
export function controlPlaneFacts({
  config,
  images,
  documents,
  talosVersion,
  podCidrs,
  serviceCidrs,
}: ControlPlaneSources): ControlPlaneFacts {
  const cluster = (...path: string[]) => valueAt(config, "cluster", ...path);
  const component = (
    name: "apiServer" | "controllerManager" | "scheduler",
    further: readonly (YamlValue | undefined)[],
  ): ComponentFacts => ({
    image: images[name],
    enabled: valueAt(config, "machine", "controlPlane", name, "disabled") !== true,
    extraArgs: mappingOf(cluster(name, "extraArgs")),
    settings: textOf([
      images[name],
      ...["extraArgs", "extraVolumes", "env", "resources"].map((key) => cluster(name, key)),
      ...further,
    ]),
  });
  const externalCloud = cluster("externalCloudProvider", "enabled");
  const services = cluster("network", "serviceSubnets");
  const apiServer = component("apiServer", [
    externalCloud,
    services,
    cluster("controlPlane", "endpoint"),
    cluster("controlPlane", "localAPIServerPort"),
    valueAt(config, "machine", "kubelet", "skipNodeRegistration"),
  ]);
  const fault = fileFault(config);
  const configured = { config, documents };
  const serviceAccounts = serviceAccountFacts(configured);
  const refused = fileRefusals(documents, talosVersion);
  const written = documents.find(({ kind }) => kind === "KubeAuthenticationConfig")?.configuration;
  return {
    apiServer: {
      ...apiServer,
      ...(fault !== undefined && { fileFault: fault }),
      ...(refused.apiServer !== undefined && { refusedFile: refused.apiServer }),
    },
    controllerManager: component("controllerManager", [
      externalCloud,
      services,
      cluster("network", "podSubnets"),
    ]),
    scheduler: {
      ...component("scheduler", [cluster("scheduler", "config")]),
      ...(refused.scheduler !== undefined && { refusedFile: refused.scheduler }),
    },
    files: {
      admissionControl: textOf([cluster("apiServer", "admissionControl")]),
      auditPolicy: textOf([cluster("apiServer", "auditPolicy")]),
      authorization: textOf([images.apiServer, cluster("apiServer", "authorizationConfig")]),
      authentication: written === undefined ? undefined : textOf([written]),
    },
    nodeIpam: nodeIpamFacts(config, { podCidrs, serviceCidrs }),
    serviceAccounts,
    secrets: JSON.stringify([
      textAt(config, "cluster", "serviceAccount", "key"),
      documents.find(({ kind }) => kind === "KubeServiceAccountConfig"),
      aggregatorAuthority(configured),
    ]),
    encryptionKeys: encryptionKeys(configured),
    authentication: written ?? authenticationOfFlag(config),
  };
}

/**
 * The kubelet, from the v1alpha1 document. Its choice of addresses is not included, because a
 * simulated machine has only one. Sources: talos v1.12.1, `k8s/kubelet_config.go`,
 * `k8s/kubelet_spec.go` and `secrets/kubelet.go`.
 */
export function kubeletFacts(
  config: ConfigDocument,
  images: ImageFacts,
  documents: readonly ConfigDocument[],
): ComponentFacts {
  const kubelet = (...path: string[]) => valueAt(config, "machine", "kubelet", ...path);
  const cluster = (...path: string[]) => valueAt(config, "cluster", ...path);
  const goesThroughKubePrism =
    valueAt(config, "machine", "features", "kubePrism", "enabled") === true;
  return {
    image: images.kubelet,
    enabled: true,
    extraArgs: mappingOf(kubelet("extraArgs")),
    featureGates: kubelet("extraConfig", "featureGates"),
    settings: textOf([
      images.kubelet,
      ...[
        "extraArgs",
        "extraMounts",
        "extraConfig",
        "clusterDNS",
        "credentialProviderConfig",
        "defaultRuntimeSeccompProfileEnabled",
        "disableManifestsDirectory",
        "registerWithFQDN",
        "skipNodeRegistration",
      ].map((key) => kubelet(key)),
      cluster("network", "dnsDomain"),
      cluster("network", "serviceSubnets"),
      cluster("externalCloudProvider", "enabled"),
      cluster("allowSchedulingOnControlPlanes"),
      textAt(config, "cluster", "token"),
      [...kubernetesAuthority({ config, documents }).accepted],
      goesThroughKubePrism ? undefined : cluster("controlPlane", "endpoint"),
    ]),
  };
}

/** What etcd starts with. It reads nothing of it while it runs. */
export type EtcdFacts = Pick<ComponentFacts, "image" | "extraArgs">;

/** etcd, from the v1alpha1 document. Source: talos v1.12.1, `etcd/config.go`. */
export function etcdFacts(config: ConfigDocument, images: ImageFacts): EtcdFacts {
  return {
    image: images.etcd,
    extraArgs: mappingOf(valueAt(config, "cluster", "etcd", "extraArgs")),
  };
}

function mappingOf(value: YamlValue | undefined): ConfigDocument {
  return isMapping(value) ? value : {};
}

/** Maps are compared whatever the order of their keys. */
function textOf(values: readonly (YamlValue | undefined)[]): string {
  return JSON.stringify(values.map((value) => sorted(value ?? null)));
}

function sorted(value: YamlValue): YamlValue {
  if (typeof value !== "object" || value === null) {
    return value;
  }
  if (Array.isArray(value)) {
    return value.map(sorted);
  }
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, item]) => [key, sorted(item)]),
  );
}
