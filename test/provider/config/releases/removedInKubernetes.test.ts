import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { removedInKubernetes } from "../../../../provider/config/releases/removedInKubernetes";

const images = {
  apiServer: "registry.k8s.io/kube-apiserver",
  controllerManager: "registry.k8s.io/kube-controller-manager",
  scheduler: "registry.k8s.io/kube-scheduler",
  kubelet: "ghcr.io/siderolabs/kubelet",
  proxy: "registry.k8s.io/kube-proxy",
};

/** The outline of a machine of one release, with what a component is told. */
function outline(
  version: string,
  component: keyof typeof images = "apiServer",
  told: ConfigDocument = {},
): ConfigDocument {
  const part = (name: keyof typeof images) => ({
    image: `${images[name]}:${version}`,
    ...(name === component ? told : {}),
  });
  return {
    machine: { kubelet: part("kubelet") },
    cluster: {
      apiServer: part("apiServer"),
      controllerManager: part("controllerManager"),
      scheduler: part("scheduler"),
      proxy: part("proxy"),
    },
  };
}

const args = (extraArgs: ConfigDocument) => ({ extraArgs });

describe("flags that a Kubernetes release has removed", () => {
  it.each([
    [
      "a flag of the API server",
      ...(["v1.32.0", "v1.33.0", "apiServer"] as const),
      args({ "cloud-config": "/etc/cloud.conf" }),
      'cluster.apiServer.extraArgs["cloud-config"]: Kubernetes v1.33 has removed the flag "cloud-config"',
    ],
    [
      "a flag of the controller manager",
      ...(["v1.30.1", "v1.31.0", "controllerManager"] as const),
      args({ "volume-host-cidr-denylist": "10.0.0.0/8" }),
      'cluster.controllerManager.extraArgs["volume-host-cidr-denylist"]: Kubernetes v1.31 has removed the flag',
    ],
    [
      "a flag of the kubelet",
      ...(["v1.34.0", "v1.35.0", "kubelet"] as const),
      args({ "pod-infra-container-image": "registry.k8s.io/pause:3.10" }),
      'machine.kubelet.extraArgs["pod-infra-container-image"]: Kubernetes v1.35 has removed the flag "pod-infra-container-image"',
    ],
    [
      "a feature gate among others",
      ...(["v1.34.0", "v1.35.0@sha256:aa", "scheduler"] as const),
      args({ "feature-gates": "GangScheduling=true,SizeMemoryBackedVolumes=true" }),
      'cluster.scheduler.extraArgs["feature-gates"]: Kubernetes v1.35 has removed the feature gate "SizeMemoryBackedVolumes"',
    ],
    [
      "a feature gate in one of several values",
      ...(["v1.32.0", "v1.33.0", "apiServer"] as const),
      args({ "feature-gates": ["InPlacePodVerticalScaling=true", "AppArmor=true"] }),
      'has removed the feature gate "AppArmor"',
    ],
    [
      "a feature gate in the kubelet's file",
      ...(["v1.33.0", "v1.34.0", "kubelet"] as const),
      { extraConfig: { featureGates: { PodDisruptionConditions: true } } },
      'machine.kubelet.extraConfig.featureGates: Kubernetes v1.34 has removed the feature gate "PodDisruptionConditions"',
    ],
    [
      "an admission plugin",
      ...(["v1.29.0", "v1.30.0", "apiServer"] as const),
      args({ "enable-admission-plugins": "NodeRestriction,SecurityContextDeny" }),
      'cluster.apiServer.extraArgs["enable-admission-plugins"]: Kubernetes v1.30 has removed the admission plugin "SecurityContextDeny"',
    ],
    [
      "the cloud provider of the API server",
      ...(["v1.32.0", "v1.33.0", "apiServer"] as const),
      args({ "cloud-provider": "external" }),
      'cluster.apiServer.extraArgs["cloud-provider"]: Kubernetes v1.33 has removed the flag "cloud-provider"',
    ],
    [
      "a flag that is written with _",
      ...(["v1.36.3", "v1.37.2", "kubelet"] as const),
      args({ storage_driver_host: "db:8086" }),
      'machine.kubelet.extraArgs["storage_driver_host"]: Kubernetes v1.37 has removed the flag "storage-driver-host"',
    ],
    [
      "a gate in a flag that is written with _",
      ...(["v1.36.3", "v1.37.2", "scheduler"] as const),
      args({ feature_gates: "GangScheduling=true" }),
      'cluster.scheduler.extraArgs["feature_gates"]: Kubernetes v1.37 has removed the feature gate "GangScheduling"',
    ],
    [
      "a gate that talosctl doesn't check",
      ...(["v1.36.3", "v1.37.2", "kubelet"] as const),
      { extraConfig: { featureGates: { SidecarContainers: true } } },
      'machine.kubelet.extraConfig.featureGates: Kubernetes v1.37 has removed the feature gate "SidecarContainers"',
    ],
    [
      "a flag that talosctl doesn't check",
      ...(["v1.30.0", "v1.31.0", "proxy"] as const),
      args({ "proxy-port-range": "10000-20000" }),
      'cluster.proxy.extraArgs["proxy-port-range"]: Kubernetes v1.31 has removed the flag "proxy-port-range"',
    ],
    [
      "a gate of kube-proxy",
      ...(["v1.32.0", "v1.33.0", "proxy"] as const),
      args({ "feature-gates": "KubeProxyDrainingTerminatingNodes=true" }),
      'cluster.proxy.extraArgs["feature-gates"]: Kubernetes v1.33 has removed',
    ],
    [
      "an admission plugin that is only disabled",
      ...(["v1.30.0", "v1.31.0", "apiServer"] as const),
      args({ "disable-admission-plugins": ["PersistentVolumeLabel"] }),
      'cluster.apiServer.extraArgs["disable-admission-plugins"]: Kubernetes v1.31 has removed the admission plugin "PersistentVolumeLabel"',
    ],
  ])("include %s", (_, from, to, component, told, sentence) => {
    const [problem = "", ...others] = removedInKubernetes(
      outline(from, component, told),
      outline(to, component, told),
    );
    expect(others).toEqual([]);
    expect(problem).toContain(sentence);
    expect(problem).toContain('remove it, with a separate "up" before the upgrade');
  });

  it.each([
    ["in a release that runs already", "v1.33.0", "v1.33.4"],
    ["on the way back", "v1.34.0", "v1.33.0"],
  ])("are not reported %s", (_, from, to) => {
    const told = args({ "feature-gates": "AppArmor=true" });
    expect(
      removedInKubernetes(outline(from, "apiServer", told), outline(to, "apiServer", told)),
    ).toEqual([]);
  });

  it("are reported for the control plane if the same change removes them: images come first", () => {
    const told = args({ "feature-gates": "AppArmor=true" });
    const judge = (component: "apiServer" | "kubelet") =>
      removedInKubernetes(outline("v1.32.0", component, told), outline("v1.33.0"));
    expect(judge("apiServer")).toHaveLength(1);
    expect(judge("kubelet")).toEqual([]);
  });

  it("are reported for a new cluster whichever release removed them", () => {
    const told = args({ "feature-gates": "AppArmor=true,KMSv2=true" });
    expect(removedInKubernetes(undefined, outline("v1.35.0", "apiServer", told))).toHaveLength(2);
  });

  it.each(["apiServer", "controllerManager", "scheduler", "kubelet", "proxy"] as const)(
    "are those for logging in %s since 1.26",
    (component) => {
      const told = args({ logtostderr: "true", "log-file": "/x", v: "2" });
      const problems = removedInKubernetes(undefined, outline("v1.35.0", component, told));
      expect(problems).toHaveLength(2);
      expect(problems.join()).toMatch(/v1.26 has removed the flag "logtostderr".*"log-file"/);
    },
  );

  it("are not the cloud provider of kubelet and the controller manager", () => {
    const told = args({ "cloud-provider": "external" });
    for (const component of ["kubelet", "controllerManager"] as const) {
      expect(removedInKubernetes(undefined, outline("v1.37.0", component, told))).toEqual([]);
    }
  });

  it("are reported only for the component that has them", () => {
    const told = args({ "cloud-config": "x", "enable-admission-plugins": "SecurityContextDeny" });
    expect(removedInKubernetes(undefined, outline("v1.35.0", "scheduler", told))).toEqual([]);
  });

  it("are unknown if an image has no release", () => {
    const told = args({ "feature-gates": "AppArmor=true" });
    expect(removedInKubernetes(undefined, outline("latest", "apiServer", told))).toEqual([]);
    expect(removedInKubernetes(undefined, { machine: { type: "worker" } })).toEqual([]);
  });
});
