export type { FirewallPort } from "./firewallPort";
export { type FirewallPeer, type FirewallRule, KUBERNETES_API_PORT } from "./planFirewallRules";
