/** IAM's limit for a role's name, minus the suffix with which Pulumi makes it unique. */
const MAX_ROLE_NAME = 64 - 8;

/**
 * What is wrong with a resource's name for a role that Pulumi names after it; undefined when nothing is.
 * Source: IAM and AWS STS quotas; API reference of IAM, `CreateRole`.
 */
export function roleNameProblem(name: string): string | undefined {
  if (name.length > MAX_ROLE_NAME) {
    return `the role "${name}" has a name of ${name.length} characters, and IAM has room for ${MAX_ROLE_NAME}: take a shorter name`;
  }
  return /^[\w+=,.@-]+$/.test(name)
    ? undefined
    : `"${name}" can't name a role: IAM allows letters, digits and _+=,.@-`;
}
