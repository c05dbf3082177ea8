import { messageOfError } from "../../provider/base";
import { problemAt } from "../argumentChecks";
import type { PropertyProblem } from "../problems";
import { checkRanges, rangesOf } from "./checkRanges";

/** An adopted network's ids, all known; see `AdoptedNetworkArgs`. */
export interface AdoptedIds {
  readonly vpcId: string;
  readonly publicSubnetIds?: Readonly<Record<string, string>> | undefined;
  readonly privateSubnetIds?: Readonly<Record<string, string>> | undefined;
}

/** Queries to AWS about an existing network. */
export interface NetworkQueries {
  readonly getVpc: (query: { readonly id: string }) => Promise<{
    readonly cidrBlock: string;
    readonly cidrBlockAssociations: readonly {
      readonly cidrBlock: string;
      readonly state: string;
    }[];
    readonly enableDnsSupport: boolean;
    readonly enableDnsHostnames: boolean;
  }>;
  readonly getSubnet: (query: {
    readonly id: string;
  }) => Promise<{ readonly vpcId: string; readonly availabilityZone: string }>;
}

/**
 * Checks an existing network: it must exist, fit a cluster with these ranges, and have its subnets
 * in the given zones.
 *
 * @throws Error that lists all problems
 */
export async function inspectAdoptedNetwork(
  { vpcId, publicSubnetIds = {}, privateSubnetIds = {} }: AdoptedIds,
  cluster: { readonly podCidrs: readonly string[]; readonly serviceCidrs: readonly string[] },
  { getVpc, getSubnet }: NetworkQueries,
): Promise<void> {
  const subnets = Object.entries({ publicSubnetIds, privateSubnetIds }).flatMap(([tier, ids]) =>
    Object.entries(ids).map(([zone, id]) => ({ property: `${tier}["${zone}"]`, zone, id })),
  );
  const problems = await Promise.all([
    asked(
      "vpcId",
      () => getVpc({ id: vpcId }),
      (vpc) => vpcProblems(vpcId, vpc, cluster),
    ),
    ...subnets.map(({ property, zone, id }) =>
      asked(
        property,
        () => getSubnet({ id }),
        (subnet) => [
          ...problemAt(
            property,
            subnet.vpcId !== vpcId &&
              `the subnet ${id} is in the VPC ${subnet.vpcId}, not in ${vpcId}`,
          ),
          ...problemAt(
            property,
            subnet.availabilityZone !== zone &&
              `the subnet ${id} is in ${subnet.availabilityZone}, not in "${zone}"`,
          ),
        ],
      ),
    ),
  ]);
  const lines = problems.flat().map(({ property, reason }) => `  - ${property}: ${reason}`);
  if (lines.length > 0) {
    throw new Error(`the network ${vpcId} can't be adopted:\n${lines.join("\n")}`);
  }
}

function vpcProblems(
  vpcId: string,
  vpc: Awaited<ReturnType<NetworkQueries["getVpc"]>>,
  cluster: { readonly podCidrs: readonly string[]; readonly serviceCidrs: readonly string[] },
): PropertyProblem[] {
  const more = vpc.cidrBlockAssociations.filter(({ state }) => state === "associated");
  const cidrs = [...new Set([vpc.cidrBlock, ...more.map(({ cidrBlock }) => cidrBlock)])];
  const machines = cidrs.map((text) => ({ property: "vpcId", what: "machines", text }));
  const dns = problemAt(
    "vpcId",
    (!vpc.enableDnsSupport || !vpc.enableDnsHostnames) &&
      `the VPC ${vpcId} gives machines no names: turn on its DNS support and its DNS host names, by which they are known in Kubernetes`,
  );
  return [...checkRanges([...machines, ...rangesOf(cluster)]), ...dns];
}

/** The problem with AWS' answer. No answer is also a problem. */
async function asked<Answer>(
  property: string,
  ask: () => Promise<Answer>,
  judge: (answer: Answer) => PropertyProblem[],
): Promise<PropertyProblem[]> {
  try {
    return judge(await ask());
  } catch (error) {
    const reason = messageOfError(error);
    return [{ property, reason: `AWS doesn't answer: ${reason}` }];
  }
}
