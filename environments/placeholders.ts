import type { TalosClusterArgs } from "../components";
import { overlaps, parseCidr } from "../components/network";
import type { PropertyProblem } from "../components/problems";

/** Domains that nobody can own (RFC 2606 and RFC 6761). */
const RESERVED_DOMAIN = /(^|\.)(example(\.(com|net|org))?|test|invalid|localhost)$/;
/** Ranges for documentation, which nobody uses (RFC 5737). */
const RESERVED_RANGES = ["192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24"].map(parseCidr);

/** Settings that still have their shipped placeholders, which can't work on a real account. */
export function findPlaceholders(cluster: TalosClusterArgs): PropertyProblem[] {
  const problems: PropertyProblem[] = [];
  if (RESERVED_DOMAIN.test(cluster.domain)) {
    const reason = `"${cluster.domain}" is a placeholder that nobody can own: set your own domain`;
    problems.push({ property: "domain", reason });
  }
  for (const property of ["operatorCidrs", "kubernetesApiCidrs"] as const) {
    for (const [index, cidr] of (cluster[property] ?? []).entries()) {
      if (RESERVED_RANGES.some((range) => overlaps(range, parseCidr(cidr)))) {
        const reason = `"${cidr}" is a placeholder for documentation: set the range of your own addresses`;
        problems.push({ property: `${property}[${index}]`, reason });
      }
    }
  }
  return problems;
}
