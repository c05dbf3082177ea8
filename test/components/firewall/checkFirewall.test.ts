import { checkFirewall } from "../../../components/firewall/checkFirewall";
import type {
  ApiExposure,
  ExtraFirewallRule,
  FirewallGroup,
  MonitoringTarget,
} from "../../../components/firewall/firewallArgs";
import type { FirewallChoices } from "../../../components/firewall/planFirewallRules";
import type { ClusterCni } from "../../../components/firewall/podNetworkPorts";

const standard: FirewallChoices = { operatorCidrs: ["203.0.113.0/24"] };
const web: ExtraFirewallRule = {
  group: "worker",
  protocol: "tcp",
  ports: 443,
  from: { world: true },
  description: "Web",
};

type Refusal = readonly [string, Partial<FirewallChoices>, string, RegExp];

describe("checkFirewall", () => {
  it.each<Partial<FirewallChoices>>([
    {},
    { kubeSpan: true, kubeSpanCidrs: ["192.0.2.0/24"] },
    { extraRules: { web, "web-2": { ...web, ports: { from: 8000, to: 8010 } } } },
    { exposure: "internal", talosApiThroughLoadBalancer: true },
    { ipv6: true, kubernetesApiCidrs: ["2001:db8::/48", "2001:db8:1::7/128"] },
    { ipv6: true, talosApiThroughLoadBalancer: true, operatorCidrs: ["2001:db8::/48"] },
  ])("accepts %j", (change) => {
    expect(checkFirewall({ ...standard, ...change })).toEqual([]);
  });

  it.each<Refusal>([
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
    [
      "an IPv6 range where there is no IPv6",
      { kubernetesApiCidrs: ["2001:db8::/48"] },
      "kubernetesApiCidrs[0]",
      /"2001:db8::\/48" is an IPv6 range, and the network has no IPv6/,
    ],
    [
      "only IPv6 operators of machines that are dialled",
      { ipv6: true, operatorCidrs: ["2001:db8::/48"] },
      "operatorCidrs",
      /name an IPv4 range too/,
    ],
    [
      "the world by an IPv6 range",
      { ipv6: true, kubernetesApiCidrs: ["2000::/3"] },
      "kubernetesApiCidrs[0]",
      /"2000::\/3" opens the port to the world/,
    ],
    [
      "an IPv6 range that isn't its first address",
      { ipv6: true, kubernetesApiCidrs: ["2001:db8::7/48"] },
      "kubernetesApiCidrs[0]",
      /did you mean "2001:db8::\/48"/,
    ],
    [
      "an IPv6 range in another form than AWS tells",
      { ipv6: true, kubernetesApiCidrs: ["2001:0DB8::/48"] },
      "kubernetesApiCidrs[0]",
      /did you mean "2001:db8::\/48"/,
    ],
    [
      "a bare IPv6 address",
      { ipv6: true, kubernetesApiCidrs: ["2001:db8::7"] },
      "kubernetesApiCidrs[0]",
      /did you mean "2001:db8::7\/128"/,
    ],
    [
      "no IPv6 range",
      { ipv6: true, kubernetesApiCidrs: ["2001:xyz::/48"] },
      "kubernetesApiCidrs[0]",
      /is no IPv6 range/,
    ],
    ["an unknown way", { exposure: "open" as ApiExposure }, "exposure", /take one of public/],
    [
      "an unknown network",
      { cni: "weave" as ClusterCni },
      "cni",
      /"weave" can't be chosen: take one of flannel/,
    ],
    [
      "unknown metrics",
      { monitoring: ["kubelet", "pods" as MonitoringTarget] },
      "monitoring[1]",
      /"pods"/,
    ],
    [
      "metrics for the world",
      { monitoring: ["etcd"], monitoringFrom: { all: { cidr: "0.0.0.0/0" } } },
      'monitoringFrom["all"]',
      /0\.0\.0\.0\/0/,
    ],
    [
      "somebody who may query nothing",
      { monitoringFrom: { prometheus: { cidr: "10.9.0.0/16" } } },
      'monitoringFrom["prometheus"]',
      /no effect without sources/,
    ],
    [
      "two peers in one",
      {
        monitoring: ["etcd"],
        monitoringFrom: { both: { cidr: "10.9.0.0/16", securityGroupId: "sg-1" } },
      },
      'monitoringFrom["both"]',
      /one of securityGroupId and cidr/,
    ],
    [
      "a name that can't be one",
      { monitoring: ["etcd"], monitoringFrom: { "a b": { securityGroupId: "sg-1" } } },
      'monitoringFrom["a b"]',
      /can't be a name/,
    ],
    [
      "the same peer twice",
      {
        monitoring: ["etcd"],
        monitoringFrom: { one: { cidr: "10.9.0.0/16" }, two: { cidr: "10.9.0.0/16" } },
      },
      'monitoringFrom["two"]',
      /opens the same/,
    ],
    ["metrics twice", { monitoring: ["kubelet", "kubelet"] }, "monitoring[1]", /named twice/],
    [
      "a load balancer that isn't there",
      { exposure: "direct", talosApiThroughLoadBalancer: true },
      "talosApiThroughLoadBalancer",
      /no load balancer/,
    ],
    ["peers without KubeSpan", { kubeSpanCidrs: ["192.0.2.0/24"] }, "kubeSpanCidrs", /no effect/],
    [
      "the world without KubeSpan",
      { allowWorldToKubeSpan: true },
      "allowWorldToKubeSpan",
      /no effect/,
    ],
    [
      "the world as KubeSpan's range",
      { kubeSpan: true, kubeSpanCidrs: ["0.0.0.0/0"] },
      "kubeSpanCidrs[0]",
      /set allowWorldToKubeSpan/,
    ],
    [
      "KubeSpan's world and a range",
      { kubeSpan: true, kubeSpanCidrs: ["192.0.2.0/24"], allowWorldToKubeSpan: true },
      "allowWorldToKubeSpan",
      /leave out one/,
    ],
  ])("rejects %s", (_what, change, property, reason) => {
    expect(checkFirewall({ ...standard, ...change })).toEqual([
      { property, reason: expect.stringMatching(reason) as string },
    ]);
  });

  it.each<[string, Partial<ExtraFirewallRule>, string, RegExp]>([
    ["an unknown group", { group: "all" as FirewallGroup }, ".group", /"all"/],
    ["an unknown sender", { from: { group: "all" as FirewallGroup } }, ".from.group", /"all"/],
    ["an unknown protocol", { protocol: "sctp" as "tcp" }, ".protocol", /tcp, udp/],
    ["no port", { ports: 0 }, ".ports", /0 to 0 are no ports/],
    ["ports backwards", { ports: { from: 2, to: 1 } }, ".ports", /2 to 1/],
    ["no description", { description: "" }, ".description", /1 to 255/],
    ["an odd description", { description: "naïve" }, ".description", /"naïve"/],
    ["the world by its range", { from: { cidr: "0.0.0.0/0" } }, ".from.cidr", /world: true/],
    ["nobody", { from: {} as { world: true } }, ".from", /must be one of group/],
    ["two senders", { from: { world: true, cidr: "192.0.2.0/24" } }, ".from", /must be one of/],
    ["no range", { from: { cidr: "here" } }, ".from.cidr", /no IPv4 range/],
    ["the world at Talos' API", { ports: 50000 }, ".from.world", /50000 is never opened/],
    ["the world at etcd", { ports: { from: 80, to: 2379 } }, ".from.world", /2379 is never/],
    ["the world at etcd's metrics", { ports: 2383 }, ".from.world", /2383 is never/],
    ["the world at etcd's plain metrics", { ports: 2381 }, ".from.world", /2381 is never/],
    ["the world at the controller manager", { ports: 10257 }, ".from.world", /10257 is never/],
    ["the world at the scheduler", { ports: 10259 }, ".from.world", /10259 is never/],
    ["the world at node exporters", { ports: 9100 }, ".from.world", /9100 is never/],
    ["the world at the kubelet", { ports: 10250 }, ".from.world", /10250 is never/],
    [
      "what is open at any rate",
      { group: "controlPlane", ports: { to: 2380, from: 2379 }, from: { group: "controlPlane" } },
      "",
      /"control-plane-tcp-2379-2380-from-control-plane" opens the same/,
    ],
  ])("rejects %s in an extra rule", (_what, change, path, reason) => {
    const extraRules = { web: { ...web, ...change } };
    expect(checkFirewall({ ...standard, extraRules })).toEqual([
      { property: `extraRules["web"]${path}`, reason: expect.stringMatching(reason) as string },
    ]);
  });

  it("rejects an invalid rule name", () => {
    expect(checkFirewall({ ...standard, extraRules: { "a/b": web } })).toEqual([
      { property: `extraRules["a/b"]`, reason: expect.stringMatching(/letters, digits/) as string },
    ]);
  });

  it("reports all problems at once", () => {
    const problems = checkFirewall({
      operatorCidrs: [],
      kubernetesApiCidrs: ["x"],
      cni: "x" as ClusterCni,
      kubeSpanCidrs: ["192.0.2.0/24"],
      extraRules: { web: { ...web, ports: 0, description: "" } },
    });
    expect(problems.map(({ property }) => property)).toEqual([
      "operatorCidrs",
      "kubernetesApiCidrs[0]",
      "cni",
      "kubeSpanCidrs",
      `extraRules["web"].description`,
      `extraRules["web"].ports`,
    ]);
  });
});
