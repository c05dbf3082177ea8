import * as fc from "fast-check";
import {
  checkFirewall,
  type FirewallChoices,
  type FirewallRule,
  planFirewallRules,
} from "../../components/planFirewallRules";

const standard: FirewallChoices = {
  operatorCidrs: ["203.0.113.0/24"],
  allowWorldToKubernetesApi: false,
  internalLoadBalancer: false,
};

/** "who → whom protocol/ports" for every open way in. */
function ways(
  choices: FirewallChoices,
  direction: FirewallRule["direction"] = "ingress",
): string[] {
  return planFirewallRules(choices)
    .filter((rule) => rule.direction === direction)
    .map(({ group, peer, protocol, ports }) => {
      const other = "group" in peer ? peer.group : peer.cidr;
      const span = ports === undefined ? "" : `/${ports.from}-${ports.to}`;
      return direction === "ingress"
        ? `${other} → ${group} ${protocol}${span}`
        : `${group} → ${other} ${protocol}${span}`;
    })
    .sort();
}

const betweenMachines = [
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
];

describe("planFirewallRules", () => {
  it("opens exactly these ways and no other", () => {
    expect(ways(standard)).toEqual(
      [
        ...betweenMachines,
        "203.0.113.0/24 → controlPlane tcp/50000-50000",
        "203.0.113.0/24 → loadBalancer tcp/6443-6443",
      ].sort(),
    );
    expect(ways(standard, "egress")).toEqual([
      "controlPlane → 0.0.0.0/0 all",
      "loadBalancer → controlPlane tcp/6443-6443",
      "worker → 0.0.0.0/0 all",
    ]);
  });

  it("tells clients of Kubernetes from operators of Talos", () => {
    const choices = { ...standard, kubernetesApiCidrs: ["198.51.100.0/24", "192.0.2.1/32"] };
    expect(ways(choices)).toEqual(
      [
        ...betweenMachines,
        "203.0.113.0/24 → controlPlane tcp/50000-50000",
        "198.51.100.0/24 → loadBalancer tcp/6443-6443",
        "192.0.2.1/32 → loadBalancer tcp/6443-6443",
      ].sort(),
    );
  });

  it("opens the Kubernetes API, and nothing else, to the world when that is asked for", () => {
    const fromWorld = ways({ ...standard, allowWorldToKubernetesApi: true }).filter((way) =>
      way.startsWith("0.0.0.0/0"),
    );
    expect(fromWorld).toEqual(["0.0.0.0/0 → loadBalancer tcp/6443-6443"]);
  });

  it("lets machines reach an internal load balancer by their groups", () => {
    const added = ways({ ...standard, internalLoadBalancer: true }).filter(
      (way) => !ways(standard).includes(way),
    );
    expect(added).toEqual([
      "controlPlane → loadBalancer tcp/6443-6443",
      "worker → loadBalancer tcp/6443-6443",
    ]);
  });

  it("names rules by what they are about, whatever the order", () => {
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

  it("describes every rule in the characters that AWS allows", () => {
    for (const { description } of planFirewallRules(standard)) {
      expect(description).toMatch(/^[a-zA-Z0-9. _\-:/()#,@[\]+=&;{}!$*]{1,255}$/);
    }
  });
});

describe("checkFirewall", () => {
  it("accepts the standard choices", () => {
    expect(checkFirewall(standard)).toEqual([]);
  });

  it.each([
    ["nobody", { operatorCidrs: [] }, "operatorCidrs", /no range is given/],
    ["the world", { operatorCidrs: ["0.0.0.0/0"] }, "operatorCidrs[0]", /to the world/],
    ["half the world", { operatorCidrs: ["128.0.0.0/1"] }, "operatorCidrs[0]", /to the world/],
    ["a bare address", { operatorCidrs: ["203.0.113.7"] }, "operatorCidrs[0]", /7\/32/],
    [
      "a range twice",
      { operatorCidrs: ["203.0.113.0/24", "203.0.113.0/24"] },
      "operatorCidrs[1]",
      /named twice/,
    ],
    [
      "the world by its range",
      { kubernetesApiCidrs: ["0.0.0.0/0"] },
      "kubernetesApiCidrs[0]",
      /set allowWorldToKubernetesApi/,
    ],
    [
      "the world and a range",
      { kubernetesApiCidrs: ["203.0.113.0/24"], allowWorldToKubernetesApi: true },
      "allowWorldToKubernetesApi",
      /leave out one of the two/,
    ],
  ])("refuses %s", (_what, change, property, reason) => {
    expect(checkFirewall({ ...standard, ...change })).toEqual([
      { property, reason: expect.stringMatching(reason) as string },
    ]);
  });
});
