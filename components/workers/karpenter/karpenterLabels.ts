import { TYPE_LABELS } from "./karpenterKinds";

/** Labels of requirements that follow from arguments of a pool, with those arguments. */
export const PLANNED_LABELS: Readonly<Record<string, string>> = {
  "kubernetes.io/arch": "architectures",
  "kubernetes.io/os": "nothing, as it is Linux",
  "karpenter.sh/capacity-type": "capacityTypes",
  "topology.kubernetes.io/zone": "zones of the pool",
  "node.kubernetes.io/instance-type": "instanceTypes",
  [`${TYPE_LABELS}hypervisor`]: "nothing, as Talos needs AWS Nitro",
  [`${TYPE_LABELS}cpu`]: "vcpus",
  [`${TYPE_LABELS}memory`]: "memoryGib",
};

/** What Karpenter knows of an instance type. Source: `pkg/apis/v1/labels.go` of v1.15.2. */
const OF_TYPES = [
  "accelerator-count",
  "accelerator-manufacturer",
  "accelerator-name",
  "capability-flex",
  "category",
  "cpu",
  "cpu-manufacturer",
  "cpu-sustained-clock-speed-mhz",
  "ebs-bandwidth",
  "encryption-in-transit-supported",
  "family",
  "generation",
  "gpu-count",
  "gpu-manufacturer",
  "gpu-memory",
  "gpu-name",
  "hypervisor",
  "local-nvme",
  "memory",
  "network-bandwidth",
  "size",
  "tenancy",
];

/** The labels by which Karpenter knows machines before it launches them. */
export const KNOWN_LABELS: readonly string[] = [
  "karpenter.sh/capacity-type",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "node.kubernetes.io/instance-type",
  "topology.k8s.aws/zone-id",
  "topology.kubernetes.io/zone",
  ...OF_TYPES.map((name) => `${TYPE_LABELS}${name}`),
];

/** Domains of labels that belong to Karpenter. */
const OWN_DOMAINS = ["karpenter.sh", "karpenter.k8s.aws"];

/**
 * Why a label can't be given to machines, or be asked of them; undefined if it can. Source:
 * `pkg/apis/v1/labels.go` of sigs.k8s.io/karpenter v1.15.0, `IsRestrictedLabel`.
 */
export function restrictedLabelProblem(key: string): string | undefined {
  const [domain = ""] = key.includes("/") ? key.split("/") : [];
  const isOwn = OWN_DOMAINS.some((own) => domain === own || domain.endsWith(`.${own}`));
  const isRestricted = (isOwn && !KNOWN_LABELS.includes(key)) || key === "kubernetes.io/hostname";
  return isRestricted
    ? `Karpenter sets "${key}" itself: leave it out, or take a label of a domain of yours`
    : undefined;
}
