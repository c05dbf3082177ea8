import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { resultProblems } from "../../../../provider/config/rules/resultRules";

/** A control plane's configuration with sections and documents. */
function configuration(
  sections: ConfigDocument,
  ...documents: readonly ConfigDocument[]
): readonly ConfigDocument[] {
  const { machine = {}, cluster = {} } = sections as Record<string, ConfigDocument>;
  return [
    { version: "v1alpha1", machine: { type: "controlplane", ...machine }, cluster },
    ...documents.map((document) => ({ apiVersion: "v1alpha1", ...document })),
  ];
}

function told(documents: readonly ConfigDocument[]): string[] {
  return resultProblems(documents, 14).map(
    ({ document, path, message }) => `${document}: ${path}: ${message}`,
  );
}

/** The same mistake in a field and in a document, with the place of each. */
const mistakes: readonly (readonly [
  field: string,
  sections: ConfigDocument,
  place: string,
  document: ConfigDocument,
])[] = [
  [
    "v1alpha1: cluster.clusterName",
    { cluster: { clusterName: "No Name" } },
    "KubeClusterConfig: clusterName",
    { kind: "KubeClusterConfig", clusterName: "No Name", endpoint: "https://10.0.0.1:6443" },
  ],
  [
    "v1alpha1: machine.network.hostname",
    { machine: { network: { hostname: "a b" } } },
    "HostnameConfig: hostname",
    { kind: "HostnameConfig", hostname: "a b" },
  ],
  [
    "v1alpha1: machine.kubelet.extraArgs.cluster-domain",
    { machine: { kubelet: { extraArgs: { "cluster-domain": "other.local" } } } },
    "KubeletConfig: extraArgs.cluster-domain",
    { kind: "KubeletConfig", extraArgs: { "cluster-domain": "other.local" } },
  ],
  [
    "v1alpha1: machine.kubelet.extraConfig.clusterDomain",
    { machine: { kubelet: { extraConfig: { clusterDomain: "other.local" } } } },
    "KubeletConfig: config.clusterDomain",
    { kind: "KubeletConfig", config: { clusterDomain: "other.local" } },
  ],
  [
    "v1alpha1: machine.kubelet.extraConfig.registerWithTaints[0]",
    {
      machine: {
        kubelet: { extraConfig: { registerWithTaints: [{ key: "a b", effect: "NoSchedule" }] } },
      },
    },
    "KubeletConfig: config.registerWithTaints[0]",
    {
      kind: "KubeletConfig",
      config: { registerWithTaints: [{ key: "a b", effect: "NoSchedule" }] },
    },
  ],
  [
    "v1alpha1: cluster.apiServer.extraArgs.service-cluster-ip-range",
    { cluster: { apiServer: { extraArgs: { "service-cluster-ip-range": "10.97.0.0/16" } } } },
    "KubeAPIServerConfig: extraArgs.service-cluster-ip-range",
    { kind: "KubeAPIServerConfig", extraArgs: { "service-cluster-ip-range": "10.97.0.0/16" } },
  ],
  [
    "v1alpha1: cluster.controllerManager.extraArgs.cluster-cidr",
    { cluster: { controllerManager: { extraArgs: { "cluster-cidr": "10.245.0.0/16" } } } },
    "KubeControllerManagerConfig: extraArgs.cluster-cidr",
    { kind: "KubeControllerManagerConfig", extraArgs: { "cluster-cidr": "10.245.0.0/16" } },
  ],
  [
    "v1alpha1: cluster.network.podSubnets[0]",
    { cluster: { network: { podSubnets: ["10.244.1.0/16"] } } },
    "KubeNetworkConfig: podSubnets[0]",
    { kind: "KubeNetworkConfig", podSubnets: ["10.244.1.0/16"] },
  ],
  [
    'v1alpha1: machine.sysctls["a b"]',
    { machine: { sysctls: { "a b": "1" } } },
    'SysctlConfig: params["a b"]',
    { kind: "SysctlConfig", params: { "a b": "1" } },
  ],
  [
    "v1alpha1: machine.kernel.modules[0].name",
    { machine: { kernel: { modules: [{ name: "a b" }] } } },
    "KernelModuleConfig/a b: name",
    { kind: "KernelModuleConfig", name: "a b" },
  ],
  [
    "v1alpha1: machine.features.kubernetesTalosAPIAccess.allowedKubernetesNamespaces[0]",
    {
      machine: {
        features: {
          kubernetesTalosAPIAccess: { enabled: true, allowedKubernetesNamespaces: ["A b"] },
        },
      },
    },
    "KubeTalosAPIAccessConfig: allowedKubernetesNamespaces[0]",
    { kind: "KubeTalosAPIAccessConfig", allowedKubernetesNamespaces: ["A b"] },
  ],
];

describe("a setting that Talos takes, and that does not what was meant", () => {
  it.each(mistakes)("%s is refused in its document too", (field, sections, place, document) => {
    const [ofField, ...others] = told(configuration(sections));
    expect(others).toEqual([]);
    expect(ofField).toContain(`${field}: `);
    const message = ofField?.slice(field.length) ?? "";
    expect(told(configuration({}, document))).toEqual([`${place}${message}`]);
  });

  it("is judged beside settings of the other form", () => {
    const network = { kind: "KubeNetworkConfig", dnsDomain: "other.local" };
    const kubelet = { machine: { kubelet: { extraArgs: { "cluster-domain": "other.local" } } } };
    expect(told(configuration(kubelet, network))).toEqual([]);
    const sysctl = { kind: "SysctlConfig", params: { "vm.swappiness": "1" } };
    expect(told(configuration({ machine: { sysctls: { "a b": "1" } } }, sysctl))).toEqual([
      expect.stringContaining('v1alpha1: machine.sysctls["a b"]: '),
    ]);
  });

  it("has too wide a range for its nodes' shares, wherever their size stands", () => {
    const network = {
      kind: "KubeNetworkConfig",
      podSubnets: ["10.0.0.0/22"],
      nodeCIDRMaskSizeIPv4: 21,
    };
    expect(told(configuration({}, network))).toEqual([
      expect.stringContaining('KubeNetworkConfig: podSubnets[0]: "10.0.0.0/22" is too small'),
    ]);
  });
});
