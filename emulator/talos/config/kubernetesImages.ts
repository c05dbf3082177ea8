import { type ConfigDocument, documentId } from "../../../provider/config";
import { textAt } from "./yamlPath";

/**
 * The oldest and the newest Kubernetes minor of each Talos minor. It is separate from the product's
 * table, so that each tests the other. Source: `pkg/machinery/compatibility/talos1NN`, v1.14.0-rc.1.
 */
const KUBERNETES_MINORS: ReadonlyMap<number, readonly [oldest: number, newest: number]> = new Map([
  [10, [28, 33]],
  [11, [29, 34]],
  [12, [30, 35]],
  [13, [31, 36]],
  [14, [32, 37]],
]);

/** The first Talos minor that checks images at all. Source: no check in v1.10.9, one in v1.11.0. */
const FIRST_WITH_CHECK = 11;

/**
 * The first Talos minor that also checks the configuration on its own disk when it boots. Source:
 * `config.AcquireController`: `Validate` in v1.13.9, `ValidateAtRuntime` in v1.14.0-rc.1.
 */
const FIRST_WITH_DISK_CHECK = 14;

/** Components of control planes, by their names in Talos' errors. */
const CONTROL_PLANE = {
  "kube-apiserver": "apiServer",
  "kube-controller-manager": "controllerManager",
  "kube-scheduler": "scheduler",
} as const;

/** The places of the images that a machine checks, in fields. kube-proxy's is not among them. */
const FIELDS: readonly string[] = [
  "machine.kubelet.image",
  ...Object.values(CONTROL_PLANE).map((part) => `cluster.${part}.image`),
];

/** The documents whose images a machine checks, with the names in Talos' errors. Source: v1.14.1, `config/types/k8s`. */
const DOCUMENTS: Readonly<Record<string, string>> = {
  KubeletConfig: "kubelet",
  KubeAPIServerConfig: "kube-apiserver",
  KubeControllerManagerConfig: "kube-controller-manager",
  KubeSchedulerConfig: "kube-scheduler",
  KubeProxyConfig: "proxy",
};

/** Whether a machine checks the image at this place. */
export function isCheckedImage(document: string, path: string): boolean {
  return document === "v1alpha1"
    ? FIELDS.includes(path)
    : document in DOCUMENTS && path === "image";
}

/** Whether a Talos release checks the configuration on its disk like one that it is given. */
export function checksOwnDisk(talosVersion: string): boolean {
  return minorOf(talosVersion) >= FIRST_WITH_DISK_CHECK;
}

/**
 * The images in a v1alpha1 document whose Kubernetes the running Talos does not support, in Talos'
 * words. A machine checks this when it gets a configuration through its API or its user data.
 * Images that the configuration leaves to Talos are always supported.
 *
 * Source: `RuntimeValidate` in `pkg/machinery/config/types/v1alpha1` and
 * `KubernetesVersion.SupportedWith` in `pkg/machinery/compatibility`, v1.12.1 and v1.13.9.
 */
export function imageProblems(
  config: ConfigDocument | undefined,
  talosVersion: string,
): readonly string[] {
  if (config === undefined || minorOf(talosVersion) < FIRST_WITH_CHECK) {
    return [];
  }
  const type = textAt(config, "machine", "type") ?? "";
  const images: (readonly [name: string, image: string | undefined])[] = [
    ["kubelet", textAt(config, "machine", "kubelet", "image")],
    ...(["controlplane", "init"].includes(type)
      ? Object.entries(CONTROL_PLANE).map(
          ([name, part]) => [name, textAt(config, "cluster", part, "image")] as const,
        )
      : []),
  ];
  return images.flatMap(([name, image]) => problemsOf(name, image, talosVersion));
}

/** The same of the images in documents. */
export function documentImageProblems(
  documents: readonly ConfigDocument[],
  talosVersion: string,
): readonly string[] {
  return documents.flatMap((document) => {
    const { kind, enabled } = document;
    const name = typeof kind === "string" ? DOCUMENTS[kind] : undefined;
    const isOff = kind === "KubeProxyConfig" && enabled === false;
    return name === undefined || isOff
      ? []
      : problemsOf(name, textAt(document, "image"), talosVersion).map(
          (problem) => `${documentId(document)}: ${problem}`,
        );
  });
}

function problemsOf(name: string, image: string | undefined, talosVersion: string): string[] {
  const problem = image === undefined ? undefined : problemOf(image, talosVersion);
  return problem === undefined ? [] : [`${name} image is not valid: ${problem}`];
}

function problemOf(image: string, talosVersion: string): string | undefined {
  const tag = /.*:v([^@]*)/s.exec(image)?.[1];
  if (tag === undefined) {
    const quoted = JSON.stringify(image);
    return `failed to parse Kubernetes version from image reference ${quoted}: invalid image reference: ${quoted}`;
  }
  const talos = talosVersion.replace(/^v/, "");
  const minors = KUBERNETES_MINORS.get(minorOf(talosVersion));
  if (minors === undefined) {
    return `compatibility with version ${talos} is not supported`;
  }
  const [oldest, newest] = minors;
  const minor = minorOf(tag);
  const is = minor < oldest ? "old" : minor > newest ? "new" : undefined;
  return is && `version of Kubernetes ${tag} is too ${is} to be used with Talos ${talos}`;
}

/** The minor of a release of major 1; NaN for other texts. */
function minorOf(version: string): number {
  return Number(/^v?1\.(\d+)(?:[.+-]|$)/.exec(version)?.[1]);
}
