import * as fc from "fast-check";
import { checkFirewall } from "../../../components/firewall/checkFirewall";
import {
  API_EXPOSURES,
  FIREWALL_GROUPS,
  type FirewallGroup,
  MONITORING_TARGETS,
} from "../../../components/firewall/firewallArgs";
import {
  type FirewallChoices,
  type FirewallRule,
  planFirewallRules,
} from "../../../components/firewall/planFirewallRules";
import { CLUSTER_CNIS } from "../../../components/firewall/podNetworkPorts";
import { type Packet, reachability, type Sender } from "./reach";

const standard: FirewallChoices = { operatorCidrs: ["203.0.113.0/24"] };

/** "who → whom protocol/ports" for every open way in. */
function ways(
  choices: FirewallChoices,
  direction: FirewallRule["direction"] = "ingress",
): string[] {
  return planFirewallRules(choices)
    .filter((rule) => rule.direction === direction)
    .map(({ group, peer, port }) => {
      const other =
        "group" in peer ? peer.group : "cidr" in peer ? peer.cidr : JSON.stringify(peer);
      const what =
        port === undefined
          ? "all"
          : `${port.protocol}/${port.ports === undefined ? "" : `${port.ports.from}-${port.ports.to}`}`;
      return direction === "ingress"
        ? `${other} → ${group} ${what}`
        : `${group} → ${other} ${what}`;
    })
    .sort();
}

/** Who is there, by a name for the table. */
const SENDERS = {
  controlPlane: { group: "controlPlane" },
  worker: { group: "worker" },
  loadBalancer: { group: "loadBalancer" },
  operator: { address: "203.0.113.7" },
  client: { address: "198.51.100.7" },
  elsewhere: { address: "192.0.2.7" },
  stranger: { address: "8.8.8.8" },
} as const satisfies Record<string, Sender>;

type SenderName = keyof typeof SENDERS;
const NAMES = Object.keys(SENDERS) as SenderName[];
const MACHINES: readonly SenderName[] = ["controlPlane", "worker"];

interface Case {
  readonly choices: FirewallChoices;
  readonly clients: readonly SenderName[];
  readonly kubeSpanPeers: readonly SenderName[];
}

/** Who may reach what, and when: all that isn't here is closed to everyone. */
interface Expectation {
  readonly to: FirewallGroup;
  readonly packets: readonly Packet[];
  readonly from: (chosen: Case) => readonly SenderName[];
}

const tcp = (...ports: number[]): Packet[] => ports.map((port) => ({ protocol: "tcp", port }));
const udp = (port: number): Packet[] => [{ protocol: "udp", port }];
const nobody: readonly SenderName[] = [];
const when = (chosen: boolean | undefined, names: readonly SenderName[]) =>
  chosen === true ? names : nobody;
const monitors = ({ choices }: Case, target: (typeof MONITORING_TARGETS)[number]) =>
  when(choices.monitoring?.includes(target), MACHINES);
const cniIs =
  (...names: string[]) =>
  ({ choices }: Case) =>
    when(names.includes(choices.cni ?? ""), MACHINES);
const viaLoadBalancer = ({ choices }: Case) => choices.exposure !== "direct";

const TABLE: readonly Expectation[] = [
  {
    to: "controlPlane",
    packets: tcp(6443),
    from: (chosen) => [
      ...MACHINES,
      ...(viaLoadBalancer(chosen) ? (["loadBalancer"] as const) : chosen.clients),
    ],
  },
  {
    to: "loadBalancer",
    packets: tcp(6443),
    from: (chosen) => [
      ...when(viaLoadBalancer(chosen), chosen.clients),
      ...when(["internal", "both"].includes(chosen.choices.exposure ?? ""), MACHINES),
    ],
  },
  {
    to: "controlPlane",
    packets: tcp(50000),
    from: ({ choices }) => [
      "controlPlane",
      choices.talosApiThroughLoadBalancer === true ? "loadBalancer" : "operator",
    ],
  },
  {
    to: "loadBalancer",
    packets: tcp(50000),
    from: ({ choices }) => when(choices.talosApiThroughLoadBalancer, ["operator"]),
  },
  { to: "worker", packets: tcp(50000), from: () => ["controlPlane"] },
  { to: "controlPlane", packets: tcp(50001), from: () => MACHINES },
  { to: "controlPlane", packets: tcp(2379, 2380), from: () => ["controlPlane"] },
  ...MACHINES.map((to) => ({
    to: to as FirewallGroup,
    packets: tcp(10250),
    from: (chosen: Case) => ["controlPlane" as const, ...monitors(chosen, "kubelet")],
  })),
  {
    to: "controlPlane",
    packets: tcp(10257, 10259, 2381, 2383),
    from: (chosen) => monitors(chosen, "controlPlane"),
  },
  ...MACHINES.flatMap((machine): Expectation[] => {
    const to = machine as FirewallGroup;
    return [
      { to, packets: tcp(9100), from: (chosen) => monitors(chosen, "nodeExporter") },
      { to, packets: udp(4789), from: cniIs("flannel", "calico") },
      { to, packets: udp(8472), from: cniIs("cilium") },
      { to, packets: tcp(4240, 4244), from: cniIs("cilium") },
      { to, packets: [{ protocol: "icmp", port: 8 }], from: cniIs("cilium") },
      { to, packets: tcp(179, 5473), from: cniIs("calico") },
      { to, packets: [{ protocol: "ipip", port: 0 }], from: cniIs("calico") },
      {
        to,
        packets: udp(51820),
        from: ({ choices, kubeSpanPeers }) => [
          ...when(choices.kubeSpan, MACHINES),
          ...kubeSpanPeers,
        ],
      },
    ];
  }),
];

/** Ports that nothing above speaks of, and neighbours of those that are opened. */
const CLOSED = [
  ...tcp(
    22,
    80,
    443,
    2378,
    2382,
    2384,
    4241,
    6442,
    6444,
    7445,
    10248,
    10249,
    10255,
    30000,
    49999,
    50002,
  ),
  ...udp(53).concat(udp(4788), udp(51821), udp(51871), udp(30000)),
  { protocol: "icmp" as const, port: 0 },
];

const BOOLEANS = [false, true];
const OUTSIDE: readonly SenderName[] = ["operator", "client", "elsewhere", "stranger"];

function* everyCase(): Generator<Case> {
  const monitorings = BOOLEANS.flatMap((one) =>
    BOOLEANS.flatMap((two) =>
      BOOLEANS.map((three) => MONITORING_TARGETS.filter((_, index) => [one, two, three][index])),
    ),
  );
  const clientChoices = [
    { clients: ["operator"] as const },
    { clients: ["client"] as const, kubernetesApiCidrs: ["198.51.100.0/24"] },
    {
      clients: [...OUTSIDE, ...MACHINES],
      allowWorldToKubernetesApi: true,
    },
  ];
  const kubeSpanChoices = [
    { kubeSpanPeers: nobody },
    { kubeSpanPeers: nobody, kubeSpan: true },
    { kubeSpanPeers: ["elsewhere"] as const, kubeSpan: true, kubeSpanCidrs: ["192.0.2.0/24"] },
    { kubeSpanPeers: OUTSIDE, kubeSpan: true, allowWorldToKubeSpan: true },
  ];
  for (const cni of CLUSTER_CNIS) {
    for (const exposure of API_EXPOSURES) {
      for (const talosApiThroughLoadBalancer of exposure === "direct" ? [false] : BOOLEANS) {
        for (const { clients, ...ofClients } of clientChoices) {
          for (const { kubeSpanPeers, ...ofKubeSpan } of kubeSpanChoices) {
            for (const monitoring of monitorings) {
              const words = { cni, exposure, talosApiThroughLoadBalancer, monitoring };
              const choices = { ...standard, ...ofClients, ...ofKubeSpan, ...words };
              yield { choices, clients, kubeSpanPeers };
            }
          }
        }
      }
    }
  }
}

/** Everything that is tried: a packet to a group, and what the table says of it. */
const TRIALS = FIREWALL_GROUPS.flatMap((to) => {
  const nameOf = ({ protocol, port }: Packet) => `${protocol}/${port}`;
  const packets = [...TABLE.flatMap((row) => row.packets), ...CLOSED];
  const distinct = new Map(packets.map((packet) => [nameOf(packet), packet]));
  return [...distinct].map(([what, packet]) => {
    const ofGroup = TABLE.filter((row) => row.to === to);
    const rows = ofGroup.filter((row) => row.packets.some((each) => nameOf(each) === what));
    return { to, what, packet, rows };
  });
});

/** Where rules and table disagree. */
function disagreements(chosen: Case): string[] {
  const rules = planFirewallRules(chosen.choices);
  return TRIALS.flatMap(({ to, what, packet, rows }) => {
    const expected = rows.flatMap((row) => row.from(chosen));
    const isReachedBy = reachability(rules, to, packet);
    return NAMES.flatMap((name) => {
      const does = isReachedBy(SENDERS[name]);
      return does === expected.includes(name)
        ? []
        : [
            `${name} ${does ? "reaches" : "doesn't reach"} ${to} at ${what}: ${JSON.stringify(chosen)}`,
          ];
    });
  });
}

describe("planFirewallRules", () => {
  it("allows exactly the necessary connections, for all options", () => {
    let cases = 0;
    const wrong: string[] = [];
    for (const chosen of everyCase()) {
      cases += 1;
      wrong.push(...disagreements(chosen));
    }
    expect(cases).toBe(4 * 7 * 3 * 4 * 8);
    expect(wrong.slice(0, 10)).toEqual([]);
  });

  it("plans only valid rules, with unique names and descriptions that AWS accepts", () => {
    for (const { choices } of everyCase()) {
      const rules = planFirewallRules({ ...choices, ipv6: true });
      const named = new Set(rules.map(({ key }) => key)).size;
      const described = rules.every(({ description }) =>
        /^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/.test(description),
      );
      if (named !== rules.length || !described || checkFirewall(choices).length > 0) {
        throw new Error(JSON.stringify(choices));
      }
    }
  });

  it("opens exactly these connections by default", () => {
    expect(ways(standard)).toEqual(
      [
        "203.0.113.0/24 → controlPlane tcp/50000-50000",
        "203.0.113.0/24 → loadBalancer tcp/6443-6443",
        "controlPlane → controlPlane tcp/10250-10250",
        "controlPlane → controlPlane tcp/2379-2380",
        "controlPlane → controlPlane tcp/50000-50000",
        "controlPlane → controlPlane tcp/50001-50001",
        "controlPlane → controlPlane tcp/6443-6443",
        "controlPlane → controlPlane udp/4789-4789",
        "controlPlane → worker tcp/10250-10250",
        "controlPlane → worker tcp/50000-50000",
        "controlPlane → worker udp/4789-4789",
        "loadBalancer → controlPlane tcp/6443-6443",
        "worker → controlPlane tcp/50001-50001",
        "worker → controlPlane tcp/6443-6443",
        "worker → controlPlane udp/4789-4789",
        "worker → worker udp/4789-4789",
      ].sort(),
    );
    expect(ways(standard, "egress")).toEqual([
      "controlPlane → 0.0.0.0/0 all",
      "loadBalancer → controlPlane tcp/6443-6443",
      "worker → 0.0.0.0/0 all",
    ]);
  });

  it("adds only ::/0 beside 0.0.0.0/0 for machines with IPv6 addresses", () => {
    for (const { choices } of everyCase()) {
      const rules = planFirewallRules({ ...choices, ipv6: true });
      const others = rules.filter(({ peer }) => !("ipv6Cidr" in peer));
      if (JSON.stringify(others) !== JSON.stringify(planFirewallRules(choices))) {
        throw new Error(JSON.stringify(choices));
      }
    }
  });

  it("allows IPv6 egress, and IPv6 ingress from the world where IPv4 is open to it", () => {
    const choices = { ...standard, ipv6: true, allowWorldToKubernetesApi: true };
    expect(ways(choices, "egress")).toEqual(
      expect.arrayContaining([
        `controlPlane → {"ipv6Cidr":"::/0"} all`,
        `worker → {"ipv6Cidr":"::/0"} all`,
      ]),
    );
    expect(ways(choices).filter((way) => way.includes("::/0"))).toEqual([
      `{"ipv6Cidr":"::/0"} → loadBalancer tcp/6443-6443`,
    ]);
  });

  it("allows clients by the given IPv6 ranges, each with its own rule name", () => {
    const choices = {
      ...standard,
      ipv6: true,
      operatorCidrs: ["203.0.113.0/24", "2001:db8::/48", "2001:db8:1::/48"],
    };
    expect(ways(choices).filter((way) => way.includes("2001:db8::/48"))).toEqual([
      `{"ipv6Cidr":"2001:db8::/48"} → controlPlane tcp/50000-50000`,
      `{"ipv6Cidr":"2001:db8::/48"} → loadBalancer tcp/6443-6443`,
    ]);
    const keys = planFirewallRules(choices).map(({ key }) => key);
    expect(new Set(keys).size).toBe(keys.length);
    expect(keys).toContain("load-balancer-tcp-6443-from-2001-db8---48");
  });

  it("adds extra rules under their names", () => {
    const plain = planFirewallRules({ ...standard, ipv6: true });
    const known = new Set(plain.map(({ key }) => key));
    const added = planFirewallRules({
      ...standard,
      ipv6: true,
      extraRules: {
        web: {
          group: "worker",
          protocol: "tcp",
          ports: 443,
          from: { world: true },
          description: "Web",
        },
        bastion: {
          group: "controlPlane",
          protocol: "udp",
          ports: { from: 1000, to: 1010 },
          from: { securityGroupId: "sg-1" },
          description: "Bastion",
        },
      },
    }).filter(({ key }) => !known.has(key));
    expect(added).toMatchObject([
      {
        key: "extra-web",
        group: "worker",
        peer: { cidr: "0.0.0.0/0" },
        port: { protocol: "tcp", ports: { from: 443, to: 443 } },
      },
      { key: "extra-web-ipv6", group: "worker", peer: { ipv6Cidr: "::/0" } },
      {
        key: "extra-bastion",
        group: "controlPlane",
        peer: { securityGroupId: "sg-1" },
        port: { protocol: "udp", ports: { from: 1000, to: 1010 } },
      },
    ]);
  });

  it("names rules by content, independent of their order", () => {
    const cidrs = fc.uniqueArray(
      fc.integer({ min: 0, max: 255 }).map((octet) => `203.0.${octet}.0/24`),
      { minLength: 1, maxLength: 5 },
    );
    fc.assert(
      fc.property(cidrs, cidrs, (operatorCidrs, others) => {
        const keys = (choices: FirewallChoices) => planFirewallRules(choices).map(({ key }) => key);
        const one = keys({ ...standard, operatorCidrs, kubernetesApiCidrs: others });
        const two = keys({
          ...standard,
          operatorCidrs: [...operatorCidrs].reverse(),
          kubernetesApiCidrs: [...others].reverse(),
        });
        expect(new Set(one).size).toBe(one.length);
        expect([...two].sort()).toEqual([...one].sort());
      }),
    );
    expect(planFirewallRules(standard).map(({ key }) => key)).toContain(
      "control-plane-tcp-50000-from-203.0.113.0-24",
    );
  });
});

describe("metrics", () => {
  const peersOf = (choices: Partial<FirewallChoices>) =>
    planFirewallRules({ ...standard, ...choices }).flatMap(
      ({ key }) =>
        /^(.*)-tcp-(2381|10249|10257|10259)-from-(.*)$/.exec(key)?.slice(1).join(" ") ?? [],
    );

  it("of one component open its port alone, also for named peers", () => {
    const monitoringFrom = {
      prometheus: { securityGroupId: "sg-1" },
      vpn: { cidr: "10.9.0.0/16" },
    };
    expect(peersOf({ monitoring: ["etcd"], monitoringFrom })).toEqual([
      "control-plane 2381 control-plane",
      "control-plane 2381 worker",
      "control-plane 2381 metrics-prometheus",
      "control-plane 2381 metrics-vpn",
    ]);
    expect(peersOf({ monitoring: ["kubeProxy"] })).toHaveLength(4);
    expect(peersOf({ monitoring: ["controllerManager", "scheduler"] })).toHaveLength(4);
  });

  it("open a port once, whatever names it", () => {
    const all = peersOf({ monitoring: ["controlPlane"] });
    const again = { monitoring: ["controlPlane", "etcd", "scheduler"] } as const;
    expect(peersOf(again)).toEqual(all);
    expect(checkFirewall({ ...standard, ...again })).toEqual([]);
  });
});
