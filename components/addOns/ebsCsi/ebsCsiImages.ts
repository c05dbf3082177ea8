/** The images of a release of the EBS CSI driver. */
export interface EbsCsiImages {
  readonly driver: string;
  readonly provisioner: string;
  readonly attacher: string;
  readonly resizer: string;
  readonly registrar: string;
  readonly livenessProbe: string;
}

const REGISTRY = "public.ecr.aws";

/**
 * The sidecars that were published with a release. AWS' own builds fall back to the storage API of
 * an older Kubernetes. Source: deploy/kubernetes/base of kubernetes-sigs/aws-ebs-csi-driver at
 * v1.64.0 and v1.40.1.
 */
const NEWEST = sidecars("csi-components", {
  provisioner: "csi-provisioner:v6.3.0-eksbuild.4",
  attacher: "csi-attacher:v4.12.0-eksbuild.5",
  resizer: "csi-resizer:v2.2.1-eksbuild.3",
  registrar: "csi-node-driver-registrar:v2.17.0-eksbuild.5",
  livenessProbe: "livenessprobe:v2.19.0-eksbuild.5",
});

const OLDER = sidecars("eks-distro/kubernetes-csi", {
  provisioner: "external-provisioner:v5.2.0-eks-1-32-6",
  attacher: "external-attacher:v4.8.0-eks-1-32-6",
  resizer: "external-resizer:v1.13.1-eks-1-32-6",
  registrar: "node-driver-registrar:v2.13.0-eks-1-32-6",
  livenessProbe: "livenessprobe:v2.14.0-eks-1-32-6",
});

/** The images of a release of the driver, for example `v1.64.0`. */
export function ebsCsiImages(version: string): EbsCsiImages {
  const minor = Number(/^v1\.(\d+)\./.exec(version)?.[1] ?? Number.MAX_SAFE_INTEGER);
  return {
    driver: `${REGISTRY}/ebs-csi-driver/aws-ebs-csi-driver:${version}`,
    ...(minor < 51 ? OLDER : NEWEST),
  };
}

function sidecars<Names extends Record<string, string>>(folder: string, names: Names): Names {
  return Object.fromEntries(
    Object.entries(names).map(([name, image]) => [name, `${REGISTRY}/${folder}/${image}`]),
  ) as Names;
}
