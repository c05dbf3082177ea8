import { readFileSync } from "node:fs";
import { join } from "node:path";
import { decodeDocuments } from "../../../../provider/config/encode";
import { applyPatches } from "../../../../provider/config/patch";
import { unreadInFiles } from "../../../../provider/config/rules/componentFileRules";
import { talosSchema } from "../../../../provider/config/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { fillPlaceholders } from "../placeholders";

/** A control plane machine with a patch. */
function patched(patch: string, release = "v1.12") {
  const file = join(__dirname, `../testdata/generate/${release}/controlplane.yaml`);
  const documents = decodeDocuments(fillPlaceholders(readFileSync(file, "utf8")));
  return applyPatches(documents, [patch], { schema: talosSchema(release) });
}

function problems(patch: string, release = "v1.12"): string[] {
  const schema = talosSchema(release);
  return validateDocuments(patched(patch, release), { schema }).map(
    ({ document, path, message }) =>
      `${document === "v1alpha1" ? "" : `${document} `}${path}: ${message}`,
  );
}

test("print", () => {
  console.log(
    JSON.stringify(
      [
        problems(
          'cluster: {scheduler: {image: "registry.k8s.io/kube-scheduler:v1.35.0", config: {parallelism: many, podMaxBackoffSeconds: 0, leaderElection: {leaseDuration: 15}, profiles: [{schedulerName: a, plugins: {score: {enabled: [{name: ImageLocalit}, {name: NodeName}]}, filter: {enabled: [{name: GangScheduling}, {name: DeferredPodScheduling}, {name: SelectorSpread}]}}, pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAlocated}}}, {name: InterPodAffinity, args: {hardPodAfinityWeight: 1}}]}, {schedulerName: a}]}}}',
        ),
        problems('cluster: {scheduler: {config: {paralelism: 3}}}', "v1.14"),
        problems(
          'cluster: {apiServer: {image: "registry.k8s.io/kube-apiserver:v1.35.0", auditPolicy: {apiVersion: audit.k8s.io/v1beta1, kind: Policy, omitManagedField: true, rules: [{level: metadata}, {level: Request, nonResourceURLs: [foo]}]}}}',
        ),
        problems(
          'cluster: {apiServer: {image: "registry.k8s.io/kube-apiserver:v1.35.0", admissionControl: [{name: PodSecurity, configuration: {apiVersion: pod-security.admission.config.k8s.io/v1alpha1, kind: PodSecurityConfiguration, defaults: {enforce: basline, enforc-version: latest}}}, {name: ResourceQuota, configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: ResourceQuota, limitedResources: [{}]}}]}}',
        ),
        problems(
          'cluster: {apiServer: {image: "registry.k8s.io/kube-apiserver:v1.35.0", authorizationConfig: [{type: Webhook, name: Bad_Name, webhook: {timeout: 31s, subjectAccessReviewVersion: v1, failurePolicy: Allow, connectionInfo: {type: KubeConfigFile, kubeConfigFile: relative}, matchConditions: [{expression: "has(requst.x) &&"}]}}]}}',
        ),
        unreadInFiles(
          patched(
            'cluster: {scheduler: {config: {paralelism: 3}}, apiServer: {authorizationConfig: [{type: Webhook, name: a, webhook: {timeouts: 3s}}], admissionControl: [{name: EventRateLimit, configuration: {a: 1}}, {name: NamespaceExists, configuration: {a: 1}}]}}',
          ),
          12,
        ),
      ],
      undefined,
      1,
    ),
  );
});
