import type { Found } from "./found";
import { CLUSTER_TAG_PREFIX } from "./recordedClusters";

export interface Creator {
  /** For example `the AWS cloud controller`. */
  readonly controller: string;
  /** The object in Kubernetes that caused it, for example `service default/web`. */
  readonly owner: string;
}

/** The tag with which the AWS load balancer controller names the cluster. */
export const BALANCER_CONTROLLER_TAG = "elbv2.k8s.aws/cluster";
/** The tag of the EBS CSI driver on all volumes and snapshots, with the value `true`. */
export const DRIVER_TAG = "ebs.csi.aws.com/cluster";
/**
 * The tags with which the EBS CSI driver and older controllers name the cluster, besides the
 * cluster's tag.
 */
export const CLUSTER_NAME_TAGS = ["ebs.csi.aws.com/cluster-name", "KubernetesCluster"] as const;

/** The tag of Karpenter on the machines that it launches, besides the cluster's tag. */
export const LAUNCHER_TAG = "karpenter.sh/nodepool";

const CLOUD_CONTROLLER = "the AWS cloud controller";
const BALANCER_CONTROLLER = "the AWS load balancer controller";
const DRIVER = "the EBS CSI driver";

/**
 * The controller that created a resource for a cluster. Pure. It needs two signs: the cluster's
 * name, and a mark that only the controller sets, because this package and people use the cluster's
 * tag too.
 *
 * Sources: `buildTags` and `TagNameKubernetesService` in pkg/providers/v1 of
 * kubernetes/cloud-provider-aws at 63ec440c; pkg/deploy/tracking/provider.go and
 * pkg/shared_constants/tag_keys.go of kubernetes-sigs/aws-load-balancer-controller at 225f4456;
 * docs/tagging.md and pkg/driver/constants.go of kubernetes-sigs/aws-ebs-csi-driver at 429e202e;
 * the tags that Karpenter reserves in an `EC2NodeClass` (karpenter.sh/docs/concepts/nodeclasses).
 *
 * @returns undefined if it isn't the cluster's, or its creator is unknown
 */
export function creatorOf(thing: Found, cluster: string): Creator | undefined {
  const { kind, tags, name, description } = thing;
  if (kind === "volume" || kind === "snapshot") {
    return ofDriver(thing, cluster);
  }
  if (tags[BALANCER_CONTROLLER_TAG] === cluster) {
    return { controller: BALANCER_CONTROLLER, owner: stackOf(tags) };
  }
  if (tags[CLUSTER_TAG_PREFIX + cluster] !== "owned") {
    return undefined;
  }
  if (kind === "machine") {
    return tags[LAUNCHER_TAG] === undefined
      ? undefined
      : { controller: "Karpenter", owner: "node pool" };
  }
  if (kind === "securityGroup") {
    const asked = /^Security group for Kubernetes ELB \S+ \((.*)\)$/.exec(description);
    return name.startsWith("k8s-elb-") && asked !== null
      ? { controller: CLOUD_CONTROLLER, owner: `service ${asked[1] ?? ""}` }
      : undefined;
  }
  const service = tags["kubernetes.io/service-name"];
  return service === undefined
    ? undefined
    : { controller: CLOUD_CONTROLLER, owner: `service ${service}` };
}

/** Whether a resource is the driver's, and no tag names its cluster. */
export function hasUnknownCluster({ kind, tags }: Found): boolean {
  return (
    (kind === "volume" || kind === "snapshot") &&
    tags[DRIVER_TAG] === "true" &&
    CLUSTER_NAME_TAGS.every((key) => tags[key] === undefined) &&
    Object.keys(tags).every((key) => !key.startsWith(CLUSTER_TAG_PREFIX))
  );
}

function ofDriver(thing: Found, cluster: string): Creator | undefined {
  const { tags, isHeld } = thing;
  const isNamed =
    tags[CLUSTER_TAG_PREFIX + cluster] === "owned" ||
    CLUSTER_NAME_TAGS.some((key) => tags[key] === cluster);
  // A machine of the cluster has only the cluster's volumes attached.
  const isCluster = isNamed || (isHeld && hasUnknownCluster(thing));
  const isMade = tags[DRIVER_TAG] === "true" || tags[PV_NAME] !== undefined;
  return isCluster && isMade ? { controller: DRIVER, owner: claimOf(tags) } : undefined;
}

const PV_NAME = "kubernetes.io/created-for/pv/name";

/** The claim of a volume, if the driver was configured to record it. */
function claimOf(tags: Found["tags"]): string {
  const claim = tags["kubernetes.io/created-for/pvc/name"];
  const namespace = tags["kubernetes.io/created-for/pvc/namespace"];
  const volume = tags[PV_NAME] ?? tags.CSIVolumeName ?? tags.CSIVolumeSnapshotName;
  return claim === undefined
    ? (volume ?? "unknown claim")
    : `claim ${namespace === undefined ? "" : `${namespace}/`}${claim}`;
}

/** `service.k8s.aws/stack`, `ingress.k8s.aws/stack`, and the corresponding tag for a gateway. */
function stackOf(tags: Found["tags"]): string {
  const key = Object.keys(tags).find((each) => each.endsWith(".k8s.aws/stack"));
  return key === undefined ? "all its ingresses" : `${key.split(".")[0] ?? ""} ${tags[key] ?? ""}`;
}
