/** The names and types of a mapping's fields; `!` after a name says that it is required. */
export interface Fields {
  readonly [name: string]: string | Fields | readonly [Fields | string];
}

const secretReference: Fields = { "name!": "string", "key!": "string", namespace: "string" };
const valueReference: Fields = {
  "type!": "string",
  secret: secretReference,
  env: { "name!": "string" },
  filesystem: { "path!": "string" },
  literal: { "value!": "string" },
};

/**
 * The fields of a `Stack` that the API server keeps, as far as an example could use them: it drops
 * others in silence. Source: the definition of stacks.pulumi.com, version v1, in
 * pulumi-kubernetes-operator v2.9.0.
 */
export const stackFields: Fields = {
  "stack!": "string",
  backend: "string",
  branch: "string",
  commit: "string",
  projectRepo: "string",
  repoDir: "string",
  shallow: "boolean",
  gitAuth: { accessToken: valueReference },
  preview: "boolean",
  refresh: "boolean",
  expectNoRefreshChanges: "boolean",
  continueResyncOnCommitMatch: "boolean",
  destroyOnFinalize: "boolean",
  useLocalStackOnly: "boolean",
  secretsProvider: "string",
  serviceAccountName: "string",
  resyncFrequencySeconds: "number",
  retryMaxBackoffDurationSeconds: "number",
  workspaceReclaimPolicy: "string",
  prerequisites: [{ "name!": "string", requirement: { succeededWithinDuration: "string" } }],
  workspaceTemplate: {
    spec: {
      image: "string",
      imagePullPolicy: "string",
      securityProfile: "string",
      serviceAccountName: "string",
      env: [{ "name!": "string", value: "string" }],
      resources: {
        requests: { cpu: "string", memory: "string" },
        limits: { cpu: "string", memory: "string" },
      },
      podTemplate: {
        spec: {
          terminationGracePeriodSeconds: "number",
          containers: [
            {
              "name!": "string",
              volumeMounts: [{ "name!": "string", "mountPath!": "string", readOnly: "boolean" }],
            },
          ],
          volumes: [
            {
              "name!": "string",
              projected: {
                sources: [
                  {
                    serviceAccountToken: {
                      "path!": "string",
                      audience: "string",
                      expirationSeconds: "number",
                    },
                  },
                ],
              },
            },
          ],
        },
      },
    },
  },
};

/**
 * The fields of `Pulumi.<stack>.deploy.yaml`. Source: `DeploymentSettings` in
 * sdk/go/common/apitype/deployments.go of pulumi v3.230.0.
 */
export const deploymentFields: Fields = {
  "settings!": {
    executorContext: { workingDirectory: "string", executorImage: { "reference!": "string" } },
    sourceContext: {
      git: { repoUrl: "string", "branch!": "string", repoDir: "string", commit: "string" },
    },
    gitHub: {
      repository: "string",
      pullRequestTemplate: "boolean",
      deployCommits: "boolean",
      previewPullRequests: "boolean",
      paths: ["string"],
    },
    operationContext: {
      oidc: {
        aws: {
          "roleArn!": "string",
          "sessionName!": "string",
          duration: "string",
          policyArns: ["string"],
        },
      },
      preRunCommands: ["string"],
      environmentVariables: { PULUMI_PARALLEL: "string" },
    },
  },
};

/** The fields of a value that there are not, that have another type, or that are missing. */
export function wrongFields(value: unknown, fields: Fields, path = ""): string[] {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    return [`${path}: is not a mapping`];
  }
  const types = new Map(
    Object.entries(fields).map(([name, type]) => [name.replace("!", ""), type]),
  );
  const missing = Object.keys(fields)
    .filter((name) => name.endsWith("!") && !Object.hasOwn(value, name.slice(0, -1)))
    .map((name) => `${path}.${name.slice(0, -1)}: is missing`);
  const wrong = Object.entries(value).flatMap(([name, inner]) =>
    wrongValue(inner, types.get(name), `${path}.${name}`),
  );
  return [...missing, ...wrong];
}

function wrongValue(value: unknown, type: Fields[string] | undefined, path: string): string[] {
  if (type === undefined) {
    return [`${path}: there is no such field`];
  }
  if (typeof type === "string") {
    return typeof value === type ? [] : [`${path}: is ${typeof value}, not ${type}`];
  }
  if (!isList(type)) {
    return wrongFields(value, type, path);
  }
  return Array.isArray(value)
    ? value.flatMap((item, index) => wrongValue(item, type[0], `${path}[${index}]`))
    : [`${path}: is not a list`];
}

function isList(type: Fields | readonly [Fields | string]): type is readonly [Fields | string] {
  return Array.isArray(type);
}
