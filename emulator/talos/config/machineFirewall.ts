import { isIP } from "node:net";
import type { ConfigDocument, YamlValue } from "../../../provider/config";
import { textAt, valueAt } from "./yamlPath";

/** A rule of a machine's own firewall, as far as connections over TCP go. */
interface IngressRule {
  /** Inclusive. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** Whether a client that isn't the machine itself can match it. */
  readonly admits: boolean;
}

/** The firewall of a machine: NetworkDefaultActionConfig and NetworkRuleConfig. */
export interface MachineFirewall {
  readonly blocks: boolean;
  readonly rules: readonly IngressRule[];
}

/**
 * Reads the firewall. The clients of a simulated machine are all on this computer, so their addresses say
 * nothing: a rule that lets in some network lets in each of them.
 */
export function machineFirewall(documents: readonly ConfigDocument[]): MachineFirewall {
  const kinds = (kind: string) => documents.filter((document) => document.kind === kind);
  const [action] = kinds("NetworkDefaultActionConfig");
  return {
    blocks: textAt(action, "ingress") === "block",
    rules: kinds("NetworkRuleConfig")
      .filter((rule) => textAt(rule, "portSelector", "protocol") === "tcp")
      .map((rule) => ({
        ranges: listAt(rule, "portSelector", "ports").map((ports) => {
          const text = typeof ports === "object" ? "" : String(ports);
          const [first = NaN, last = first] = text.split("-").map(Number);
          return [first, last] as const;
        }),
        admits: admits(listAt(rule, "ingress")),
      })),
  };
}

/**
 * Whether packets for new connections to a TCP port are dropped. A rule opens its ports where the default is
 * `block`, and closes them to all others where it is `accept`. Connections that exist go on. Sources: Talos
 * v1.12.1 and v1.14.1, `nftables_chain_config.go`.
 */
export function dropsConnections({ blocks, rules }: MachineFirewall, port: number): boolean {
  const about = rules.filter(({ ranges }) =>
    ranges.some(([first, last]) => first <= port && port <= last),
  );
  return blocks ? !about.some((rule) => rule.admits) : about.some((rule) => !rule.admits);
}

/** Whether a source is more than the machine itself, and not excepted as a whole. */
function admits(sources: readonly YamlValue[]): boolean {
  const excepted = sources.flatMap((source) => textAt(source, "except") ?? []);
  return sources.some((source) => {
    const subnet = textAt(source, "subnet") ?? "";
    const [address = ""] = subnet.split("/");
    const isOwn = address.startsWith("127.") || address === "::1";
    return isIP(address) !== 0 && !isOwn && !excepted.includes(subnet);
  });
}

function listAt(root: YamlValue | undefined, ...keys: string[]): readonly YamlValue[] {
  const value = valueAt(root, ...keys);
  return Array.isArray(value) ? value : [];
}
