import type { ConfigDocument, YamlValue } from "../../../provider/config";
import type { ComponentFacts } from "../config/componentFacts";
import type { EncryptionKeys } from "../config/encryptionKeys";
import type { ServiceAccountFacts } from "../config/kubernetesSecrets";
import type { MachineFacts } from "../config/machineFacts";
import type { NodeIpamFacts } from "../config/nodeIpamFacts";

/** The static pods of a control plane. */
export type StaticPodApp = "kube-apiserver" | "kube-controller-manager" | "kube-scheduler";

/** Talos' definition of a static pod for the kubelet. Another definition is another pod. */
export interface StaticPodDefinition {
  readonly app: StaticPodApp;
  readonly image: string;
  /** The values of additional flags in the configuration, by their names without dashes. */
  readonly extraArgs: ConfigDocument;
  /** What the component prints when it ends because of a file that a flag names. */
  readonly fileFault?: string;
  /** What the component prints when it ends because of a file that Talos wrote for it. */
  readonly refusedFile?: string;
  /** What a controller manager gives ranges of pods to nodes with. */
  readonly nodeIpam?: NodeIpamFacts;
  /** Whose service account tokens an API server accepts. It reads the keys when it starts. */
  readonly serviceAccounts?: ServiceAccountFacts;
  /** The CAs of requests that other API servers pass on to it, each base64 of PEM. */
  readonly aggregatorCas?: readonly string[];
  /** The keys with which an API server reads Secrets. It reads them when it starts. */
  readonly encryptionKeys?: EncryptionKeys;
  /** The AuthenticationConfiguration of an API server. Default: none. */
  readonly authentication?: YamlValue | undefined;
  readonly annotations: Readonly<Record<string, string>>;
}

/** What Talos renders static pods from. */
export interface StaticPodSources {
  readonly secretsVersion: string;
  readonly configFileVersion: string;
  readonly components: Readonly<
    Record<
      StaticPodApp,
      { readonly version: number; readonly image: string; readonly enabled: boolean }
    >
  >;
}

/**
 * Defines the static pods of a control plane from its configuration. Their annotations contain the
 * versions of their sources, so a change of a source creates a new pod. A change of the scheduler
 * also restarts the API server, because the version of the API server's files includes the
 * scheduler's. Source: talos v1.12.1, `k8s/control_plane_static_pod.go` and
 * `k8s/render_config_static_pods.go`.
 */
export class StaticPodDefinitions {
  private readonly currentVersions = new Map<
    string,
    { readonly text: string; readonly version: number }
  >();

  /**
   * The pods of a configuration, in Talos' order. Talos stops at the first pod that it can't render,
   * and leaves the others as they were.
   *
   * @param former the pods until now
   * @param errors of pods that can't be rendered, by their names
   */
  render(
    facts: MachineFacts,
    former: readonly StaticPodDefinition[],
    errors: Readonly<Partial<Record<string, string>>>,
  ): { readonly pods: readonly StaticPodDefinition[]; readonly error: string | undefined } {
    const pods = this.define(facts);
    const failed = pods.findIndex(({ app }) => errors[app] !== undefined);
    if (failed === -1) {
      return { pods, error: undefined };
    }
    const rendered = pods.slice(0, failed);
    const left = former.filter(({ app }) => rendered.every((pod) => pod.app !== app));
    return { pods: [...rendered, ...left], error: errors[pods[failed]?.app ?? ""] };
  }

  /** The versions of what pods are rendered from now, whether or not they are. */
  sources(facts: MachineFacts): StaticPodSources {
    const { apiServer, controllerManager, scheduler } = facts.controlPlane;
    const component = (name: string, { settings, image, enabled }: ComponentFacts) => ({
      version: this.versionOf(name, settings),
      image,
      enabled,
    });
    return {
      ...this.versions(facts),
      components: {
        "kube-apiserver": component("apiServer", apiServer),
        "kube-controller-manager": component("controllerManager", controllerManager),
        "kube-scheduler": component("scheduler", scheduler),
      },
    };
  }

  private define(facts: MachineFacts): readonly StaticPodDefinition[] {
    const { apiServer, controllerManager, scheduler } = facts.controlPlane;
    const { secretsVersion, configFileVersion } = this.versions(facts);
    const versions = (name: string, { settings }: ComponentFacts) => ({
      "talos.dev/config-version": `${this.versionOf(name, settings)}`,
      "talos.dev/secrets-version": secretsVersion,
    });
    const pods: readonly (readonly [ComponentFacts, StaticPodDefinition])[] = [
      [
        apiServer,
        {
          app: "kube-apiserver",
          ...partsOf(apiServer),
          serviceAccounts: facts.controlPlane.serviceAccounts,
          aggregatorCas: facts.aggregatorCas,
          encryptionKeys: facts.controlPlane.encryptionKeys,
          authentication: facts.controlPlane.authentication,
          annotations: {
            "talos.dev/config-file-version": configFileVersion,
            ...versions("apiServer", apiServer),
          },
        },
      ],
      [
        controllerManager,
        {
          app: "kube-controller-manager",
          ...partsOf(controllerManager),
          nodeIpam: facts.controlPlane.nodeIpam,
          annotations: versions("controllerManager", controllerManager),
        },
      ],
      [
        scheduler,
        {
          app: "kube-scheduler",
          ...partsOf(scheduler),
          annotations: versions("scheduler", scheduler),
        },
      ],
    ];
    return pods.flatMap(([{ enabled }, pod]) => (enabled ? [pod] : []));
  }

  /** The versions of the secrets and files that a configuration's pods read. */
  private versions(facts: MachineFacts): {
    readonly secretsVersion: string;
    readonly configFileVersion: string;
  } {
    const { files, scheduler } = facts.controlPlane;
    const secrets = JSON.stringify([
      facts.kubernetesCa?.crt,
      facts.kubernetesAcceptedCas,
      facts.endpoint,
      facts.clusterName,
      // Its resource has certificates of its own, which every change of the secrets issues anew.
      facts.controlPlane.secrets,
      facts.controlPlane.encryptionKeys,
    ]);
    return {
      secretsVersion: `${this.versionOf("secrets", secrets)}`,
      configFileVersion: [
        this.versionOf("admissionControl", files.admissionControl),
        this.versionOf("auditPolicy", files.auditPolicy),
        this.versionOf("authorization", files.authorization),
        this.versionOf("scheduler", scheduler.settings),
        // Without the document, there is no such file (v1.14.1, `k8s/render_config_static_pods.go`).
        files.authentication === undefined
          ? ""
          : this.versionOf("authentication", files.authentication),
      ].join(""),
    };
  }

  /** Increases by one with each different text. */
  private versionOf(name: string, text: string): number {
    const known = this.currentVersions.get(name);
    if (known?.text === text) {
      return known.version;
    }
    const version = (known?.version ?? 0) + 1;
    this.currentVersions.set(name, { text, version });
    return version;
  }
}

function partsOf({ image, extraArgs, fileFault, refusedFile }: ComponentFacts) {
  return {
    image,
    extraArgs,
    ...(fileFault !== undefined && { fileFault }),
    ...(refusedFile !== undefined && { refusedFile }),
  };
}
