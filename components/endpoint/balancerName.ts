/** AWS' limit for the names of load balancers and target groups. */
const MAX_NAME_LENGTH = 32;
/** The length of Pulumi's suffix: a dash and seven random digits. */
const RANDOM_SUFFIX_LENGTH = 8;

/**
 * What is wrong with the name of a component whose load balancer and target groups are named after it;
 * undefined without a problem.
 *
 * @param longestSuffix the length of the longest text that the component adds to its name
 */
export function balancerNameProblem(name: string, longestSuffix: number): string | undefined {
  const longest = MAX_NAME_LENGTH - RANDOM_SUFFIX_LENGTH - longestSuffix;
  if (name.length > longest) {
    return `"${name}" has ${name.length} characters: at most ${longest} fit, because AWS allows ${MAX_NAME_LENGTH} in the name of a load balancer and its end is taken; choose a shorter name`;
  }
  if (!/^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$/.test(name) || name.startsWith("internal-")) {
    return `"${name}" can't name a load balancer: allowed are letters, digits and dashes between them, not starting with "internal-"`;
  }
  return undefined;
}
