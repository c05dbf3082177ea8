// Why this room is as it is: docs/decisions/network.md.

export type { FirewallPort } from "./firewallPort";
export { type FirewallPeer, type FirewallRule, KUBERNETES_API_PORT } from "./planFirewallRules";
