import { Address4, Address6 } from "ip-address";
import { isWithin, networksOverlap, parseNetwork } from "../../../provider/config";
import type { NodeIpamFacts } from "../config/nodeIpamFacts";

/** The prefix length of a node's range, by the version of IP, unless flags say otherwise. */
const NODE_LENGTHS = { 4: 24, 6: 64 } as const;

/** How many bits longer a node's range may be than the cluster's, for IPv6. */
const MAX_NODE_BITS = 16;

/** A node as far as its ranges of pods go. */
export interface RangedNode {
  readonly name: string;
  /** Empty while it has none. */
  readonly podCidrs: readonly string[];
}

/**
 * The ranges of pods that a controller manager gives to nodes: in turn, from the first free one after the
 * last. It knows those that nodes have when it starts.
 *
 * Source: Kubernetes v1.35.0, `nodeipam/ipam/range_allocator.go`, `cidrset/cidr_set.go`,
 * `nodeipam/node_ipam_controller.go`, and `setNodeCIDRMaskSizes` of `cmd/kube-controller-manager/app/core.go`.
 */
export class NodeRanges {
  private readonly sets: readonly RangeSet[];

  /** Throws an `Error` with the words with which the controller manager ends. */
  constructor(
    { clusterCidrs, serviceCidrs, maskSizes }: NodeIpamFacts,
    nodes: readonly RangedNode[],
  ) {
    checkVersions(clusterCidrs);
    const lengths = nodeLengths(clusterCidrs, maskSizes);
    this.sets = clusterCidrs.map((cidr, index) => new RangeSet(cidr, lengths[index] ?? 0));
    for (const cidr of serviceCidrs) {
      for (const set of this.sets.filter((each) => networksOverlap(each.cidr, cidr))) {
        set.occupy(cidr);
      }
    }
    for (const node of nodes) {
      this.occupy(node);
    }
  }

  /** The ranges of a node that has none; undefined if one of them is used up. */
  allocate(): readonly string[] | undefined {
    const ranges: string[] = [];
    for (const set of this.sets) {
      const range = set.next();
      if (range === undefined) {
        return undefined;
      }
      ranges.push(range);
    }
    return ranges;
  }

  /** Gives back the ranges of a node that is deleted. */
  release({ podCidrs }: RangedNode): void {
    podCidrs.forEach((cidr, index) => this.sets[index]?.release(cidr));
  }

  private occupy({ name, podCidrs }: RangedNode): void {
    podCidrs.forEach((cidr, index) => {
      const set = this.sets[index];
      if (set === undefined) {
        throw new Error(
          `node:${name} has an allocated cidr: ${cidr} at index:${index} that does not exist in cluster cidrs configuration`,
        );
      }
      const problem = set.occupy(cidr);
      if (problem !== undefined) {
        throw new Error(
          `failed to mark cidr[${cidr}] at idx [${index}] as occupied for node: ${name}: ${problem}`,
        );
      }
    });
  }
}

/** The shares of one range, by their numbers. */
class RangeSet {
  readonly cidr: string;
  private readonly network: Address4 | Address6;
  private readonly nodeLength: number;
  private readonly count: number;
  private readonly used = new Set<number>();
  private candidate = 0;

  constructor(cidr: string, nodeLength: number) {
    this.cidr = cidr;
    this.network = parseNetwork(cidr);
    this.nodeLength = nodeLength;
    const bits = nodeLength - this.network.subnetMask;
    if (bits < 0) {
      throw new Error(
        "Controller: Invalid --cluster-cidr, mask size of cluster CIDR must be less than or equal to --node-cidr-mask-size configured for CIDR family",
      );
    }
    if (this.network instanceof Address6 && bits > MAX_NODE_BITS) {
      throw new Error("New CIDR set failed; the node CIDR size is too big");
    }
    this.count = 2 ** bits;
  }

  next(): string | undefined {
    if (this.used.size === this.count) {
      return undefined;
    }
    while (this.used.has(this.candidate)) {
      this.candidate = (this.candidate + 1) % this.count;
    }
    const index = this.candidate;
    this.used.add(index);
    this.candidate = (index + 1) % this.count;
    return `${addressAt(this.cidr, BigInt(index) << this.hostBits)}/${this.nodeLength}`;
  }

  /** Marks the shares of a range as used. Returns what is wrong with one that is none of this range. */
  occupy(cidr: string): string | undefined {
    if (!isWithin(cidr, this.cidr) && !isWithin(this.cidr, cidr)) {
      return `cidr ${cidr} is out the range of cluster cidr ${this.cidr}`;
    }
    for (const index of this.indexesOf(cidr)) {
      this.used.add(index);
    }
    return undefined;
  }

  release(cidr: string): void {
    for (const index of this.indexesOf(cidr)) {
      this.used.delete(index);
    }
  }

  private indexesOf(cidr: string): readonly number[] {
    const part = parseNetwork(cidr);
    const indexOf = (address: bigint) => Number((address - this.start) >> this.hostBits);
    const isPart = part.subnetMask > this.network.subnetMask;
    const first = isPart ? indexOf(part.startAddress().bigInt()) : 0;
    const last = isPart ? indexOf(part.endAddress().bigInt()) : this.count - 1;
    return Array.from({ length: last - first + 1 }, (_, index) => first + index);
  }

  private get start(): bigint {
    return this.network.startAddress().bigInt();
  }

  private get hostBits(): bigint {
    return BigInt((this.network instanceof Address4 ? 32 : 128) - this.nodeLength);
  }
}

/** The address of a network at this distance from its first. */
export function addressAt(cidr: string, offset: bigint): string {
  const first = parseNetwork(cidr).startAddress();
  const value = first.bigInt() + offset;
  const address =
    first instanceof Address4 ? Address4.fromBigInt(value) : Address6.fromBigInt(value);
  return address.correctForm();
}

/** How many addresses a network has. */
export function sizeOf(cidr: string): bigint {
  const network = parseNetwork(cidr);
  return network.endAddress().bigInt() - network.startAddress().bigInt() + 1n;
}

function checkVersions(cidrs: readonly string[]): void {
  const versions = new Set(cidrs.map((cidr) => cidr.includes(":")));
  if (cidrs.length > 1 && versions.size === 1) {
    throw new Error(
      `len of ClusterCIDRs==${cidrs.length} and they are not configured as dual stack (at least one from each IPFamily`,
    );
  }
  if (cidrs.length > 2) {
    throw new Error(`length of clusterCIDRs is:${cidrs.length} more than max allowed of 2`);
  }
}

function nodeLengths(
  cidrs: readonly string[],
  given: NodeIpamFacts["maskSizes"],
): readonly number[] {
  const versions = cidrs.map((cidr) => (cidr.includes(":") ? 6 : 4));
  const isDual = versions.length > 1;
  if (given.any !== 0 && isDual) {
    throw new Error("usage of --node-cidr-mask-size is not allowed with dual-stack clusters");
  }
  if (given.any !== 0 && (given[4] !== 0 || given[6] !== 0)) {
    throw new Error(
      "usage of --node-cidr-mask-size-ipv4 and --node-cidr-mask-size-ipv6 is not allowed if --node-cidr-mask-size is set. For dual-stack clusters please unset it and use IPFamily specific flags",
    );
  }
  const [only] = versions;
  const other = only === 4 ? 6 : 4;
  // The program looks at IPv6 only without a length for IPv4.
  if (!isDual && given.any === 0 && given[other] !== 0 && (other === 4 || given[4] === 0)) {
    throw new Error(
      `usage of --node-cidr-mask-size-ipv${other} is not allowed for a single-stack IPv${only} cluster`,
    );
  }
  return versions.map((version) => given.any || given[version] || NODE_LENGTHS[version]);
}
