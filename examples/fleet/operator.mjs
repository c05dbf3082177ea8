// The resources of the Pulumi Kubernetes Operator (v2) for a fleet.

/** Where a workspace's pod has the token that AWS takes for its role. */
const TOKEN_FOLDER = "/var/run/secrets/sts.amazonaws.com";

/**
 * A pod that is deleted, for example by a drain of its node, has this time for its update, which may
 * wait for machines one after another. The operator's default is ten minutes.
 */
const LONGEST_UPDATE_SECONDS = 7_200;

/** Namespace, identities and one Stack for each cluster. */
export function fleetObjects(fleet) {
  const { namespace, clusters } = fleet;
  return [
    { apiVersion: "v1", kind: "Namespace", metadata: { name: namespace } },
    ...clusters.flatMap((cluster) => [
      { apiVersion: "v1", kind: "ServiceAccount", metadata: { name: cluster.name, namespace } },
      stack(fleet, cluster),
    ]),
    // The operator asks the API server who calls a workspace.
    {
      apiVersion: "rbac.authorization.k8s.io/v1",
      kind: "ClusterRoleBinding",
      metadata: { name: `${namespace}-auth-delegator` },
      roleRef: {
        apiGroup: "rbac.authorization.k8s.io",
        kind: "ClusterRole",
        name: "system:auth-delegator",
      },
      subjects: clusters.map(({ name }) => ({ kind: "ServiceAccount", name, namespace })),
    },
  ];
}

/** One Stack for each cluster that only previews a branch, and waits for no other. Delete them afterwards. */
export function previewObjects(fleet, branch) {
  return fleet.clusters.map((cluster) => {
    const { metadata, spec, ...kind } = stack({ ...fleet, branch }, { ...cluster, after: [] });
    const name = `${metadata.name}-preview`;
    return { ...kind, metadata: { ...metadata, name }, spec: { ...spec, preview: true } };
  });
}

function stack(fleet, { name, role, after }) {
  return {
    apiVersion: "pulumi.com/v1",
    kind: "Stack",
    metadata: { name, namespace: fleet.namespace },
    spec: {
      stack: name,
      backend: fleet.backend,
      // A person creates a stack, with its key: see the README.
      useLocalStackOnly: true,
      projectRepo: fleet.repository,
      branch: fleet.branch,
      repoDir: fleet.folder,
      shallow: true,
      ...(fleet.gitSecret && {
        gitAuth: {
          accessToken: { type: "Secret", secret: { name: fleet.gitSecret, key: "token" } },
        },
      }),
      // Who deletes a Stack does not mean to delete a cluster.
      destroyOnFinalize: false,
      resyncFrequencySeconds: 300,
      // A failed update is tried again after at most an hour; a lock that a killed one left stays.
      retryMaxBackoffDurationSeconds: 3_600,
      ...(after.length > 0 && { prerequisites: after.map((other) => ({ name: other })) }),
      serviceAccountName: name,
      workspaceTemplate: { spec: workspace(fleet, role) },
    },
  };
}

/** A pod for each stack, with the credentials of its role alone. */
function workspace({ image }, role) {
  const token = { audience: "sts.amazonaws.com", expirationSeconds: 86_400, path: "token" };
  return {
    image,
    securityProfile: "restricted",
    env: [
      { name: "AWS_ROLE_ARN", value: role },
      { name: "AWS_WEB_IDENTITY_TOKEN_FILE", value: `${TOKEN_FOLDER}/token` },
      // Nearly all operations wait for AWS or for machines.
      { name: "PULUMI_PARALLEL", value: "100" },
    ],
    resources: { requests: { cpu: "500m", memory: "1Gi" }, limits: { memory: "2Gi" } },
    podTemplate: {
      spec: {
        terminationGracePeriodSeconds: LONGEST_UPDATE_SECONDS,
        containers: [
          {
            name: "pulumi",
            volumeMounts: [{ name: "aws-token", mountPath: TOKEN_FOLDER, readOnly: true }],
          },
        ],
        volumes: [{ name: "aws-token", projected: { sources: [{ serviceAccountToken: token }] } }],
      },
    },
  };
}
