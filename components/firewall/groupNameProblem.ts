/** EC2's limit for a group's name, minus the suffix with which Pulumi makes it unique. */
const MAX_GROUP_NAME = 255 - 8;

/**
 * What is wrong with a resource's name for a security group that Pulumi names after it; undefined
 * without a problem. Source: API reference of EC2, `CreateSecurityGroup`.
 */
export function groupNameProblem(name: string): string | undefined {
  if (name.startsWith("sg-")) {
    return `"${name}" can't name a security group: AWS keeps "sg-" for their ids; take a name that starts otherwise`;
  }
  if (name.length > MAX_GROUP_NAME) {
    return `the security group "${name}" has a name of ${name.length} characters, and EC2 has room for ${MAX_GROUP_NAME}: take a shorter name`;
  }
  return /^[\w .:/()#,@[\]+=&;{}!$*-]+$/.test(name)
    ? undefined
    : `"${name}" can't name a security group: EC2 allows letters, digits, spaces and ._-:/()#,@[]+=&;{}!$*`;
}
