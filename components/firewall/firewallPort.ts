/** The protocol and the ports of a rule. */
export interface FirewallPort {
  /** `ipip` is IP in IP, protocol 4. */
  readonly protocol: "tcp" | "udp" | "icmp" | "ipip";
  /**
   * First and last port; of ICMP its type and code, so a ping is `{ from: 8, to: 0 }`. Absent when
   * the protocol has none.
   */
  readonly ports?: { readonly from: number; readonly to: number };
}

/** One TCP port, or several in a row. */
export const tcp = (from: number, to = from): FirewallPort => ({
  protocol: "tcp",
  ports: { from, to },
});

/** One UDP port. */
export const udp = (port: number): FirewallPort => ({
  protocol: "udp",
  ports: { from: port, to: port },
});
