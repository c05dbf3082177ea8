import { problemAt } from "../argumentChecks";
import { checkLogGroup } from "../logs/logGroup";
import { type PropertyProblem, within } from "../problems";
import { checkEndpoints } from "./checkEndpoints";
import { checkNetworkRanges } from "./checkNetworkRanges";
import { checkRanges, rangesOf } from "./checkRanges";
import { cidrProblem } from "./cidr";
import type { AdoptedNetworkArgs, NetworkChoices } from "./networkArgs";
import { NAT_STRATEGIES } from "./planNatGateways";
import { planZones, regionOfZone, type ZoneChoices } from "./planSubnets";

/** The most zones of a network; no region has more. */
const MAX_ZONES = 6;

/** Arguments about a new network, without meaning for an existing one. */
const MAKING = [
  "cidrBlock",
  "workerCidrBlock",
  "zones",
  "zoneCount",
  "privateSubnets",
  "nat",
  "natZone",
  "ipv6",
  "gatewayEndpoints",
  "interfaceEndpoints",
  "flowLogs",
] as const satisfies readonly (keyof NetworkChoices)[];

const TRAFFIC: readonly string[] = ["all", "accepted", "rejected"];

/** All problems of a network's choices. */
export function checkNetwork(choices: NetworkChoices): PropertyProblem[] {
  if (choices.adopt !== undefined) {
    return [...checkAdoption(choices, choices.adopt), ...checkRanges(rangesOf(choices))];
  }
  return [
    ...checkZones(choices),
    ...checkNetworkRanges(choices),
    ...checkNat(choices),
    ...checkIsolation(choices),
    ...checkEndpoints(choices),
    ...checkFlowLogs(choices.flowLogs),
  ];
}

/** The keys of the zones with public subnets. */
export function publicZoneKeys({
  adopt,
  internetAccess = true,
  ...choices
}: ZoneChoices & Pick<NetworkChoices, "adopt" | "internetAccess">): string[] {
  if (adopt !== undefined) {
    return Object.keys(adopt.publicSubnetIds ?? {});
  }
  return internetAccess ? planZones(choices).map(({ key }) => key) : [];
}

/** The keys of the zones with private subnets. */
export function privateZoneKeys({
  adopt,
  internetAccess = true,
  nat = "none",
  privateSubnets = nat !== "none" || !internetAccess,
  ...choices
}: ZoneChoices &
  Pick<NetworkChoices, "adopt" | "internetAccess" | "nat" | "privateSubnets">): string[] {
  if (adopt !== undefined) {
    return Object.keys(adopt.privateSubnetIds ?? {});
  }
  return privateSubnets ? planZones(choices).map(({ key }) => key) : [];
}

/** The keys of the zones with subnets in the network's second range. */
export function workerRangeZoneKeys({
  workerCidrBlock,
  ...choices
}: ZoneChoices & Pick<NetworkChoices, "workerCidrBlock">): string[] {
  return workerCidrBlock === undefined ? [] : planZones(choices).map(({ key }) => key);
}

function checkAdoption(
  choices: NetworkChoices,
  { publicSubnetIds = {}, privateSubnetIds = {}, natAddresses = {} }: AdoptedNetworkArgs,
): PropertyProblem[] {
  const tiers = { publicSubnetIds, privateSubnetIds };
  const all = Object.values(tiers).flatMap((ids) => Object.keys(ids));
  return [
    ...MAKING.filter((key) => choices[key] !== undefined).map((property) => ({
      property,
      reason: `an adopted network stays as it is: leave out ${property}, or leave out adopt and have a network made`,
    })),
    ...problemAt(
      "adopt.publicSubnetIds",
      all.length === 0 &&
        `no subnet is given: name one for each zone, as in {"us-east-1a": "subnet-0123456789abcdef0"}`,
    ),
    ...Object.entries(tiers).flatMap(([tier, ids]) =>
      Object.keys(ids).flatMap((zone) =>
        problemAt(`adopt.${tier}["${zone}"]`, zoneProblem(zone, all[0] ?? zone)),
      ),
    ),
    ...checkNatAddresses(natAddresses, Object.keys(privateSubnetIds)),
    ...checkEndpoints(choices),
  ];
}

/** A network without internet has nothing that leads there. */
function checkIsolation({
  internetAccess = true,
  nat = "none",
  privateSubnets,
}: NetworkChoices): PropertyProblem[] {
  if (internetAccess) {
    return [];
  }
  const problems: PropertyProblem[] = [];
  if (nat !== "none") {
    const reason = `a NAT gateway leads to the internet, and internetAccess is false: leave out one of the two`;
    problems.push({ property: "nat", reason });
  }
  if (privateSubnets === false) {
    const reason = `a network without internet access has private subnets only: leave privateSubnets out, or internetAccess`;
    problems.push({ property: "privateSubnets", reason });
  }
  return problems;
}

function checkNatAddresses(
  natAddresses: Readonly<Record<string, string>>,
  zones: readonly string[],
): PropertyProblem[] {
  return Object.entries(natAddresses).flatMap(([zone, address]) => {
    const property = `adopt.natAddresses["${zone}"]`;
    return [
      ...problemAt(
        property,
        !zones.includes(zone) &&
          `no private subnet is given in "${zone}": leave it out, or name the subnet`,
      ),
      ...problemAt(
        property,
        cidrProblem(`${address}/32`) !== undefined &&
          `"${address}" is no IPv4 address: write it as "203.0.113.7"`,
      ),
    ];
  });
}

function checkNat(choices: NetworkChoices): PropertyProblem[] {
  const { nat = "none", natZone, privateSubnets } = choices;
  const problems: PropertyProblem[] = [];
  if (!NAT_STRATEGIES.includes(nat)) {
    const reason = `"${nat}" is not a NAT strategy: take one of ${NAT_STRATEGIES.join(", ")}`;
    return [{ property: "nat", reason }];
  }
  if (nat !== "none" && privateSubnets === false) {
    const reason = `nat "${nat}" serves private subnets, and privateSubnets is false: leave out one of the two`;
    problems.push({ property: "privateSubnets", reason });
  }
  if (natZone !== undefined && nat !== "single") {
    const reason = `only a single NAT gateway has a zone of its own: leave natZone out, or set nat to "single"`;
    problems.push({ property: "natZone", reason });
  } else if (natZone !== undefined) {
    const keys = planZones(choices).map(({ key }) => key);
    const known = keys.map((key) => `"${key}"`).join(", ");
    if (!keys.includes(natZone)) {
      const reason = `the network has no zone "${natZone}": it has ${known}`;
      problems.push({ property: "natZone", reason });
    }
  }
  return problems;
}

function checkFlowLogs(flowLogs: NetworkChoices["flowLogs"]): PropertyProblem[] {
  if (typeof flowLogs !== "object") {
    return [];
  }
  const { bucketArn, logGroupArn, traffic = "all", intervalSeconds = 600 } = flowLogs;
  const { retentionDays, kmsKeyArn } = flowLogs;
  const problems: PropertyProblem[] = within("flowLogs", checkLogGroup(flowLogs));
  if (bucketArn !== undefined && logGroupArn !== undefined) {
    const reason = `flow logs have one destination: give either bucketArn or logGroupArn`;
    problems.push({ property: "flowLogs", reason });
  }
  const given = Object.entries({ bucketArn, logGroupArn }).find(
    ([, arn]) => arn !== undefined,
  )?.[0];
  for (const [name, value] of Object.entries({ retentionDays, kmsKeyArn })) {
    if (value !== undefined && given !== undefined) {
      const reason = `it is for a log group that is created, and ${given} names one that is there: leave out one or the other`;
      problems.push({ property: `flowLogs.${name}`, reason });
    }
  }
  if (!TRAFFIC.includes(traffic)) {
    const reason = `"${traffic}" is not a kind of traffic: take one of ${TRAFFIC.join(", ")}`;
    problems.push({ property: "flowLogs.traffic", reason });
  }
  if (intervalSeconds !== 60 && intervalSeconds !== 600) {
    const reason = `the interval can't be ${intervalSeconds} seconds: take 60 or 600`;
    problems.push({ property: "flowLogs.intervalSeconds", reason });
  }
  return problems;
}

function checkZones({ zones, zoneCount }: ZoneChoices): PropertyProblem[] {
  if (zones === undefined) {
    if (zoneCount === undefined) {
      const reason = `no zone is given: name them, as in ["us-east-1a", "us-east-1b", "us-east-1c"], or set zoneCount`;
      return [{ property: "zones", reason }];
    }
    const fine = Number.isInteger(zoneCount) && zoneCount >= 1 && zoneCount <= MAX_ZONES;
    const reason = `a network can't span ${zoneCount} zones: give a number from 1 to ${MAX_ZONES}`;
    return fine ? [] : [{ property: "zoneCount", reason }];
  }
  return [
    ...problemAt(
      "zoneCount",
      zoneCount !== undefined &&
        `zones and zoneCount are mutually exclusive: name the zones or count them`,
    ),
    ...problemAt(
      "zones",
      (zones.length < 1 || zones.length > MAX_ZONES) &&
        `a network can't span ${zones.length} zones: name 1 to ${MAX_ZONES}`,
    ),
    ...zones.flatMap((zone, index) =>
      problemAt(
        `zones[${index}]`,
        zoneProblem(zone, zones[0] ?? zone) ??
          (zones.indexOf(zone) < index && `"${zone}" is named twice`),
      ),
    ),
  ];
}

function zoneProblem(zone: string, first: string): string | undefined {
  if (!/^[a-z]{2}(-[a-z]+)+-\d+[a-h]$/.test(zone)) {
    return `"${zone}" is no availability zone: write its name as in "us-east-1a" (local zones, Wavelength zones and zone ids can't be used)`;
  }
  return regionOfZone(zone) === regionOfZone(first)
    ? undefined
    : `"${zone}" is in another region than "${first}": a network lies in one region`;
}
