import { renderTexts, type TableLook } from "../status/table";
import type { MachinesDocument, PlanDocument, RuleDocument } from "./planDocument";

type TextTable = Parameters<typeof renderTexts>;

export function renderPlan(plan: PlanDocument, look: TableLook): string {
  const { api, access, network, machines, roles } = plan;
  const pools = Object.entries(machines.pools);
  const facts = [
    ["cluster", `${plan.cluster} in ${plan.region}, at most ${machines.most} nodes`],
    ["releases", `Talos ${plan.talosVersion}, Kubernetes ${plan.kubernetesVersion}`],
    ["Kubernetes API", `${api.endpoint} (${api.exposure}), in the zone ${api.zoneName}`],
    [
      "first delivery",
      [access.delivery, access.firstContact].filter(Boolean).join(", trusted by "),
    ],
    ["Talos API", access.talosEndpoint ?? "each machine"],
    ["network", network.vpcId ?? "its own"],
    ["pods, services", [...network.podCidrs, ...network.serviceCidrs].join(", ")],
    ["add-ons", plan.addOns.join(", ") || "none"],
    ...(plan.issuerBucket === undefined ? [] : [["issuer", `bucket ${plan.issuerBucket}`]]),
  ];
  const section = (columns: TextTable[0], rows: TextTable[1]) =>
    rows.length === 0 ? "" : renderTexts(columns, rows, look);
  const sections = [
    section(["PLAN", plan.stack], facts),
    section(
      ["SUBNET", "ZONE", "RANGE", "WAY OUT"],
      network.subnets.map(({ tier, zone, cidrBlock }) => [
        tier,
        zone,
        cidrBlock,
        wayOut(network, tier, zone),
      ]),
    ),
    section(
      ["MACHINES", "COUNT", "TYPE", "SUBNETS", "ZONES", { title: "VOLUMES", spare: 1 }],
      [["control plane", machines.controlPlane] as const, ...pools].flatMap(([name, each]) =>
        machineRows(name, each),
      ),
    ),
    section(
      ["FIREWALL", "DIRECTION", "PEER", "PORTS", { title: "PURPOSE", spare: 1 }],
      plan.firewallRules.map((rule) => [
        rule.group,
        rule.direction,
        rule.peer,
        ports(rule),
        rule.description,
      ]),
    ),
    section(
      ["ROLE", "OF", "MAY"],
      roles.map(({ name, holder, existing, policy, managedPolicyArns = [] }) => [
        name,
        holder,
        existing ??
          [
            ...(policy?.Statement ?? []).map(({ Sid }) => Sid),
            ...managedPolicyArns.map((arn) => arn.replace(/^.*\//, "")),
          ].join(", "),
      ]),
    ),
  ];
  return `${sections.filter((text) => text !== "").join("\n\n")}\n`;
}

function wayOut(network: PlanDocument["network"], tier: string, zone: string): string {
  if (tier === "public") {
    return "internet gateway";
  }
  const nat = network.natGateways.find(({ serves }) => serves.includes(zone));
  return nat === undefined ? "none" : `NAT in ${nat.zone}`;
}

function machineRows(name: string, plan: MachinesDocument): string[][] {
  const volumes = plan.volumes
    .map((volume) => `${volume.name} ${volume.sizeGib} GiB ${volume.type ?? ""}`.trimEnd())
    .join(", ");
  const types = [plan.instanceType, ...(plan.moreInstanceTypes ?? [])].join(", ");
  const required = plan.instanceRequirements && `by requirements, as ${plan.instanceType}`;
  const row = (count: string, zones: readonly string[]) => [
    name,
    count,
    required ?? types,
    plan.subnets,
    [...new Set(zones)].join(", "),
    volumes,
  ];
  if (plan.karpenter !== undefined) {
    const { limits } = plan.karpenter;
    return [
      [name, `${limits.vcpus} processors at most`, "by Karpenter", plan.subnets, "", volumes],
    ];
  }
  return [
    ...(plan.groups.length === 0
      ? [
          row(
            String(plan.machines.length),
            plan.machines.map(({ zone }) => zone),
          ),
        ]
      : []),
    ...plan.groups.map(({ minSize, maxSize, zones }) => row(`${minSize} to ${maxSize}`, zones)),
  ];
}

function ports({ protocol = "all", ports: span }: RuleDocument): string {
  if (span === undefined) {
    return protocol;
  }
  return span.from === span.to || protocol === "icmp"
    ? `${protocol} ${span.from}`
    : `${protocol} ${span.from}-${span.to}`;
}
