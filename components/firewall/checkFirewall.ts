import { checkWord, problemAt } from "../argumentChecks";
import { cidrProblem, ipv6CidrProblem, isIpv6, parseCidr } from "../network/cidr";
import { type PropertyProblem, within } from "../problems";
import {
  API_EXPOSURES,
  type ExtraFirewallRule,
  FIREWALL_GROUPS,
  MONITORING_TARGETS,
} from "./firewallArgs";
import {
  type FirewallChoices,
  type FirewallRule,
  GUARDED_PORTS,
  planFirewallRules,
} from "./planFirewallRules";
import { CLUSTER_CNIS } from "./podNetworkPorts";

/** A range with a shorter prefix counts as the world, however it is split. */
const WORLD_PREFIX_LENGTH = 8;
/** The same of IPv6; providers get /32 and larger ones up to /19. */
const WORLD_IPV6_PREFIX_LENGTH = 19;
const LAST_PORT = 65535;
/** The characters that EC2 allows in a rule's description. */
const DESCRIPTION = /^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/;
const RULE_NAME = /^[a-zA-Z0-9][a-zA-Z0-9-]{0,62}$/;
const NO_RULE_NAME = "it can't be a name: take up to 63 letters, digits and dashes";

/**
 * All problems of a firewall's choices.
 *
 * @param rules of them, where they are planned already
 */
export function checkFirewall(
  choices: FirewallChoices,
  rules: readonly FirewallRule[] = planFirewallRules(choices),
): PropertyProblem[] {
  const problems = [
    ...checkOperators(choices),
    ...checkClients(choices),
    ...checkWords(choices),
    ...checkKubeSpan(choices),
    ...checkExtraRules(choices.extraRules ?? {}),
  ];
  return problems.length > 0 ? problems : checkRepeated(rules);
}

function checkOperators(choices: FirewallChoices): PropertyProblem[] {
  const { operatorCidrs, ipv6 = false } = choices;
  if (operatorCidrs.length === 0) {
    const reason = `no range is given: name those from which "pulumi up" and talosctl reach the machines, for example ["203.0.113.7/32"]`;
    return [{ property: "operatorCidrs", reason }];
  }
  if (choices.talosApiThroughLoadBalancer !== true && operatorCidrs.every(isIpv6)) {
    const reason = `it has only IPv6 ranges, and "pulumi up" reaches machines at their IPv4 addresses: name an IPv4 range too`;
    return [{ property: "operatorCidrs", reason }];
  }
  return checkCidrs(
    "operatorCidrs",
    operatorCidrs,
    "a machine that waits for its first configuration accepts one from every caller; name only the ranges of your operators",
    ipv6,
  );
}

function checkClients({
  kubernetesApiCidrs = [],
  allowWorldToKubernetesApi = false,
  ipv6 = false,
}: FirewallChoices): PropertyProblem[] {
  return [
    ...checkCidrs(
      "kubernetesApiCidrs",
      kubernetesApiCidrs,
      "name the ranges that clients come from, or leave this out and set allowWorldToKubernetesApi",
      ipv6,
    ),
    ...(allowWorldToKubernetesApi && kubernetesApiCidrs.length > 0
      ? [pointlessRanges("kubernetesApiCidrs", "allowWorldToKubernetesApi")]
      : []),
  ];
}

function checkWords(choices: FirewallChoices): PropertyProblem[] {
  const { exposure = "public", cni = "flannel", monitoring = [] } = choices;
  const problems = [
    ...checkWord("exposure", exposure, API_EXPOSURES),
    ...checkWord("cni", cni, CLUSTER_CNIS),
    ...monitoring.flatMap((target, index) =>
      monitoring.indexOf(target) < index
        ? [{ property: `monitoring[${index}]`, reason: `"${target}" is named twice` }]
        : checkWord(`monitoring[${index}]`, target, MONITORING_TARGETS),
    ),
    ...checkMonitoringFrom(choices),
  ];
  if (choices.talosApiThroughLoadBalancer === true && exposure === "direct") {
    const reason = `there is no load balancer to go through with exposure "direct": leave out one of the two`;
    problems.push({ property: "talosApiThroughLoadBalancer", reason });
  }
  return problems;
}

function checkMonitoringFrom({
  monitoring = [],
  monitoringFrom = {},
}: FirewallChoices): PropertyProblem[] {
  return Object.entries(monitoringFrom).flatMap(([name, peer]) => {
    const property = `monitoringFrom["${name}"]`;
    const ranges = "cidr" in peer ? [peer.cidr] : [];
    return [
      ...problemAt(property, !RULE_NAME.test(name) && NO_RULE_NAME),
      ...problemAt(
        property,
        Object.keys(peer).length !== 1 && "it must be one of securityGroupId and cidr",
      ),
      ...problemAt(
        property,
        monitoring.length === 0 &&
          "it has no effect without sources of metrics: name some in monitoring, or leave it out",
      ),
      ...checkCidrs("cidr", ranges, "name the range of your monitoring").map(({ reason }) => ({
        property,
        reason,
      })),
    ];
  });
}

function checkKubeSpan(choices: FirewallChoices): PropertyProblem[] {
  const { kubeSpan = false, kubeSpanCidrs = [], allowWorldToKubeSpan = false } = choices;
  const problems = checkCidrs(
    "kubeSpanCidrs",
    kubeSpanCidrs,
    "name the ranges that machines elsewhere have, or leave this out and set allowWorldToKubeSpan",
  );
  if (allowWorldToKubeSpan && kubeSpanCidrs.length > 0) {
    problems.push(pointlessRanges("kubeSpanCidrs", "allowWorldToKubeSpan"));
  }
  if (!kubeSpan && (allowWorldToKubeSpan || kubeSpanCidrs.length > 0)) {
    const property = allowWorldToKubeSpan ? "allowWorldToKubeSpan" : "kubeSpanCidrs";
    const reason = `it has no effect without KubeSpan: set kubeSpan, or leave it out`;
    problems.push({ property, reason });
  }
  return problems;
}

/** The problem of ranges beside the permission for every address. */
export function pointlessRanges(ranges: string, world: string): PropertyProblem {
  const reason = `${world} allows every address, so the ranges in ${ranges} have no effect: leave out one of the two`;
  return { property: world, reason };
}

function checkExtraRules(rules: Readonly<Record<string, ExtraFirewallRule>>): PropertyProblem[] {
  return Object.entries(rules).flatMap(([name, extra]) =>
    within(`extraRules["${name}"]`, extraRuleProblems(name, extra)),
  );
}

function extraRuleProblems(name: string, extra: ExtraFirewallRule): PropertyProblem[] {
  const { group, protocol, ports, from, description } = extra;
  const problems: PropertyProblem[] = [];
  const say = (property: string, reason: string) => {
    problems.push({ property, reason });
  };
  if (!RULE_NAME.test(name)) {
    say("", NO_RULE_NAME);
  }
  if (!DESCRIPTION.test(description)) {
    say(
      "description",
      `"${description}" can't describe a rule: AWS takes 1 to 255 letters, digits, spaces and ._-:/()#,@[]+=&;{}!$*`,
    );
  }
  problems.push(...checkWord("group", group, FIREWALL_GROUPS));
  problems.push(...checkWord("protocol", protocol, ["tcp", "udp"]));
  const span = typeof ports === "number" ? { from: ports, to: ports } : ports;
  const isPort = (port: number) => Number.isInteger(port) && port >= 1 && port <= LAST_PORT;
  if (!isPort(span.from) || !isPort(span.to) || span.from > span.to) {
    say(
      "ports",
      `${span.from} to ${span.to} are no ports: take whole numbers from 1 to ${LAST_PORT}, the first one first`,
    );
  }
  const peers = Object.values(from).filter((peer) => peer !== undefined && peer !== false);
  if (peers.length !== 1) {
    say("from", `it must be one of group, securityGroupId, cidr, or {world: true}`);
    return problems;
  }
  if ("group" in from) {
    problems.push(...checkWord("from.group", from.group, FIREWALL_GROUPS));
  }
  if ("cidr" in from) {
    problems.push(
      ...checkCidrs("from.cidr", [from.cidr], "name narrower ranges, or write {world: true}").map(
        ({ reason }) => ({ property: "from.cidr", reason }),
      ),
    );
  }
  const guarded = GUARDED_PORTS.find(
    (port) =>
      port.protocol === protocol &&
      port.ports !== undefined &&
      port.ports.from <= span.to &&
      span.from <= port.ports.to,
  );
  if ("world" in from && guarded?.ports !== undefined) {
    say(
      "from.world",
      `the port ${guarded.ports.from} is never opened to the world, because it leads to the machines and keys of the cluster: name ranges (the Kubernetes API is opened by allowWorldToKubernetesApi)`,
    );
  }
  return problems;
}

/** EC2 refuses the same rule twice in a group. */
function checkRepeated(all: readonly FirewallRule[]): PropertyProblem[] {
  const seen = new Map<string, string>();
  const problems: PropertyProblem[] = [];
  const rules = all.filter(({ direction }) => direction === "ingress");
  // The cluster's own rules come first, so the extra rule is the one that is refused.
  for (const { key, group, peer, port } of rules) {
    const signature = "securityGroupId" in peer ? key : JSON.stringify([group, peer, port]);
    const other = seen.get(signature);
    if (other !== undefined) {
      const property = key.startsWith("extra-")
        ? `extraRules["${key.replace(/^extra-/, "")}"]`
        : `monitoringFrom["${key.replace(/^.*-from-metrics-/, "")}"]`;
      problems.push({ property, reason: `the rule "${other}" opens the same: leave it out` });
    }
    seen.set(signature, key);
  }
  return problems;
}

/**
 * All problems of ranges that a rule lets in.
 *
 * @param whyNotTheWorld what to do instead of giving a range that is as large as the world
 * @param ipv6 whether there are clients over IPv6; undefined where only IPv4 is meant
 */
export function checkCidrs(
  property: string,
  cidrs: readonly string[],
  whyNotTheWorld: string,
  ipv6?: boolean,
): PropertyProblem[] {
  return cidrs.flatMap((cidr, index) => {
    const reason =
      rangeProblem(cidr, ipv6) ??
      (isWorld(cidr) ? `"${cidr}" opens the port to the world: ${whyNotTheWorld}` : undefined) ??
      (cidrs.indexOf(cidr) < index ? `"${cidr}" is named twice` : undefined);
    return problemAt(`${property}[${index}]`, reason);
  });
}

function rangeProblem(cidr: string, ipv6: boolean | undefined): string | undefined {
  if (ipv6 === undefined || !isIpv6(cidr)) {
    return cidrProblem(cidr);
  }
  return ipv6
    ? ipv6CidrProblem(cidr)
    : `"${cidr}" is an IPv6 range, and the network has no IPv6: set ipv6 of the network, or leave the range out`;
}

function isWorld(cidr: string): boolean {
  return isIpv6(cidr)
    ? Number(cidr.split("/")[1]) < WORLD_IPV6_PREFIX_LENGTH
    : parseCidr(cidr).prefixLength < WORLD_PREFIX_LENGTH;
}
