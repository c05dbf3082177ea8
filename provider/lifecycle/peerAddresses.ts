import type { EtcdMember } from "../api/etcdCalls";

/** Where the other members of etcd find one; IPv6 addresses without brackets. */
export function peerAddresses({ peerUrls }: Pick<EtcdMember, "peerUrls">): string[] {
  // Such as `https://10.0.0.4:2380`.
  return peerUrls.map((url) => new URL(url).hostname.replace(/^\[(.*)\]$/, "$1"));
}
