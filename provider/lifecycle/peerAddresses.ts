import type { EtcdMember } from "../api/etcdCalls";

/** The addresses at which other members find a member of etcd; IPv6 addresses without brackets. */
export function peerAddresses({ peerUrls }: Pick<EtcdMember, "peerUrls">): string[] {
  // For example `https://10.0.0.4:2380`.
  return peerUrls.map((url) => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"));
}
