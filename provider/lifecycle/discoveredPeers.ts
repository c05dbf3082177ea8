import { parse } from "yaml";
import type { CallOptions, TalosClient } from "../api/talosClient";
import { unlessSilent } from "./unlessSilent";

/** What machines know of each other. Source: Talos v1.12.1, `cluster` resources. */
const MEMBERS = { namespace: "cluster", type: "Members.cluster.talos.dev" };

/**
 * Addresses of the control plane machines that a machine has discovered, including itself. It
 * forwards calls to them. Empty while the machine doesn't answer, or has discovered no other
 * machine.
 */
export async function discoveredPeers(client: TalosClient, call: CallOptions): Promise<string[]> {
  const members = (await unlessSilent(client.listResources(MEMBERS, call))) ?? [];
  return members.flatMap(({ spec }) => {
    const { machineType, addresses = [] } = parse(spec) as Partial<Member>;
    return machineType === "controlplane" ? addresses.slice(0, 1) : [];
  });
}

interface Member {
  readonly machineType: string;
  readonly addresses: readonly string[];
}
