/**
 * Places that Talos changes without a reboot. The same holds for every document except `v1alpha1`.
 */
const livePaths: readonly string[] = [
  "debug",
  "cluster",
  ...[
    ...["acceptedCAs", "ca", "certSANs", "controlPlane", "install", "kernel", "kubelet", "logging"],
    ...["network", "nodeAnnotations", "nodeLabels", "nodeTaints", "pods", "registries"],
    ...["seccompProfiles", "sysctls", "sysfs", "time"],
    ...["features.hostDNS", "features.imageCache", "features.kubePrism"],
    ...["features.kubernetesTalosAPIAccess", "features.nodeAddressSortAlgorithm"],
  ].map((key) => `machine.${key}`),
];

/**
 * The changed places of a machine configuration for which Talos reboots the machine.
 *
 * @param paths key paths, as in an outline (`outlineDocuments`). Source: talos v1.12.1,
 *   `Runtime.CanApplyImmediate` in v1alpha1_runtime.go.
 */
export function rebootPaths(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return paths.filter((path) => {
    const [root = ""] = path;
    // Documents other than v1alpha1 are under their kind, which starts with a capital letter.
    const isOtherDocument = /^[A-Z]/.test(root);
    return !isOtherDocument && !livePaths.some((live) => isWithin(path, live.split(".")));
  });
}

function isWithin(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => path[index] === key);
}
