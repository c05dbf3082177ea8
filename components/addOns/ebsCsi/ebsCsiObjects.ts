import type { KubernetesObject } from "../../../provider/kubernetes";
import { accountWith, may, mayRead } from "../common/accessRights";
import type { KnownSettings, ObjectParts } from "../common/addOn";
import { type AddOnScope, SYSTEM_NAMESPACE } from "../common/addOnScope";
import type { EbsCsiAddOn } from "./ebsCsiAddOn";
import { ebsCsiController } from "./ebsCsiController";
import { ebsCsiImages } from "./ebsCsiImages";
import { ebsCsiNode } from "./ebsCsiNode";

/** The controller's service account, which its IAM role trusts. */
export const EBS_CSI_ACCOUNT = "ebs-csi-controller-sa";

const NODE_ACCOUNT = "ebs-csi-node-sa";
const DRIVER = "ebs.csi.aws.com";
const labels = { "app.kubernetes.io/name": "aws-ebs-csi-driver" };

/**
 * The EBS CSI driver: a controller on control planes, and a daemon on every node that mounts
 * volumes. Both are in the host network. Volume snapshots need custom resource definitions that are
 * not included, so their sidecar is left out too.
 *
 * Source: deploy/kubernetes/base and docs/install.md of kubernetes-sigs/aws-ebs-csi-driver.
 */
export function ebsCsiObjects(
  scope: AddOnScope,
  addOn: KnownSettings<EbsCsiAddOn>,
  { version, identity }: ObjectParts,
): KubernetesObject[] {
  const images = ebsCsiImages(version);
  const storage = "storage.k8s.io";
  return [
    ...accountWith({
      name: EBS_CSI_ACCOUNT,
      namespace: SYSTEM_NAMESPACE,
      labels,
      // The permissions of the provisioner, the attacher and the resizer, which share the account.
      everywhere: [
        may(["get", "list", "watch", "create", "patch", "delete"], "", ["persistentvolumes"]),
        may(["get", "list", "watch", "update"], "", ["persistentvolumeclaims"]),
        may(["patch"], "", ["persistentvolumeclaims/status"]),
        may(["list", "watch", "create", "update", "patch"], "", ["events"]),
        mayRead("", "nodes", "pods"),
        mayRead(storage, "storageclasses", "csinodes", "volumeattributesclasses"),
        may(["get", "list", "watch", "patch"], storage, ["volumeattachments"]),
        may(["patch"], storage, ["volumeattachments/status"]),
      ],
      inNamespace: [
        may(["get", "watch", "list", "delete", "update", "create"], "coordination.k8s.io", [
          "leases",
        ]),
      ],
    }),
    ...accountWith({
      name: NODE_ACCOUNT,
      namespace: SYSTEM_NAMESPACE,
      labels,
      everywhere: [
        may(["get", "list", "watch", "patch"], "", ["nodes"]),
        mayRead(storage, "volumeattachments"),
        may(["get"], storage, ["csinodes"]),
      ],
    }),
    {
      apiVersion: `${storage}/v1`,
      kind: "CSIDriver",
      metadata: { name: DRIVER, labels },
      spec: { attachRequired: true, podInfoOnMount: false, fsGroupPolicy: "File" },
    },
    ...(addOn.storageClass === false ? [] : [defaultStorageClass()]),
    ebsCsiController(scope, addOn, { images, account: EBS_CSI_ACCOUNT, labels }, identity),
    ebsCsiNode(addOn, { images, account: NODE_ACCOUNT, labels, driver: DRIVER }),
  ];
}

/**
 * The default storage class. Kubernetes does not allow changes of its fields, so no release of this
 * package changes them.
 */
function defaultStorageClass(): KubernetesObject {
  return {
    apiVersion: "storage.k8s.io/v1",
    kind: "StorageClass",
    metadata: {
      name: "gp3",
      labels,
      annotations: { "storageclass.kubernetes.io/is-default-class": "true" },
    },
    provisioner: DRIVER,
    parameters: { type: "gp3", encrypted: "true" },
    volumeBindingMode: "WaitForFirstConsumer",
    allowVolumeExpansion: true,
    reclaimPolicy: "Delete",
  };
}
