import { birthPaths } from "../birth/birthSettings";
import { changesEtcdTrust } from "../etcdTrust";
import { needsBootForFiles } from "./bootFiles";
import { bootUntil13, CONTROL_PLANE, type EffectRow, restarts, rows } from "./effectRow";
import { effectsOfDocuments } from "./effectsOfDocuments";
import { effectsOfVolumes } from "./effectsOfVolumes";

const INSTALL = "the installer reads it when Talos is installed or upgraded: it takes effect then";
const DISK = "Talos is installed already: only new machines follow it";
const NODE_TAINTS =
  "a node gets these taints only when it registers, and existing nodes keep theirs: change them with `kubectl taint node`, or recreate the machine";
const NODE_LABELS =
  "a node gets these labels only when it registers, and existing nodes keep theirs: use the option nodeLabels";
const NODE_RANGE =
  "a node gets its range of pods once, when it registers, and keeps it: only new nodes follow it";

/**
 * When each place of a machine's configuration takes effect. The answer for another Talos is another
 * column. The source is above each group of rows: files of siderolabs/talos v1.12.1, compared with
 * v1.13.9 and v1.14.1. `D/` is internal/app/machined/pkg/.
 */
export const effectTable: readonly EffectRow[] = [
  // `birthSettings.ts` has the sources, and what happens.
  ...rows("never", "", ...birthPaths),
  { path: "machine.type", effect: "never", rebootsUntil13: true },
  ...effectsOfVolumes,

  // Up to v1.13, Talos itself reboots for these: D/runtime/v1alpha1/v1alpha1_runtime.go,
  // `CanApplyImmediate`. v1.14 never does, but reads them only at a boot:
  // D/runtime/v1alpha1/v1alpha1_sequencer_tasks.go.
  ...rows("boot", "machine", "env"),
  { path: "machine.files", effect: "boot", when: needsBootForFiles },
  ...rows("boot", "machine.features", "diskQuotaSupport"),
  // Controllers of v1.14 follow these: D/controllers/secrets/root.go, files/udev.go.
  ...bootUntil13("machine", ["token", "udev"]),
  // Nothing of v1.14 reads these.
  ...bootUntil13("", ["persist"]),
  ...bootUntil13("machine.features", ["rbac", "stableHostname", "apidCheckExtKeyUsage"]),

  // Talos accepts these without a reboot. etcd: D/system/services/etcd.go, `PreFunc` and `Runner`.
  ...rows("boot", "cluster.etcd", "image", "extraArgs", "subnet", "advertisedSubnets"),
  ...rows("boot", "cluster.etcd", "listenSubnets"),
  { path: "cluster.etcd.ca", effect: "boot", when: changesEtcdTrust },
  // containerd reads its configuration when it starts: D/controllers/files/cri_registry_config.go.
  // v1.14 starts it again, and pods stay: D/controllers/cri/service.go.
  ...bootUntil13(
    "machine",
    ["registries.config.*.auth", "baseRuntimeSpecOverrides"],
    ["containerd"],
  ),
  // No module is unloaded, and a loaded one keeps its parameters:
  // D/controllers/runtime/kernel_module_spec.go.
  { path: "machine.kernel.modules.*", effect: "boot", added: "live" },

  // Each service gets it when it starts: D/system/services, `Config().Debug()`.
  {
    path: "debug",
    effect: "nextStart",
    reason:
      "a service that runs keeps sending its log where it did: it follows when the machine restarts",
  },

  // D/runtime/v1alpha1/v1alpha1_sequencer_tasks.go, `Install`; internal/pkg/install/install.go.
  ...rows("upgrade", "machine.install", "image"),
  ...rows(
    "upgrade",
    "machine.install",
    "extraKernelArgs",
    "legacyBIOSSupport",
    "grubUseUKICmdline",
  ).map((row) => ({ ...row, reason: INSTALL })),
  ...rows(
    "newMachine",
    "machine.install",
    "disk",
    "diskSelector",
    "wipe",
    "bootloader",
    "extensions",
  ).map((row) => ({ ...row, reason: DISK })),

  // Kubernetes' pkg/kubelet/kubelet_node_status.go: a node that exists keeps them.
  ...["machine.kubelet.extraConfig", "KubeletConfig.config"].map((path): EffectRow => ({
    path: `${path}.registerWithTaints`,
    effect: "newMachine",
    reason: NODE_TAINTS,
  })),
  ...["machine.kubelet.extraArgs", "KubeletConfig.extraArgs"].flatMap((path): EffectRow[] => [
    { path: `${path}.register-with-taints`, effect: "newMachine", reason: NODE_TAINTS },
    { path: `${path}.node-labels`, effect: "newMachine", reason: NODE_LABELS },
  ]),
  // Kubernetes' pkg/controller/nodeipam/ipam/range_allocator.go: `AllocateOrOccupyCIDR`.
  ...[
    ...["cluster.controllerManager.extraArgs", "KubeControllerManagerConfig.extraArgs"].flatMap(
      (path) => ["", "-ipv4", "-ipv6"].map((family) => `${path}.node-cidr-mask-size${family}`),
    ),
    "KubeNetworkConfig.nodeCIDRMaskSizeIPv4",
    "KubeNetworkConfig.nodeCIDRMaskSizeIPv6",
  ].map((path): EffectRow => ({ path, effect: "newMachine", reason: NODE_RANGE })),

  // D/controllers/k8s/manifest_apply.go: objects that exist are left alone.
  ...rows("manifests", "cluster", "proxy", "coreDNS", "extraManifests", "extraManifestHeaders"),
  ...rows("manifests", "cluster", "inlineManifests", "network.cni"),
  ...rows("manifests", "cluster", "externalCloudProvider.manifests"),

  // D/controllers/k8s/kubelet_spec.go, kubelet_service.go: another spec or CA restarts it. The name and
  // the address of its node are in the spec.
  ...restarts(["kubelet"], "machine", "kubelet", "network.hostname"),
  // D/controllers/k8s/control_plane_static_pod.go, render_config_static_pods.go.
  ...restarts(["the API server"], "cluster", "apiServer"),
  ...restarts(["the API server"], "cluster", "aescbcEncryptionSecret", "secretboxEncryptionSecret"),
  ...restarts(["the controller manager"], "cluster", "controllerManager"),
  ...restarts(["the controller manager"], "machine.controlPlane", "controllerManager"),
  ...restarts(["the scheduler"], "cluster", "scheduler"),
  ...restarts(["the scheduler"], "machine.controlPlane", "scheduler"),
  // All three read keys, certificates and kubeconfigs that controllers write: D/controllers/k8s/
  // render_secrets_static_pod.go, secrets/{root,kubernetes,kubelet}.go.
  ...restarts(CONTROL_PLANE, "cluster", "apiServer.certSANs", "aggregatorCA", "serviceAccount"),
  ...restarts(["kubelet", ...CONTROL_PLANE], "cluster", "ca", "acceptedCAs"),
  ...restarts(["kubelet", ...CONTROL_PLANE], "cluster", "controlPlane.localAPIServerPort"),
  ...restarts(["kubelet", ...CONTROL_PLANE], "machine.features", "kubePrism"),
  ...restarts(["kubelet", ...CONTROL_PLANE], "cluster", "externalCloudProvider.enabled"),

  // Controllers follow the rest.
  ...rows("live", "", "version"),
  ...rows("live", "machine", "ca", "acceptedCAs", "certSANs", "pods", "network", "time"),
  ...rows("live", "machine", "sysctls", "sysfs", "registries", "logging", "kernel"),
  ...rows("live", "machine", "seccompProfiles", "nodeLabels", "nodeAnnotations", "nodeTaints"),
  ...rows("live", "machine.features", "kubernetesTalosAPIAccess", "hostDNS", "imageCache"),
  ...rows("live", "machine.features", "nodeAddressSortAlgorithm"),
  ...rows("live", "cluster", "token", "discovery", "adminKubeconfig"),
  ...rows("live", "cluster", "allowSchedulingOnMasters", "allowSchedulingOnControlPlanes"),

  ...effectsOfDocuments,
];
