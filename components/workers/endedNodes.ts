import * as aws from "@pulumi/aws";
import type * as pulumi from "@pulumi/pulumi";
import { deleteNode } from "../../provider/lifecycle";
import { isIpv6, overlaps, parseCidr } from "../network/cidr";
import { type NodeObserver, withNodes } from "./nodeObserver";
import { machinesAt } from "./poolMachines";

/** The states of machines that exist, or may come back. */
const EXISTING = ["pending", "running", "stopping", "stopped"];

/** A filter of EC2's takes 200 values, and a node may have two addresses. The next update sees to the others. */
const MOST_AT_ONCE = 100;

/** What AWS knows of a network. */
export interface NetworkMachines {
  /** Asks for the IPv4 ranges of the network. */
  readonly ranges: () => Promise<readonly string[]>;
  /** Asks which of some addresses machines of the network have that exist, also stopped ones. */
  readonly existingAt: (addresses: readonly string[]) => Promise<ReadonlySet<string>>;
}

/**
 * Deletes Kubernetes nodes of terminated instances, if no cloud controller did: of groups that shrank or
 * are gone, of spot instances, and of lost ones. They would stay, not ready, and hold up the rollout of
 * every DaemonSet. A node stays if it is ready, if it has no address in the
 * network, or if its machine is only stopped. AWS finds machines by their first private address: a node
 * that has only another address, and isn't ready, is removed until its kubelet starts again.
 *
 * @param report gets a line for each node
 */
export async function removeEnded(
  observer: NodeObserver | undefined,
  network: NetworkMachines,
  report: (line: string) => void,
): Promise<void> {
  await withNodes(observer, async (nodes, access, signal) => {
    const away = nodes.filter(({ isReady }) => !isReady);
    if (away.length === 0) {
      return;
    }
    const ranges = (await network.ranges()).map(parseCidr);
    const own = away
      .map((node) => ({
        node,
        addresses: node.addresses.filter(
          (each) =>
            !isIpv6(each) && ranges.some((range) => overlaps(range, parseCidr(`${each}/32`))),
        ),
      }))
      .filter(({ addresses }) => addresses.length > 0)
      .slice(0, MOST_AT_ONCE);
    if (own.length === 0) {
      return;
    }
    const existing = await network.existingAt(own.flatMap(({ addresses }) => addresses));
    for (const { node, addresses } of own) {
      if (!addresses.some((address) => existing.has(address))) {
        await deleteNode(access, node, signal);
        report(
          `deletes the node ${node.name} from Kubernetes: AWS has no machine with its address ${addresses.join(", ")} any more`,
        );
      }
    }
  });
}

/**
 * Asks AWS about a network. Needs `ec2:DescribeVpcs` and `ec2:DescribeInstances`.
 *
 * @param options to find the provider
 */
export function machinesOfNetwork(vpcId: string, options: pulumi.InvokeOptions): NetworkMachines {
  return {
    ranges: async () => {
      const { cidrBlock, cidrBlockAssociations } = await aws.ec2.getVpc({ id: vpcId }, options);
      const more = cidrBlockAssociations.filter(({ state }) => state === "associated");
      return [...new Set([cidrBlock, ...more.map((each) => each.cidrBlock)])];
    },
    existingAt: (addresses) => machinesAt(addresses, { states: EXISTING, vpcId }, options),
  };
}
