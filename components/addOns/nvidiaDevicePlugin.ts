import type { KubernetesObject } from "../../provider/kubernetes";
import type { PropertyProblem } from "../problems";
import type { AddOn, KnownSettings, ObjectParts } from "./common/addOn";
import type { AddOnCluster } from "./common/addOnCluster";
import { type AddOnManifest, isOwn } from "./common/addOnManifest";
import { argumentsOf } from "./common/addOnPods";
import type { AddOnPods } from "./common/addOnPodsArgs";
import { type AddOnScope, SYSTEM_NAMESPACE } from "./common/addOnScope";
import { daemonSetOf } from "./common/workloads";

/** The argument of NVIDIA's device plugin. */
export interface NvidiaDevicePluginChoice {
  /**
   * NVIDIA's device plugin, and the RuntimeClass `nvidia`: pods ask for `nvidia.com/gpu` on pools with
   * `gpu: "nvidia"`, with `runtimeClassName: nvidia`. For Talos up to v1.13; from v1.14 on, NVIDIA's GPU operator
   * does this. Don't use both: each has the RuntimeClass. Default: none.
   */
  readonly nvidiaDevicePlugin?: boolean | NvidiaDevicePluginAddOn;
}

/**
 * NVIDIA's device plugin, on machines of pools with `gpu`, whose nodes get the labels
 * `nvidia.com/gpu.present` and `k8s.amazonaws.com/accelerator` with it. It calls no API of Kubernetes.
 *
 * `extraArgs` are its flags, for example `{"mig-strategy": "single"}`. It restarts for each change; pods
 * keep their GPUs meanwhile.
 */
export interface NvidiaDevicePluginAddOn extends AddOnManifest, AddOnPods {}

const NAME = "nvidia-device-plugin";

/** The name of the RuntimeClass, and of the runtime in Talos' extension. */
const RUNTIME = "nvidia";

const GPU = "nvidia.com/gpu";

/** The label by which NVIDIA's own charts find nodes with GPUs. */
const PRESENT = { [`${GPU}.present`]: "true" };

/**
 * The label by which the cluster autoscaler knows that a node is to offer GPUs, so that it waits for the plugin
 * on a new one and adds no other. Source: kubernetes/autoscaler, cluster-autoscaler release 1.36,
 * `cloudprovider/aws/aws_cloud_provider.go` (`GPULabel`).
 */
const ACCELERATOR = { "k8s.amazonaws.com/accelerator": RUNTIME };

/** The first minor of Talos whose extension no longer has the runtime. Source: Talos' guides for NVIDIA. */
const FIRST_MINOR_WITHOUT_RUNTIME = 14;

/** Where a kubelet listens for device plugins. */
const FOLDER = "/var/lib/kubelet/device-plugins";

/** NVIDIA's device plugin; see `objects`. */
export const nvidiaDevicePlugin: AddOn<NvidiaDevicePluginAddOn> = {
  manifestName: NAME,
  charts: ["nvidia-device-plugin"],
  removal:
    "nodes offer no GPUs any more: pods that run keep theirs until they end, and no new pod gets one",
  // NVIDIA/k8s-device-plugin, README.md: Kubernetes 1.10 and later.
  releases: [{ oldestMinor: 21, version: "v0.20.0" }],
  objects,
  machines: "worker",
  nodeLabels: ({ gpu }) => (gpu === "nvidia" ? { ...PRESENT, ...ACCELERATOR } : {}),
  check,
};

/**
 * Whether what offers GPUs may offer more than a machine has. This package's plugin has no file of its settings, so
 * none for time-slicing; without it, or with a manifest of the user's, that is unknown.
 */
export function maySliceGpus(addOn: NvidiaDevicePluginAddOn | undefined): boolean {
  return addOn === undefined || !isOwn(addOn) || addOn.extraArgs?.["mig-strategy"] !== undefined;
}

function check(addOn: NvidiaDevicePluginAddOn, { talosMinor }: AddOnCluster): PropertyProblem[] {
  const reason = `Talos v1.${talosMinor} has no container runtime "${RUNTIME}": leave this out and let NVIDIA's GPU operator hand out GPUs, or stay with v1.13 (docs/guides/workers.md#gpus)`;
  return isOwn(addOn) && (talosMinor ?? 0) >= FIRST_MINOR_WITHOUT_RUNTIME
    ? [{ property: "", reason }]
    : [];
}

/**
 * The RuntimeClass, whose pods land on machines with GPUs, and the device plugin on each of these. Talos' extension
 * adds the runtime, which gives a container the driver's libraries; the default one doesn't. So the plugin needs it
 * itself, and can't start elsewhere.
 *
 * Source: deployments/static/nvidia-device-plugin.yml, deployments/container/Dockerfile and README.md of
 * NVIDIA/k8s-device-plugin v0.20.0; Talos' guide "NVIDIA GPU (OSS drivers)" of v1.12.
 */
function objects(
  _scope: AddOnScope,
  addOn: KnownSettings<NvidiaDevicePluginAddOn>,
  { version }: ObjectParts,
): KubernetesObject[] {
  const labels = { "app.kubernetes.io/name": NAME };
  const anywhere = { key: GPU, operator: "Exists", effect: "NoSchedule" };
  return [
    {
      apiVersion: "v1",
      kind: "ServiceAccount",
      metadata: { name: NAME, namespace: SYSTEM_NAMESPACE, labels },
    },
    {
      apiVersion: "node.k8s.io/v1",
      kind: "RuntimeClass",
      metadata: { name: RUNTIME, labels },
      handler: RUNTIME,
      scheduling: { nodeSelector: PRESENT, tolerations: [anywhere] },
    },
    daemonSetOf(
      { name: NAME, labels },
      {
        runtimeClassName: RUNTIME,
        nodeSelector: PRESENT,
        priorityClassName: "system-node-critical",
        serviceAccountName: NAME,
        automountServiceAccountToken: false,
        tolerations: [{ operator: "Exists" }, ...(addOn.tolerations ?? [])],
        containers: [
          {
            name: NAME,
            image: `nvcr.io/nvidia/k8s-device-plugin:${version}`,
            args: argumentsOf({}, addOn),
            resources: addOn.resources ?? {
              requests: { cpu: "10m", memory: "64Mi" },
              limits: { memory: "256Mi" },
            },
            // As upstream has it: the runtime writes into the container before it starts.
            securityContext: { allowPrivilegeEscalation: false, capabilities: { drop: ["ALL"] } },
            volumeMounts: [{ name: "device-plugins", mountPath: FOLDER }],
          },
        ],
        volumes: [{ name: "device-plugins", hostPath: { path: FOLDER, type: "Directory" } }],
      },
      "10%",
    ),
  ];
}
