/** Talos takes these over while it runs, whole; so it does every document but `v1alpha1`. */
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
 * Those of changed places in a machine configuration for which Talos reboots the machine.
 *
 * @param paths each the keys on the way, as in an outline (`outlineDocuments`)
 * Source: talos v1.12.1, `Runtime.CanApplyImmediate` in v1alpha1_runtime.go.
 */
export function rebootPaths(paths: readonly (readonly string[])[]): readonly (readonly string[])[] {
  return paths.filter((path) => {
    const [root = ""] = path;
    // documents other than v1alpha1 stand under their kind, which has a capital
    const isOtherDocument = /^[A-Z]/.test(root);
    return !isOtherDocument && !livePaths.some((live) => isWithin(path, live.split(".")));
  });
}

function isWithin(path: readonly string[], start: readonly string[]): boolean {
  return start.every((key, index) => path[index] === key);
}
