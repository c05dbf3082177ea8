import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { unreadInFiles } from "../../../../provider/config/rules/componentFileRules";
import { talosSchema } from "../../../../provider/config/schema/talosSchemas";
import { validateDocuments } from "../../../../provider/config/validate";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { ordinaryFiles } from "../componentFiles/ordinaryFiles";
import { fillPlaceholders } from "../placeholders";

/** A control plane machine of Kubernetes v1.35 with a patch. */
function patched(patch: string, release = "v1.12") {
  const file = join(__dirname, "../testdata/generate/v1.12/controlplane.yaml");
  const text = fillPlaceholders(readFileSync(file, "utf8")).replaceAll("v1.34.2", "v1.35.0");
  return applyPatches(decodeDocuments(text), [patch], { schema: talosSchema(release) });
}

function problems(patch: string, release = "v1.12"): string[] {
  const schema = talosSchema(release);
  return validateDocuments(patched(patch, release), { schema }).map(
    ({ document, path, message }) =>
      `${document === "v1alpha1" ? "" : `${document} `}${path}: ${message}`,
  );
}

const scheduler = (config: string) => `cluster: {scheduler: {config: ${config}}}`;
const apiServer = (settings: string) => `cluster: {apiServer: ${settings}}`;

/** A file that the API server reads by a flag, as a user mounts it. */
const flagged = (content: string, more: object = {}) =>
  JSON.stringify({
    machine: {
      files: [
        { path: "/var/lib/people/a.yaml", permissions: 0o644, op: "create", content, ...more },
      ],
    },
    cluster: {
      apiServer: {
        extraArgs: { "authentication-config": "/people/a.yaml" },
        extraVolumes: [{ hostPath: "/var/lib/people", mountPath: "/people", readonly: true }],
      },
    },
  });
const AUTHENTICATION =
  "apiVersion: apiserver.config.k8s.io/v1beta1\nkind: AuthenticationConfiguration\n";

test.each<readonly [name: string, patch: string, release: string, expected: readonly string[]]>([
  [
    "authenticators in a file of the user's",
    flagged(
      `${AUTHENTICATION}jwt: [{issuer: {url: "http://a.example", audiences: [a], client: b}, claimMappings: {username: {claim: sub, prefix: ""}}}]\n`,
    ),
    "v1.12",
    [
      "machine.files[0].content: jwt[0].issuer.client in it is no field that Kubernetes v1.35 knows, and kube-apiserver fails to start with it: leave it out; allowed here: audienceMatchPolicy, audiences, certificateAuthority, discoveryURL, egressSelectorType, url",
      'machine.files[0].content: jwt[0].issuer.url in it "http://a.example" is refused, and kube-apiserver fails to start with it: URL scheme must be https',
    ],
  ],
  [
    "a file of the user's that has another kind, or is no YAML",
    flagged("apiVersion: v1\nkind: ConfigMap\n"),
    "v1.14",
    [
      'machine.files[0].content: apiVersion in it "v1" isn\'t known here: it has to be one of "apiserver.config.k8s.io/v1", "apiserver.config.k8s.io/v1beta1", "apiserver.config.k8s.io/v1alpha1": kube-apiserver fails to start with it',
    ],
  ],
  ["a file of the user's that is fine", flagged(`${AUTHENTICATION}jwt: []\n`), "v1.12", []],
  [
    "values of the scheduler",
    scheduler(
      "{parallelism: many, podMaxBackoffSeconds: 0, leaderElection: {leaseDuration: 15}, profiles: [{schedulerName: a}, {schedulerName: a}]}",
    ),
    "v1.12",
    [
      "cluster.scheduler.config.leaderElection.leaseDuration: has to be a duration with units, like 1h30m or 10s, not 15: Talos can't write the file with it",
      'cluster.scheduler.config.parallelism: has to be a whole number, not "many": Talos can\'t write the file with it',
      'cluster.scheduler.config.profiles[1].schedulerName: "a" is there twice: kube-scheduler fails to start with it',
      "cluster.scheduler.config.podMaxBackoffSeconds: 0 is refused, and kube-scheduler fails to start with it: must be greater than or equal to PodInitialBackoffSeconds",
    ],
  ],
  [
    "plugins of the scheduler",
    scheduler(
      "{profiles: [{plugins: {score: {enabled: [{name: ImageLocalit}, {name: NodeName}]}, filter: {enabled: [{name: DeferredPodScheduling}, {name: SelectorSpread}, {name: EBSLimits}]}, bind: {disabled: [{name: '*'}]}}}]}",
    ),
    "v1.12",
    [
      'cluster.scheduler.config.profiles[0].plugins.filter.enabled[2]: "EBSLimits" is refused, and kube-scheduler fails to start with it: was invalid in version "v1" (KubeSchedulerConfiguration is version "kubescheduler.config.k8s.io/v1")',
      'cluster.scheduler.config.profiles[0].plugins.filter.enabled[0].name: the scheduler of Kubernetes v1.35 has no plugin "DeferredPodScheduling", and kube-scheduler fails to start with it: it exists since v1.37: leave it out',
      'cluster.scheduler.config.profiles[0].plugins.filter.enabled[1].name: the scheduler of Kubernetes v1.35 has no plugin "SelectorSpread", and kube-scheduler fails to start with it: it was removed in v1.29: leave it out, with an "up" of its own before an upgrade',
      'cluster.scheduler.config.profiles[0].plugins.filter.enabled[2].name: the scheduler of Kubernetes v1.35 has no plugin "EBSLimits", and kube-scheduler fails to start with it: it was removed in v1.32: leave it out, with an "up" of its own before an upgrade',
      'cluster.scheduler.config.profiles[0].plugins.score.enabled[0].name: the scheduler of Kubernetes v1.35 has no plugin "ImageLocalit", and kube-scheduler fails to start with it: did you mean "ImageLocality"?',
      'cluster.scheduler.config.profiles[0].plugins.score.enabled[1].name: the plugin "NodeName" can\'t be enabled here, and kube-scheduler fails to start with it: it is one for filter',
      'cluster.scheduler.config.profiles[0].plugins.bind: leaves nothing in the place of "DefaultBinder", and kube-scheduler fails to start with it: enable it, or another plugin of its kind',
    ],
  ],
  [
    "arguments of plugins",
    scheduler(
      "{profiles: [{pluginConfig: [{name: NodeResourcesFit, args: {scoringStrategy: {type: MostAlocated}}}, {name: InterPodAffinity, args: {hardPodAfinityWeight: 1}}, {name: DynamicResources, args: {filterTimeout: soon}}]}]}",
    ),
    "v1.12",
    [
      'cluster.scheduler.config.profiles[0].pluginConfig[1].args.hardPodAfinityWeight: is no field that Kubernetes v1.35 knows, and kube-scheduler fails to start with it: did you mean "hardPodAffinityWeight"?',
      'cluster.scheduler.config.profiles[0].pluginConfig[2].args.filterTimeout: has to be a duration with units, like 1h30m or 10s, not "soon": kube-scheduler fails to start with it',
      'cluster.scheduler.config.profiles[0].pluginConfig[0].args.scoringStrategy.type: "MostAlocated" is not allowed: did you mean "MostAllocated"? It has to be one of "LeastAllocated", "MostAllocated", "RequestedToCapacityRatio": kube-scheduler fails to start with it',
    ],
  ],
  [
    "a field of the scheduler that Talos writes unseen",
    scheduler("{paralelism: 3}"),
    "v1.13",
    [
      'cluster.scheduler.config.paralelism: is no field that Kubernetes v1.35 knows, and kube-scheduler fails to start with it: did you mean "parallelism"?',
    ],
  ],
  [
    "an audit policy",
    apiServer(
      "{auditPolicy: {apiVersion: audit.k8s.io/v1beta1, kind: Policy, omitManagedField: true, rules: [{level: metadata}, {level: Request, nonResourceURLs: [foo]}]}}",
    ),
    "v1.12",
    [
      'cluster.apiServer.auditPolicy.omitManagedField: is no field that Talos v1.12 knows, and Talos can\'t write the file with it: did you mean "omitManagedFields"?',
      'cluster.apiServer.auditPolicy.apiVersion: "audit.k8s.io/v1beta1" isn\'t known here: it has to be "audit.k8s.io/v1": kube-apiserver fails to start with it',
      'cluster.apiServer.auditPolicy.rules[0].level: "metadata" is not allowed: did you mean "Metadata"? It has to be one of "None", "Metadata", "Request", "RequestResponse": kube-apiserver fails to start with it',
      "cluster.apiServer.auditPolicy.rules[1].nonResourceURLs[0]: \"foo\" is refused, and kube-apiserver fails to start with it: non-resource URL rules must begin with a '/' character",
    ],
  ],
  [
    "admission plugins",
    apiServer(
      "{admissionControl: [{name: PodSecurity, configuration: {apiVersion: pod-security.admission.config.k8s.io/v1alpha1, kind: PodSecurityConfiguration, defaults: {enforce: basline, enforc-version: latest}}}, {name: ResourceQuota, configuration: {apiVersion: apiserver.config.k8s.io/v1, kind: ResourceQuota}}]}",
    ),
    "v1.12",
    [
      'cluster.apiServer.admissionControl[0].configuration.defaults.enforc-version: is no field that Kubernetes v1.35 knows, and kube-apiserver fails to start with it: did you mean "enforce-version"?',
      'cluster.apiServer.admissionControl[0].configuration.defaults.enforce: "basline" is refused, and kube-apiserver fails to start with it: must be one of privileged, baseline, restricted',
      'cluster.apiServer.admissionControl[1].configuration.kind: "ResourceQuota" isn\'t known here: it has to be one of "ResourceQuotaConfiguration", "Configuration": kube-apiserver fails to start with it',
    ],
  ],
  [
    "authorizers",
    apiServer(
      "{authorizationConfig: [{type: Webhook, name: Bad_Name, webhook: {timeout: 31s, subjectAccessReviewVersion: v1, failurePolicy: Allow, connectionInfo: {type: KubeConfigFile, kubeConfigFile: relative}, matchConditions: [{expression: 'has(requst.x)'}]}}]}",
    ),
    "v1.12",
    [
      "cluster.apiServer.authorizationConfig[0].name: \"Bad_Name\" is refused, and kube-apiserver fails to start with it: authorizer name is invalid: a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character",
      'cluster.apiServer.authorizationConfig[0].webhook.timeout: "31s" is refused, and kube-apiserver fails to start with it: must be > 0s and <= 30s',
      "cluster.apiServer.authorizationConfig[0].webhook.matchConditionSubjectAccessReviewVersion: is required (required if match conditions are specified): kube-apiserver fails to start with it",
      'cluster.apiServer.authorizationConfig[0].webhook.failurePolicy: "Allow" is not allowed: has to be one of "NoOpinion", "Deny": kube-apiserver fails to start with it',
      'cluster.apiServer.authorizationConfig[0].webhook.connectionInfo.kubeConfigFile: "relative" is refused, and kube-apiserver fails to start with it: must be an absolute path',
      "cluster.apiServer.authorizationConfig[0].webhook.matchConditions[0].expression: \"has(requst.x)\" is refused, and kube-apiserver fails to start with it: compilation failed: undeclared reference to 'requst' (in container '')",
    ],
  ],
  [
    "fields that the variables of an expression don't have",
    apiServer(
      '{authorizationConfig: [{type: Webhook, name: a, webhook: {timeout: 3s, subjectAccessReviewVersion: v1, matchConditionSubjectAccessReviewVersion: v1, failurePolicy: Deny, connectionInfo: {type: KubeConfigFile, kubeConfigFile: /a}, matchConditions: [{expression: \'request.username == "a"\'}, {expression: \'has(request.resourceAttributes) && request.resourceAttributes.namespaces != "a"\'}, {expression: \'request.user.startsWith("a") && request.groups.all(request, request.x != "") && request.extra.a.b == "c"\'}]}}]}',
    ),
    "v1.12",
    [
      `cluster.apiServer.authorizationConfig[0].webhook.matchConditions[0].expression: "request.username == \\"a\\"" is refused, and kube-apiserver fails to start with it: compilation failed: undefined field 'username'`,
      `cluster.apiServer.authorizationConfig[0].webhook.matchConditions[1].expression: "has(request.resourceAttributes) && request.resourceAttributes.namespaces != \\"a\\"" is refused, and kube-apiserver fails to start with it: compilation failed: undefined field 'namespaces'`,
    ],
  ],
  [
    "a document about authentication",
    "apiVersion: v1alpha1\nkind: KubeAuthenticationConfig\nconfiguration: {anonimous: {}, jwt: [{issuer: {url: 'http://a', audiences: [a]}, claimMappings: {username: {claim: sub}}}]}",
    "v1.14",
    [
      'KubeAuthenticationConfig configuration.anonimous: is no field that Kubernetes v1.35 knows, and kube-apiserver fails to start with it: did you mean "anonymous"?',
      'KubeAuthenticationConfig configuration.jwt[0].issuer.url: "http://a" is refused, and kube-apiserver fails to start with it: URL scheme must be https',
      "KubeAuthenticationConfig configuration.jwt[0].claimMappings.username.prefix: is required (prefix is required when claim is set. It can be set to an empty string to disable prefixing): kube-apiserver fails to start with it",
    ],
  ],
])("%s", (_, patch, release, expected) => {
  expect(problems(patch, release)).toEqual(expected);
});

test.each(ordinaryFiles)("$name is accepted", ({ kind, plugin, content }) => {
  const patches = {
    scheduler: { cluster: { scheduler: { config: content } } },
    audit: { cluster: { apiServer: { auditPolicy: content } } },
    authorization: { cluster: { apiServer: { authorizationConfig: content.authorizers ?? [] } } },
    authentication: {
      apiVersion: "v1alpha1",
      kind: "KubeAuthenticationConfig",
      configuration: content,
    },
    admission: {
      cluster: {
        apiServer: {
          admissionControl: [{ name: plugin, configuration: content }],
          extraArgs: { "enable-admission-plugins": plugin },
        },
      },
    },
  };
  const release = kind === "authentication" ? "v1.14" : "v1.12";
  const patch = JSON.stringify(patches[kind]);
  expect(problems(patch, release)).toEqual([]);
  const minor = kind === "authentication" ? 14 : 12;
  expect(unreadInFiles(patched(patch, release), minor)).toEqual([]);
});

test("what nothing reads is a warning", () => {
  const patch = `cluster: {scheduler: {config: {paralelism: 3}}, apiServer: {authorizationConfig: [{type: Webhook, name: a, webhook: {timeouts: 3s}}], admissionControl: [{name: EventRateLimit, configuration: {a: 1}}, {name: NamespaceExists, configuration: {a: 1}}]}}`;
  expect(unreadInFiles(patched(patch), 12)).toEqual([
    "cluster.scheduler.config.paralelism has no effect: Talos v1.12 doesn't know it; leave it out",
    'cluster.apiServer.admissionControl[1].configuration has no effect: the API server doesn\'t run the plugin "EventRateLimit": name it in the flag enable-admission-plugins; leave it out',
    'cluster.apiServer.admissionControl[2].configuration has no effect: the plugin "NamespaceExists" of Kubernetes v1.35 reads no configuration; leave it out',
    "cluster.apiServer.authorizationConfig[0].webhook.timeouts has no effect: Talos v1.12 doesn't know it; leave it out",
  ]);
});

test("a worker has none of the files", () => {
  const file = join(__dirname, "../testdata/generate/v1.12/worker.yaml");
  const documents = decodeDocuments(fillPlaceholders(readFileSync(file, "utf8")));
  const schema = talosSchema("v1.12");
  const both = applyPatches(documents, [scheduler("{parallelism: 0}")], { schema });
  expect(validateDocuments(both, { schema })).toEqual([]);
});
