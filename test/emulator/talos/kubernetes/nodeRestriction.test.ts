import { isForbiddenToKubelets } from "../../../../emulator/talos/kubernetes/nodeRestriction";
import { checkWorkerLabel } from "../../../../provider/config/rules/nodeMetadata";

/** What `getForbiddenLabels` of Kubernetes v1.35.0 answers for a kubelet. */
test.each([
  ["example.com/role", false],
  ["role", false],
  ["notkubernetes.io/role", false],
  ["kubernetes.io/hostname", false],
  ["kubernetes.io/role", true],
  ["node-role.kubernetes.io/worker", true],
  ["node.kubernetes.io/anything", false],
  ["a.node.kubernetes.io/anything", false],
  ["kubelet.kubernetes.io/anything", false],
  ["node-restriction.kubernetes.io/a", true],
  ["example.node-restriction.kubernetes.io/a", true],
  ["topology.kubernetes.io/zone", false],
  ["topology.kubernetes.io/rack", true],
  ["failure-domain.beta.kubernetes.io/region", false],
  ["beta.kubernetes.io/instance-type", false],
  ["beta.kubernetes.io/fluentd-ds-ready", true],
  ["k8s.io/a", true],
  ["a.k8s.io/a", true],
  ["kubernetes.io", false],
])("the label %s is forbidden to kubelets: %j", (label, isForbidden) => {
  expect(isForbiddenToKubelets(label)).toBe(isForbidden);
  expect(checkWorkerLabel(label) !== undefined).toBe(isForbidden);
});
