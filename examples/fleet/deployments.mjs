// Settings of Pulumi Deployments for a fleet, for `pulumi deployment settings push`.

/** Pulumi.<cluster>.deploy.yaml by name. The state of such stacks is in Pulumi Cloud. */
export function deploymentFiles(fleet) {
  return Object.fromEntries(
    fleet.clusters.map((cluster) => [
      `Pulumi.${cluster.name}.deploy.yaml`,
      { settings: deploymentSettings(fleet, cluster) },
    ]),
  );
}

function deploymentSettings({ repository, branch, folder, image }, { name, role }) {
  const [, onGithub] = /^https:\/\/github\.com\/(.+?)(?:\.git)?$/.exec(repository) ?? [];
  return {
    executorContext: { executorImage: { reference: image } },
    sourceContext: {
      git: { ...(onGithub === undefined && { repoUrl: repository }), branch, repoDir: folder },
    },
    // Previews of pull requests, and updates after merges, by Pulumi's GitHub app.
    ...(onGithub !== undefined && {
      gitHub: {
        repository: onGithub,
        deployCommits: true,
        previewPullRequests: true,
        paths: [`${folder}/**`],
      },
    }),
    operationContext: {
      oidc: { aws: { roleArn: role, sessionName: name, duration: "2h0m0s" } },
      environmentVariables: { PULUMI_PARALLEL: "100" },
    },
  };
}
