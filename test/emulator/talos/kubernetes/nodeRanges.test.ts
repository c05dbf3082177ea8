import { machineFacts } from "../../../../emulator/talos/config/machineFacts";
import type { NodeIpamFacts } from "../../../../emulator/talos/config/nodeIpamFacts";
import { NodeRanges, type RangedNode } from "../../../../emulator/talos/kubernetes/nodeRanges";
import type { YamlValue } from "../../../../provider/config/machineConfig";

const standard: NodeIpamFacts = {
  allocates: true,
  clusterCidrs: ["10.244.0.0/16"],
  serviceCidrs: ["10.96.0.0/12"],
  maskSizes: { any: 0, 4: 0, 6: 0 },
};

const node = (...podCidrs: string[]): RangedNode => ({ name: "one", podCidrs });

function start(change: Partial<NodeIpamFacts>, ...nodes: RangedNode[]): NodeRanges {
  return new NodeRanges({ ...standard, ...change }, nodes);
}

describe("the ranges of nodes' pods", () => {
  test("are given in turn, and come back only after all others", () => {
    const ranges = start({ clusterCidrs: ["10.244.0.0/22"] }, node("10.244.1.0/24"));
    expect(ranges.allocate()).toEqual(["10.244.0.0/24"]);
    ranges.release(node("10.244.0.0/24"));
    expect(ranges.allocate()).toEqual(["10.244.2.0/24"]);
    expect(ranges.allocate()).toEqual(["10.244.3.0/24"]);
    expect(ranges.allocate()).toEqual(["10.244.0.0/24"]);
    expect(ranges.allocate()).toBeUndefined();
  });

  test("leave out those of services", () => {
    const ranges = start({ clusterCidrs: ["10.0.0.0/22"], serviceCidrs: ["10.0.0.0/23"] });
    expect(ranges.allocate()).toEqual(["10.0.2.0/24"]);
  });

  test("are of both IP versions, with lengths of their own", () => {
    const ranges = start(
      { clusterCidrs: ["10.0.0.0/16", "fd00::/56"], maskSizes: { any: 0, 4: 26, 6: 0 } },
      node("10.0.0.0/26", "fd00::/64"),
    );
    expect(ranges.allocate()).toEqual(["10.0.0.64/26", "fd00:0:0:1::/64"]);
  });

  test.each<[string, Partial<NodeIpamFacts>, RangedNode, string]>([
    [
      "a node's range is none of the cluster's",
      { clusterCidrs: ["10.200.0.0/16"] },
      node("10.244.0.0/24"),
      "failed to mark cidr[10.244.0.0/24] at idx [0] as occupied for node: one: cidr 10.244.0.0/24 is out the range of cluster cidr 10.200.0.0/16",
    ],
    [
      "a node has one of an IP version that the cluster has no longer",
      {},
      node("10.244.0.0/24", "fd00::/64"),
      "node:one has an allocated cidr: fd00::/64 at index:1 that does not exist in cluster cidrs configuration",
    ],
    [
      "the cluster's is smaller than a node's",
      { clusterCidrs: ["10.244.0.0/25"] },
      node(),
      "Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than or equal to --node-cidr-mask-size configured for CIDR family",
    ],
    [
      "one of IPv6 has more than 65536 shares",
      { clusterCidrs: ["fd00::/40"] },
      node(),
      "New CIDR set failed; the node CIDR size is too big",
    ],
    [
      "both are of IPv4",
      { clusterCidrs: ["10.1.0.0/16", "10.2.0.0/16"] },
      node(),
      "len of ClusterCIDRs==2 and they are not configured as dual stack (at least one from each IPFamily",
    ],
    [
      "one length is given for both IP versions",
      { clusterCidrs: ["10.1.0.0/16", "fd00::/56"], maskSizes: { any: 24, 4: 0, 6: 0 } },
      node(),
      "usage of --node-cidr-mask-size is not allowed with dual-stack clusters",
    ],
    [
      "two lengths are given",
      { maskSizes: { any: 24, 4: 25, 6: 0 } },
      node(),
      "usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed if --node-cidr-mask-size is set. For dual-stack clusters please unset it and use IPFamily specific flags",
    ],
    [
      "the only length is one of IPv6",
      { maskSizes: { any: 0, 4: 0, 6: 64 } },
      node(),
      "usage of --node-cidr-mask-size-ipv6 is not allowed for a single-stack IPv4 cluster",
    ],
  ])("end the controller manager if %s", (_, change, taken, words) => {
    expect(() => start(change, taken)).toThrow(words);
  });

  test("stay valid in a wider range of the cluster", () => {
    const ranges = start({ clusterCidrs: ["10.240.0.0/12"] }, node("10.244.0.0/24"));
    expect(ranges.allocate()).toEqual(["10.240.0.0/24"]);
  });
});

describe("a configuration's ranges of pods", () => {
  const factsOf = (extraArgs: Record<string, YamlValue>, podSubnets: string[] = []) =>
    machineFacts([
      {
        machine: { type: "controlplane" },
        cluster: { network: { podSubnets }, controllerManager: { extraArgs } },
      },
    ])?.controlPlane.nodeIpam;

  test("are Talos' own without any", () => {
    expect(factsOf({})).toEqual(standard);
  });

  test("are those of a flag, in either spelling, if there is one", () => {
    const flags = {
      cluster_cidr: "10.1.0.0/16,fd00::/56",
      "node-cidr-mask-size-ipv4": ["25", "26"],
    };
    expect(factsOf({ ...flags, "allocate-node-cidrs": "false" }, ["10.2.0.0/16"])).toEqual({
      ...standard,
      allocates: false,
      clusterCidrs: ["10.1.0.0/16", "fd00::/56"],
      maskSizes: { any: 0, 4: 26, 6: 0 },
    });
  });

  test("leave out services that a flag adds", () => {
    const { serviceCidrs } = factsOf({ "service-cluster-ip-range": "fd01::/112" }) ?? {};
    expect(serviceCidrs).toEqual(["10.96.0.0/12", "fd01::/112"]);
  });
});
