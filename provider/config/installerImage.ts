import { ConfigError } from "./configError";

/**
 * The Image Factory schematic that Talos' own AMIs are built from: no customisation but the
 * extension `ecr-credential-provider`, with which kubelet pulls from ECR by the instance's role.
 * Another default would drop that extension at the first upgrade.
 */
export const awsSchematicId = "10e276a06c1f86b182757a962258ac00655d3425e5957f617bdc82f06894e39b";

/**
 * The image that installs and upgrades a Talos machine on AWS, from the public Image Factory:
 * `factory.talos.dev/aws-installer/<schematic>:<version>`. Depends on nothing but its arguments: in
 * particular not on the version of this package.
 *
 * @param options.talosVersion the release, `v1.12.1`
 * @param options.schematicId 64 hex digits that the factory gave. Default: `awsSchematicId`
 * @throws ConfigError when either has another form
 */
export function installerImage(options: {
  readonly talosVersion: string;
  readonly schematicId?: string | undefined;
}): string {
  const { talosVersion, schematicId = awsSchematicId } = options;
  const problems = [];
  if (!isTalosVersion(talosVersion)) {
    problems.push({
      document: "",
      path: "talosVersion",
      message: `"${talosVersion}" is not a Talos release: write it like "v1.12.1"`,
    });
  }
  if (!isSchematicId(schematicId)) {
    problems.push({
      document: "",
      path: "schematicId",
      message: `"${schematicId}" is not the id of an Image Factory schematic: write the 64 hex digits that https://factory.talos.dev shows for it`,
    });
  }
  if (problems.length > 0) {
    throw new ConfigError(problems);
  }
  return `factory.talos.dev/aws-installer/${schematicId}:${talosVersion}`;
}

/** Whether a text names a Talos release exactly: `v1.12.1`, `v1.13.0-beta.1`. */
export function isTalosVersion(text: string): boolean {
  return /^v\d+\.\d+\.\d+(?:-[0-9A-Za-z.-]+)?$/.test(text);
}

/** Whether a text has the form of an Image Factory schematic's id: 64 lower-case hex digits. */
export function isSchematicId(text: string): boolean {
  return /^[0-9a-f]{64}$/.test(text);
}
