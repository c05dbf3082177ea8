/** The API groups of Karpenter's kinds, and their version. */
export const NODE_POOL_API = "karpenter.sh/v1";
/** The same of the kinds for AWS. */
export const NODE_CLASS_API = "karpenter.k8s.aws/v1";

/** The beginning of the labels that Karpenter gives machines by their instance type. */
export const TYPE_LABELS = "karpenter.k8s.aws/instance-";

/**
 * The taint that a machine registers with. Karpenter takes it away once the node has its labels and taints, so
 * no pod is there before. Source: `pkg/controllers/nodeclaim/lifecycle/registration.go` of
 * sigs.k8s.io/karpenter v1.15.0.
 */
export const UNREGISTERED_TAINT = { "karpenter.sh/unregistered": "NoExecute" };
