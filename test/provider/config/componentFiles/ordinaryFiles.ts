import type { FileCase } from "./refusedFiles";

const policy = { apiVersion: "audit.k8s.io/v1", kind: "Policy" };

/**
 * Ordinary files: what Talos writes by itself, and the examples of Kubernetes' documentation (Scheduler
 * Configuration, Resource Bin Packing, Pod Topology Spread Constraints, Auditing, Admission Control,
 * Resource Quotas, Authorization, Authenticating; v1.35).
 */
export const ordinaryFiles: readonly FileCase[] = [
  {
    name: "scheduler: several profiles",
    kind: "scheduler",
    content: {
      profiles: [
        { schedulerName: "default-scheduler" },
        {
          schedulerName: "no-scoring-scheduler",
          plugins: {
            preScore: { disabled: [{ name: "*" }] },
            score: { disabled: [{ name: "*" }] },
          },
        },
      ],
    },
  },
  {
    name: "scheduler: bin packing",
    kind: "scheduler",
    content: {
      profiles: [
        {
          pluginConfig: [
            {
              name: "NodeResourcesFit",
              args: {
                apiVersion: "kubescheduler.config.k8s.io/v1",
                kind: "NodeResourcesFitArgs",
                ignoredResources: ["example.com/foo"],
                scoringStrategy: {
                  type: "RequestedToCapacityRatio",
                  resources: [
                    { name: "intel.com/foo", weight: 3 },
                    { name: "cpu", weight: 1 },
                  ],
                  requestedToCapacityRatio: {
                    shape: [
                      { utilization: 0, score: 0 },
                      { utilization: 100, score: 10 },
                    ],
                  },
                },
              },
            },
          ],
        },
      ],
    },
  },
  {
    name: "scheduler: spread and affinity",
    kind: "scheduler",
    content: {
      percentageOfNodesToScore: 50,
      parallelism: 8,
      leaderElection: { leaseDuration: "30s" },
      profiles: [
        {
          schedulerName: "default-scheduler",
          plugins: {
            score: { disabled: [{ name: "PodTopologySpread" }] },
            multiPoint: { enabled: [{ name: "ImageLocality", weight: 5 }] },
          },
          pluginConfig: [
            {
              name: "PodTopologySpread",
              args: {
                defaultConstraints: [
                  {
                    maxSkew: 1,
                    topologyKey: "topology.kubernetes.io/zone",
                    whenUnsatisfiable: "ScheduleAnyway",
                  },
                ],
                defaultingType: "List",
              },
            },
            {
              name: "NodeAffinity",
              args: {
                addedAffinity: {
                  requiredDuringSchedulingIgnoredDuringExecution: {
                    nodeSelectorTerms: [
                      { matchExpressions: [{ key: "a", operator: "In", values: ["b"] }] },
                    ],
                  },
                },
              },
            },
            { name: "InterPodAffinity", args: { hardPodAffinityWeight: 50 } },
            { name: "VolumeBinding", args: { bindTimeoutSeconds: 300 } },
          ],
        },
      ],
      extenders: [
        {
          urlPrefix: "http://127.0.0.1:1/a",
          filterVerb: "filter",
          prioritizeVerb: "score",
          weight: 2,
          enableHTTPS: false,
          httpTimeout: "5s",
          nodeCacheCapable: true,
          managedResources: [{ name: "example.com/foo", ignoredByScheduler: true }],
        },
      ],
    },
  },
  {
    name: "audit: Talos' own",
    kind: "audit",
    content: { ...policy, rules: [{ level: "Metadata" }] },
  },
  {
    name: "audit: the example of the documentation",
    kind: "audit",
    content: {
      ...policy,
      omitStages: ["RequestReceived"],
      omitManagedFields: true,
      rules: [
        { level: "RequestResponse", resources: [{ group: "", resources: ["pods"] }] },
        { level: "Metadata", resources: [{ group: "", resources: ["pods/log", "pods/status"] }] },
        {
          level: "None",
          resources: [
            { group: "", resources: ["configmaps"], resourceNames: ["controller-leader"] },
          ],
        },
        {
          level: "None",
          users: ["system:kube-proxy"],
          verbs: ["watch"],
          resources: [{ group: "", resources: ["endpoints", "services"] }],
        },
        {
          level: "None",
          userGroups: ["system:authenticated"],
          nonResourceURLs: ["/api*", "/version"],
        },
        {
          level: "Request",
          namespaces: ["kube-public"],
          resources: [{ group: "", resources: ["configmaps"] }],
        },
        { level: "Metadata", resources: [{ group: "extensions" }], omitStages: ["Panic"] },
      ],
    },
  },
  {
    name: "authorization: a webhook",
    kind: "authorization",
    content: {
      authorizers: [
        { type: "Node", name: "node" },
        { type: "RBAC", name: "rbac" },
        {
          type: "Webhook",
          name: "webhook",
          webhook: {
            authorizedTTL: "30s",
            unauthorizedTTL: "30s",
            timeout: "3s",
            subjectAccessReviewVersion: "v1",
            matchConditionSubjectAccessReviewVersion: "v1",
            failurePolicy: "Deny",
            connectionInfo: { type: "InClusterConfig" },
            matchConditions: [
              { expression: "has(request.resourceAttributes)" },
              { expression: "!('system:serviceaccounts:kube-system' in request.groups)" },
              {
                expression:
                  "has(request.resourceAttributes) && request.resourceAttributes.namespace == 'kube-system'",
              },
            ],
          },
        },
      ],
    },
  },
  {
    name: "authentication: Talos' own",
    kind: "authentication",
    content: {
      anonymous: {
        enabled: true,
        conditions: [{ path: "/livez" }, { path: "/readyz" }],
      },
      jwt: [],
    },
  },
  {
    name: "authentication: an issuer",
    kind: "authentication",
    content: {
      jwt: [
        {
          issuer: {
            url: "https://example.com",
            audiences: ["my-app", "my-other-app"],
            discoveryURL: "https://discovery.example.com/.well-known/openid-configuration",
            audienceMatchPolicy: "MatchAny",
          },
          claimValidationRules: [
            { claim: "hd", requiredValue: "example.com" },
            { expression: "claims.hd == 'example.com'", message: "the hd claim must be set" },
            { expression: "claims.exp - claims.nbf <= 86400", message: "too long" },
          ],
          claimMappings: {
            username: { expression: "claims.username + ':external-user'" },
            groups: { expression: "claims.roles.split(',')" },
            uid: { expression: "claims.sub" },
            extra: [{ key: "example.com/tenant", valueExpression: "claims.tenant" }],
          },
          userValidationRules: [
            { expression: "!user.username.startsWith('system:')", message: "reserved" },
            { expression: "user.groups.all(group, !group.startsWith('system:'))" },
          ],
        },
      ],
    },
  },
  {
    name: "admission: pod security as Talos sets it",
    kind: "admission",
    plugin: "PodSecurity",
    content: {
      apiVersion: "pod-security.admission.config.k8s.io/v1alpha1",
      kind: "PodSecurityConfiguration",
      defaults: {
        enforce: "baseline",
        "enforce-version": "latest",
        audit: "restricted",
        "audit-version": "latest",
        warn: "restricted",
        "warn-version": "v1.30",
      },
      exemptions: { usernames: [], runtimeClasses: [], namespaces: ["kube-public"] },
    },
  },
  {
    name: "admission: limits of events",
    kind: "admission",
    plugin: "EventRateLimit",
    content: {
      apiVersion: "eventratelimit.admission.k8s.io/v1alpha1",
      kind: "Configuration",
      limits: [
        { type: "Namespace", qps: 50, burst: 100, cacheSize: 2000 },
        { type: "User", qps: 10, burst: 50 },
      ],
    },
  },
  {
    name: "admission: limited resources",
    kind: "admission",
    plugin: "ResourceQuota",
    content: {
      apiVersion: "apiserver.config.k8s.io/v1",
      kind: "ResourceQuotaConfiguration",
      limitedResources: [
        {
          resource: "pods",
          matchScopes: [
            { scopeName: "PriorityClass", operator: "In", values: ["cluster-services"] },
          ],
        },
      ],
    },
  },
  {
    name: "admission: node selectors",
    kind: "admission",
    plugin: "PodNodeSelector",
    content: { podNodeSelectorPluginConfig: { clusterDefaultNodeSelector: "a=b" } },
  },
];
