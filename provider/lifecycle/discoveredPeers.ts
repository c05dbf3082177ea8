import { parse } from "yaml";
import type { CallOptions, TalosClient } from "../api/talosClient";
import { unlessSilent } from "./unlessSilent";

/** What machines know of each other. Source: Talos v1.12.1, `cluster` resources. */
const MEMBERS = { namespace: "cluster", type: "Members.cluster.talos.dev" };

/**
 * An address of each control plane machine that a machine knows, including itself. It forwards to
 * them. Empty while it doesn't answer, or has discovered no machine.
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
