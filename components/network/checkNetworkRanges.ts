import { problemAt } from "../argumentChecks";
import type { PropertyProblem } from "../problems";
import { checkRanges, rangesOf } from "./checkRanges";
import { type Cidr, cidrProblem, parseCidr } from "./cidr";
import type { NetworkChoices } from "./networkArgs";
import { DEFAULT_NETWORK_CIDR } from "./networkArgs";

/** Ranges of which a network has one only: with one of them, AWS takes no range of another. */
const EXCLUSIVE = ["10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "198.19.0.0/16"].map(parseCidr);

/** A network with a range of the first kind takes no range of the second. */
const KEPT_APART = [
  ["10.0.0.0/15", "10.0.0.0/16"],
  ["172.16.0.0/12", "172.31.0.0/16"],
].map((pair) => pair.map(parseCidr) as [Cidr, Cidr]);

/** All problems of the ranges of a created network, its pods and its services. */
export function checkNetworkRanges({
  cidrBlock = DEFAULT_NETWORK_CIDR,
  workerCidrBlock,
  ...cluster
}: Pick<
  NetworkChoices,
  "cidrBlock" | "workerCidrBlock" | "podCidrs" | "serviceCidrs"
>): PropertyProblem[] {
  const own = [
    { property: "cidrBlock", what: "machines", text: cidrBlock },
    ...(workerCidrBlock === undefined
      ? []
      : [{ property: "workerCidrBlock", what: "workers", text: workerCidrBlock }]),
  ];
  const sizes = own.flatMap(({ property, text }) => problemAt(property, sizeProblem(text)));
  const sound = own.filter(({ property }) => sizes.every((each) => each.property !== property));
  return [
    ...sizes,
    ...(workerCidrBlock === undefined ? [] : checkSecondRange(cidrBlock, workerCidrBlock)),
    ...checkRanges([...sound, ...rangesOf(cluster)]),
  ];
}

function sizeProblem(text: string): string | undefined {
  if (cidrProblem(text) !== undefined) {
    return undefined;
  }
  const { prefixLength } = parseCidr(text);
  if (prefixLength >= 16 && prefixLength <= 24) {
    return undefined;
  }
  return `"${text}" can't be a network of subnets: AWS allows no network larger than /16, and one smaller than /24 has no room for a load balancer in each subnet`;
}

/**
 * Which second range a network can have. Source: Amazon VPC user guide, "VPC CIDR blocks", IPv4 CIDR
 * block association restrictions.
 */
function checkSecondRange(first: string, second: string): PropertyProblem[] {
  if (cidrProblem(first) !== undefined || cidrProblem(second) !== undefined) {
    return [];
  }
  const [own, more] = [parseCidr(first), parseCidr(second)];
  // The check of all ranges reports overlaps.
  const areSeparate = own.last < more.first || more.last < own.first;
  const [, apart] =
    KEPT_APART.find(([one, other]) => areSeparate && isIn(own, one) && isIn(more, other)) ?? [];
  const foreign = EXCLUSIVE.find((range) => isIn(more, range) && !isIn(own, range)) ?? apart;
  if (foreign !== undefined) {
    const reason = `AWS adds no range of "${foreign.text}" to a network of "${first}": take one of "100.64.0.0/10", such as "100.64.0.0/16"`;
    return [{ property: "workerCidrBlock", reason }];
  }
  return [];
}

function isIn(one: Cidr, other: Cidr): boolean {
  return one.first >= other.first && one.last <= other.last;
}
