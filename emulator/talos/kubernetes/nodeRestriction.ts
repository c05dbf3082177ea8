/** Labels that a kubelet may set on its own node, and the endings of domains whose labels it may set. */
const OWN_LABELS = new Set([
  "kubernetes.io/hostname",
  "kubernetes.io/arch",
  "kubernetes.io/os",
  "topology.kubernetes.io/zone",
  "topology.kubernetes.io/region",
  "failure-domain.beta.kubernetes.io/zone",
  "failure-domain.beta.kubernetes.io/region",
  "beta.kubernetes.io/instance-type",
  "beta.kubernetes.io/os",
  "beta.kubernetes.io/arch",
]);
const OWN_DOMAINS = ["kubelet.kubernetes.io", "node.kubernetes.io"];
const KUBERNETES_DOMAINS = ["kubernetes.io", "k8s.io"];

/**
 * Whether NodeRestriction forbids a kubelet to set a label on its own node. It is a rule of the emulator's
 * own: the product's (`checkWorkerLabel`) would share the product's errors.
 *
 * Sources: Kubernetes v1.35.0, `noderestriction/admission.go` (`getForbiddenLabels`), and k8s.io/kubelet
 * v0.35.0, `pkg/apis/well_known_labels.go`.
 */
export function isForbiddenToKubelets(label: string): boolean {
  const slash = label.indexOf("/");
  const domain = slash === -1 ? "" : label.slice(0, slash);
  const isIn = (domains: readonly string[]) =>
    domains.some((each) => domain === each || domain.endsWith(`.${each}`));
  return isIn(KUBERNETES_DOMAINS) && !isIn(OWN_DOMAINS) && !OWN_LABELS.has(label);
}
