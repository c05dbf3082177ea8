import type { NodeIpConfigSpec } from "../../api/kubeletResources";
import { networksOverlap } from "../../config/schema/ipNetwork";

/**
 * Finds a kubelet that has other addresses than its configuration allows. If no address of the
 * machine fits, Talos only logs it, and the kubelet keeps those that it has until the next boot.
 * Sources: Talos v1.12.1, `k8s/nodeip.go`; `FilterIPs` of siderolabs/net v0.4.0.
 *
 * @param config undefined before Talos has derived it
 * @param addresses undefined before Talos has chosen any
 * @returns ends of sentences
 */
export function judgeNodeAddresses(
  config: NodeIpConfigSpec | undefined,
  addresses: readonly string[] | undefined,
): string[] {
  if (config === undefined || config.validSubnets.length === 0) {
    return [];
  }
  const { validSubnets, excludeSubnets } = config;
  const subnets = [...validSubnets, ...excludeSubnets.map((subnet) => `!${subnet}`)];
  const wrong = (addresses ?? []).filter((address) => !isChosen(address, subnets));
  return wrong.length === 0
    ? []
    : [
        `Talos has found no address of the machine for machine.kubelet.nodeIP.validSubnets, ${validSubnets.join(", ")}, so the kubelet keeps ${wrong.join(", ")}`,
      ];
}

/** Of the entries that contain an address, the last one counts. */
function isChosen(address: string, subnets: readonly string[]): boolean {
  const last = subnets.findLast((subnet) => networksOverlap(address, subnet.replace(/^!/, "")));
  return last !== undefined && !last.startsWith("!");
}
