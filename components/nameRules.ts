/** The length of Pulumi's suffix: a dash and seven random digits. */
const RANDOM_SUFFIX_LENGTH = 8;

/**
 * What is wrong with the name of a bucket; undefined when nothing is.
 *
 * Source: Amazon S3 user guide, "General purpose bucket naming rules".
 */
export function bucketNameProblem(name: string): string | undefined {
  const isWord = /^[a-z0-9][a-z0-9-]{1,61}[a-z0-9]$/.test(name);
  const isReserved =
    /^(xn--|sthree-|amzn-s3-demo-)/.test(name) ||
    /(-s3alias|--ol-s3|--x-s3|--table-s3)$/.test(name);
  return isWord && !isReserved
    ? undefined
    : `"${name}" is no name for a bucket: 3 to 63 lower-case letters, digits and "-", no "-" at its ends, no dot (no certificate is for names with dots), and none of the beginnings and ends that AWS keeps`;
}

/** IAM's limit for a role's name, minus the suffix with which Pulumi makes it unique. */
const MAX_ROLE_NAME = 64 - RANDOM_SUFFIX_LENGTH;

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

/** EC2's limit for a group's name, minus the suffix with which Pulumi makes it unique. */
const MAX_GROUP_NAME = 255 - RANDOM_SUFFIX_LENGTH;

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

/** AWS' limit for the names of load balancers and target groups. */
const MAX_BALANCER_NAME = 32;

/**
 * What is wrong with the name of a component whose load balancer and target groups are named after it;
 * undefined without a problem.
 *
 * @param longestSuffix the length of the longest text that the component adds to its name
 */
export function balancerNameProblem(name: string, longestSuffix: number): string | undefined {
  const longest = MAX_BALANCER_NAME - RANDOM_SUFFIX_LENGTH - longestSuffix;
  if (name.length > longest) {
    return `"${name}" has ${name.length} characters: at most ${longest} fit, because AWS allows ${MAX_BALANCER_NAME} in the name of a load balancer and its end is taken; choose a shorter name`;
  }
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(name) || name.startsWith("internal-")) {
    return `"${name}" can't name a load balancer: allowed are letters, digits and dashes between them, not starting with "internal-"`;
  }
  return undefined;
}
