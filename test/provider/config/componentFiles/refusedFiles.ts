import type { ComponentFile } from "../../../../provider/config/componentFiles/componentFiles";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import { ordinaryFiles } from "./ordinaryFiles";

/** A configuration file that a component refuses, or starts with. */
export interface FileCase extends Pick<ComponentFile, "kind" | "plugin"> {
  readonly name: string;
  readonly content: ConfigDocument;
}

const scheduler = (name: string, content: ConfigDocument): FileCase => ({
  ...({ kind: "scheduler" } as const),
  name: `scheduler: ${name}`,
  content,
});

const profile = (content: ConfigDocument): ConfigDocument => ({ profiles: [content] });

const args = (plugin: string, content: ConfigDocument): FileCase =>
  scheduler(`args of ${plugin} ${JSON.stringify(content)}`, {
    ...profile({ pluginConfig: [{ name: plugin, args: content }] }),
  });

const plugins = (name: string, content: ConfigDocument): FileCase =>
  scheduler(name, profile({ plugins: content }));

const SCHEDULER: readonly FileCase[] = [
  scheduler("numbers", {
    parallelism: 0,
    percentageOfNodesToScore: 101,
    podInitialBackoffSeconds: 20,
    podMaxBackoffSeconds: 10,
    clientConnection: { burst: -1 },
  }),
  scheduler("longest back-off without a value", { podInitialBackoffSeconds: 11 }),
  scheduler("leader election", {
    leaderElection: { leaseDuration: "5s", renewDeadline: "10s", resourceLock: "endpoints" },
  }),
  scheduler("negative times", { leaderElection: { renewDeadline: "-1s", retryPeriod: "-2s" } }),
  scheduler("profiles", {
    profiles: [
      { schedulerName: "a", percentageOfNodesToScore: -1 },
      { schedulerName: "a" },
      { percentageOfNodesToScore: 1 },
    ],
  }),
  scheduler("plugins twice", {
    ...profile({
      pluginConfig: [
        { name: "InterPodAffinity", args: { hardPodAffinityWeight: 101 } },
        { name: "InterPodAffinity", args: {} },
      ],
    }),
  }),
  scheduler("other queue sort", {
    profiles: [
      { schedulerName: "a" },
      { schedulerName: "b", plugins: { queueSort: { enabled: [{ name: "Other" }] } } },
    ],
  }),
  scheduler("extenders", {
    extenders: [
      { urlPrefix: "http://a", prioritizeVerb: "p", bindVerb: "b" },
      {
        urlPrefix: "http://b",
        bindVerb: "b",
        managedResources: [
          ...["cpu", "a b/c", "kubernetes.io/x", "example.com/x", "example.com/x"].map((name) => ({
            name,
          })),
        ],
      },
    ],
  }),
  scheduler("unknown fields", {
    paralelism: 3,
    profiles: [
      {
        schedulername: "a",
        pluginConfig: [
          { name: "InterPodAffinity", args: { hardPodAffinityWeigh: 1, b: 2 } },
          { name: "Unknown", args: { anything: 1 } },
        ],
      },
    ],
  }),
  args("InterPodAffinity", { hardPodAffinityWeight: "many" }),
  args("NodeResourcesFit", { scoringStrategy: { type: "Bogus" } }),
  args("NodeResourcesFit", { scoringStrategy: {} }),
  args("NodeResourcesFit", {
    ignoredResources: ["a b"],
    ignoredResourceGroups: ["example.com/a"],
    scoringStrategy: { type: "LeastAllocated", resources: [{ name: "cpu", weight: 101 }] },
  }),
  args("NodeResourcesFit", {
    scoringStrategy: {
      type: "RequestedToCapacityRatio",
      requestedToCapacityRatio: {
        shape: [
          { utilization: 0, score: 11 },
          { utilization: 0, score: 10 },
          { utilization: 101, score: -1 },
        ],
      },
    },
  }),
  args("NodeResourcesFit", {
    scoringStrategy: { type: "RequestedToCapacityRatio", requestedToCapacityRatio: {} },
  }),
  args("NodeResourcesFit", {
    scoringStrategy: {
      type: "LeastAllocated",
      requestedToCapacityRatio: { shape: [{ utilization: 0, score: 1 }] },
    },
  }),
  args("NodeResourcesFit", { scoringStrategy: { type: "RequestedToCapacityRatio" } }),
  args("NodeResourcesBalancedAllocation", {
    resources: [
      { name: "cpu", weight: 2 },
      { name: "cpu", weight: 1 },
    ],
  }),
  args("PodTopologySpread", { defaultingType: "Bogus" }),
  args("PodTopologySpread", {
    defaultConstraints: [{ maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway" }],
  }),
  args("PodTopologySpread", {
    defaultingType: "List",
    defaultConstraints: [
      { topologyKey: "" },
      { maxSkew: 1, topologyKey: "a b", whenUnsatisfiable: "Never", labelSelector: {} },
      { maxSkew: 1, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway" },
      { maxSkew: 2, topologyKey: "a", whenUnsatisfiable: "ScheduleAnyway" },
    ],
  }),
  args("VolumeBinding", { bindTimeoutSeconds: -1 }),
  args("DefaultPreemption", { minCandidateNodesPercentage: 101, minCandidateNodesAbsolute: -1 }),
  args("DefaultPreemption", { minCandidateNodesPercentage: 0, minCandidateNodesAbsolute: 0 }),
  plugins("unknown plugin", { score: { enabled: [{ name: "ImageLocalit" }] } }),
  plugins("unknown plugin at all points", { multiPoint: { enabled: [{ name: "Coscheduling" }] } }),
  plugins("plugin at another point", { filter: { enabled: [{ name: "ImageLocality" }] } }),
  plugins("plugin twice", {
    score: { enabled: [{ name: "ImageLocality" }, { name: "ImageLocality" }] },
  }),
  plugins("removed plugin", { filter: { enabled: [{ name: "EBSLimits" }] } }),
  plugins("no queue sort", { queueSort: { disabled: [{ name: "*" }] } }),
  plugins("no binder", { bind: { disabled: [{ name: "DefaultBinder" }] } }),
  plugins("nothing at all", { multiPoint: { disabled: [{ name: "*" }] } }),
  plugins("only what has to be", {
    multiPoint: { disabled: [{ name: "*" }] },
    queueSort: { enabled: [{ name: "PrioritySort" }] },
    bind: { enabled: [{ name: "DefaultBinder" }] },
  }),
];

const audit = (name: string, content: ConfigDocument): FileCase => ({
  ...({ kind: "audit" } as const),
  name: `audit: ${name}`,
  content,
});

const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy" };

const AUDIT: readonly FileCase[] = [
  audit("values", {
    ...policy,
    omitStages: ["Bogus"],
    rules: [
      { level: "metadata" },
      { level: "Request", nonResourceURLs: ["foo", "/a*b", "*"], namespaces: ["x"] },
      {},
      { level: "None", omitStages: ["panic"] },
      { level: "None", resources: [{ group: "rbac/v1", resourceNames: ["a"] }] },
    ],
  }),
  audit("no rules", { ...policy, rules: [] }),
  audit("no kind", { rules: [{ level: "None" }] }),
  audit("another version", {
    ...policy,
    apiVersion: "audit.k8s.io/v1beta1",
    rules: [{ level: "None" }],
  }),
];

const authorization = (name: string, authorizers: ConfigDocument[]): FileCase => ({
  ...({ kind: "authorization" } as const),
  name: `authorization: ${name}`,
  content: { authorizers },
});

const own = [
  { type: "Node", name: "node" },
  { type: "RBAC", name: "rbac" },
];

const webhook = {
  timeout: "3s",
  subjectAccessReviewVersion: "v1",
  failurePolicy: "Deny",
  connectionInfo: { type: "InClusterConfig" },
};

const hook = (name: string, change: ConfigDocument): FileCase =>
  authorization(name, [
    ...own,
    { type: "Webhook", name: "hook", webhook: { ...webhook, ...change } },
  ]);

const AUTHORIZATION: readonly FileCase[] = [
  authorization("names and types", [
    { type: "Node", name: "node" },
    { type: "RBAC", name: "node" },
    { type: "Node", name: "other" },
    { type: "Foo", name: "foo" },
    { name: "none" },
    { type: "Webhook", name: "BAD_NAME", webhook },
    { type: "Webhook", name: "hook" },
    { type: "AlwaysAllow", webhook },
  ]),
  hook("words", {
    timeout: "31s",
    authorizedTTL: "-1s",
    subjectAccessReviewVersion: "v2",
    failurePolicy: "Allow",
    matchConditionSubjectAccessReviewVersion: "v1beta1",
  }),
  hook("nothing", { timeout: "0s", subjectAccessReviewVersion: "", failurePolicy: "" }),
  hook("file of an in-cluster webhook", {
    connectionInfo: { type: "InClusterConfig", kubeConfigFile: "/x" },
  }),
  hook("relative file", { connectionInfo: { type: "KubeConfigFile", kubeConfigFile: "x" } }),
  hook("no file", { connectionInfo: { type: "KubeConfigFile" } }),
  hook("conditions", {
    matchConditions: [
      { expression: " " },
      { expression: "has(request.resourceAttributes)" },
      { expression: "has(request.resourceAttributes)" },
    ],
  }),
];

const authentication = (name: string, content: ConfigDocument): FileCase => ({
  ...({ kind: "authentication" } as const),
  name: `authentication: ${name}`,
  content,
});

const issuer = { url: "https://issuer.example", audiences: ["a"] };
const claimMappings = { username: { claim: "sub", prefix: "" } };

const jwt = (name: string, ...all: ConfigDocument[]): FileCase =>
  authentication(name, { jwt: all });

const AUTHENTICATION: readonly FileCase[] = [
  authentication("anonymous", { anonymous: { enabled: false, conditions: [{ path: "/livez" }] } }),
  authentication("unknown field", { anonimous: { enabled: false } }),
  jwt("URLs", {
    issuer: { url: "http://u:p@x?q#f", discoveryURL: "http://u:p@x?q#f", audiences: [] },
    claimMappings,
  }),
  jwt("no issuer", { claimMappings }),
  jwt("issuer twice", { issuer, claimMappings }, { issuer, claimMappings }),
  jwt(
    "audiences",
    { issuer: { ...issuer, audiences: ["a", "a", ""] }, claimMappings },
    {
      issuer: { url: "https://b.example", audiences: ["a"], audienceMatchPolicy: "Any" },
      claimMappings,
    },
  ),
  jwt("egress and authority", {
    issuer: { ...issuer, egressSelectorType: "foo", certificateAuthority: "junk" },
    claimMappings,
  }),
  jwt("mappings", {
    issuer,
    claimMappings: {
      username: { claim: "sub" },
      groups: { claim: "g", expression: "claims.g" },
      uid: { claim: "a", expression: "claims.b" },
      extra: [
        { key: "Foo", valueExpression: "" },
        { key: "k8s.io/x", valueExpression: "claims.a" },
        { key: "k8s.io/x", valueExpression: "claims.a" },
        { key: "" },
      ],
    },
  }),
  jwt("no user name", { issuer, claimMappings: { username: {} } }),
  jwt("prefix of an expression", {
    issuer,
    claimMappings: { username: { expression: "claims.email", prefix: "a" } },
  }),
  jwt("rules", {
    issuer,
    claimMappings,
    claimValidationRules: [
      { claim: "a", expression: "true" },
      {},
      { claim: "c", message: "m" },
      { claim: "c" },
      { expression: "true", requiredValue: "x" },
      { expression: "true" },
    ],
    userValidationRules: [{ expression: "" }, { expression: "true" }, { expression: "true" }],
  }),
];

const admission = (plugin: string, name: string, content: ConfigDocument): FileCase => ({
  ...({ kind: "admission" } as const),
  name: `admission: ${plugin}, ${name}`,
  plugin,
  content,
});

const security = {
  apiVersion: "pod-security.admission.config.k8s.io/v1",
  kind: "PodSecurityConfiguration",
};
const limits = { apiVersion: "eventratelimit.admission.k8s.io/v1alpha1", kind: "Configuration" };
const quota = { apiVersion: "apiserver.config.k8s.io/v1", kind: "ResourceQuotaConfiguration" };
const hooks = { apiVersion: "apiserver.config.k8s.io/v1", kind: "WebhookAdmissionConfiguration" };

const ADMISSION: readonly FileCase[] = [
  admission("PodSecurity", "defaults", {
    ...security,
    defaults: { enforce: "basline", "enforce-version": "v2" },
    exemptions: { namespaces: ["Kube"] },
  }),
  admission("PodSecurity", "exemptions", {
    ...security,
    exemptions: {
      namespaces: ["Kube", "a", "a"],
      usernames: ["", "b", "b"],
      runtimeClasses: ["A", "c", "c"],
    },
  }),
  admission("PodSecurity", "unknown field", { ...security, default: {} }),
  admission("PodSecurity", "another version", {
    ...security,
    apiVersion: "pod-security.admission.config.k8s.io/v2",
  }),
  admission("PodSecurity", "no kind", { defaults: {} }),
  admission("PodSecurity", "a value of another type", { ...security, defaults: { enforce: 1 } }),
  admission("EventRateLimit", "limits", {
    ...limits,
    unknown: 1,
    limits: [
      { type: "User", qps: 0 },
      { type: "User", qps: 1, burst: 1, cacheSize: -1 },
    ],
  }),
  admission("EventRateLimit", "an unknown field alone", {
    ...limits,
    unknown: 1,
    limits: [{ type: "Server", qps: 1, burst: 1 }],
  }),
  admission("ResourceQuota", "no resource", {
    ...quota,
    limitedResources: [{ matchContains: [] }],
  }),
  admission("ResourceQuota", "unknown field", { ...quota, limits: [] }),
  admission("ValidatingAdmissionWebhook", "relative file", { ...hooks, kubeConfigFile: "x" }),
  admission("MutatingAdmissionWebhook", "unknown field", { ...hooks, kubeconfig: "/x" }),
  admission("ImagePolicyWebhook", "times", { imagePolicy: { allowTTL: 5000 } }),
  admission("PodNodeSelector", "numbers", { podNodeSelectorPluginConfig: { a: 1 } }),
];

/** Files that a component refuses, some that it starts with in spite of what is wrong, and ordinary ones. */
export const fileCases: readonly FileCase[] = [
  ...SCHEDULER,
  ...AUDIT,
  ...AUTHORIZATION,
  ...AUTHENTICATION,
  ...ADMISSION,
  ...ordinaryFiles,
];
