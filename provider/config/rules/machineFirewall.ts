import { type ConfigDocument, documentId, isMapping, textAt } from "../machineConfig";
import { isCidr } from "../schema/formats";
import { halvesOf, isWithin, networksOverlap } from "../schema/ipNetwork";
import { fieldsOfDocuments } from "../settings/fieldsOf";
import { DocumentView } from "./documentView";

/** Ports of a machine, and what they are for. */
export interface PortUse {
  readonly first: number;
  /** Inclusive. Default: `first`. */
  readonly last?: number;
  readonly protocol: "tcp" | "udp";
  /** Name of a rule that opens them. Source: Talos' docs, "Ingress firewall". */
  readonly rule: string;
  /** What uses them, for a message. */
  readonly use: string;
}

/** A document NetworkRuleConfig. */
interface FirewallRule {
  readonly id: string;
  readonly protocol: string | undefined;
  /** Inclusive ranges. */
  readonly ranges: readonly (readonly [first: number, last: number])[];
  /** Whether anybody else than the machine itself may come in. */
  readonly letsIn: boolean;
  readonly sources: Sources;
}

/** The addresses that a rule matches. */
interface Sources {
  /** Undefined if they aren't all known. */
  readonly networks: readonly string[] | undefined;
  /** Those of them that it doesn't match. */
  readonly excepted: readonly string[];
}

const LOOPBACKS = ["127.0.0.0/8", "::1/128"];

/** `50000/tcp`, `2379-2380/tcp`. */
export function describePorts({ first, last = first, protocol }: PortUse): string {
  return `${first === last ? first : `${first}-${last}`}/${protocol}`;
}

/** The firewall of a machine itself, as the documents of its configuration set it. */
export class MachineFirewall {
  private constructor(
    private readonly views: readonly DocumentView[],
    /** The machine configuration proper, with the settings of documents. */
    readonly config: DocumentView,
  ) {}

  /** Undefined without a machine configuration proper. */
  static of(documents: readonly ConfigDocument[], talosMinor: number): MachineFirewall | undefined {
    const views = documents.map((document) => new DocumentView(document, talosMinor));
    return views.some(({ id }) => id === "v1alpha1")
      ? new MachineFirewall(views, new DocumentView(fieldsOfDocuments(documents), talosMinor))
      : undefined;
  }

  /** The document of a kind without names. */
  readonly documentOf = (kind: string): DocumentView | undefined =>
    this.views.find(({ document }) => textAt(document, "kind") === kind);

  get isControlPlane(): boolean {
    return this.config.get("machine", "type") !== "worker";
  }

  get hasKubeSpan(): boolean {
    return this.config.get("machine", "network", "kubespan", "enabled") === true;
  }

  /**
   * What closes one of the ports to everybody else: the document of a rule, or `default`. Undefined if
   * somebody may come in at each.
   *
   * A rule opens its ports where the default is `block`. Where it is `accept`, each rule closes its ports
   * to all others. One without networks matches nobody. Sources: Talos v1.12.1 to v1.14.1,
   * `buildIngressChain`, and `nftables_rule.go` (a match without addresses).
   */
  closedBy({ first, last = first, protocol }: PortUse): string | undefined {
    return portsOf(first, last)
      .map((port) => {
        const about = this.rulesAbout(port, protocol);
        const closing = about.find(({ letsIn }) => !letsIn)?.id;
        const isOpened = about.some(({ letsIn }) => letsIn);
        return this.isBlocking ? (isOpened ? undefined : (closing ?? "default")) : closing;
      })
      .find((each) => each !== undefined);
  }

  /**
   * Whether some addresses of a network can't come in at one of the ports, by the same sources. Where the
   * default is `block`, the rules about a port open it together; otherwise each of them closes it.
   */
  keepsOut({ first, last = first, protocol }: PortUse, network: string): boolean {
    return portsOf(first, last).some((port) => {
      const about = this.rulesAbout(port, protocol).map(({ sources }) => sources);
      return this.isBlocking
        ? !covers(about, network)
        : about.some((each) => !covers([each], network));
    });
  }

  private rulesAbout(port: number, protocol: string): readonly FirewallRule[] {
    return this.rules.filter(
      (rule) =>
        rule.protocol === protocol && rule.ranges.some(([from, to]) => from <= port && port <= to),
    );
  }

  private get isBlocking(): boolean {
    return this.documentOf("NetworkDefaultActionConfig")?.text("ingress") === "block";
  }

  private get rules(): readonly FirewallRule[] {
    return this.views
      .filter(({ document }) => textAt(document, "kind") === "NetworkRuleConfig")
      .map((view) => ({
        id: documentId(view.document),
        protocol: view.text("portSelector", "protocol"),
        ranges: view.list("portSelector", "ports").map((ports) => {
          const text = typeof ports === "number" || typeof ports === "string" ? String(ports) : "";
          const [from = NaN, to = from] = text.split("-").map(Number);
          return [from, to] as const;
        }),
        ...sourcesOf(view),
      }));
  }
}

/**
 * Whom a rule lets in. Anybody else than the machine may come in if one of the networks is neither loopback
 * nor excepted: the exceptions count for all of them, and what isn't known yet counts as letting in.
 */
function sourcesOf(view: DocumentView): Pick<FirewallRule, "letsIn" | "sources"> {
  const items = view.list("ingress").filter(isMapping);
  const networks = items.map((item) => textAt(item, "subnet") ?? "");
  const excepted = items.flatMap((item) => textAt(item, "except") ?? []).filter(isCidr);
  const closed = [...LOOPBACKS, ...excepted];
  return {
    letsIn: networks.some(
      (subnet) => !isCidr(subnet) || !closed.some((network) => isWithin(subnet, network)),
    ),
    sources: { networks: networks.every(isCidr) ? networks : undefined, excepted },
  };
}

/** Whether rules match all addresses of a network. What isn't known yet counts as matching. */
function covers(rules: readonly Sources[], network: string): boolean {
  const known = rules.map(({ networks = [network], excepted }) => ({ networks, excepted }));
  const isCovered = known.some(
    ({ networks, excepted }) =>
      networks.some((each) => isWithin(network, each)) &&
      !excepted.some((each) => networksOverlap(each, network)),
  );
  const isTouched = known.some(({ networks }) =>
    networks.some((each) => networksOverlap(each, network)),
  );
  const halves = isCovered || !isTouched ? [] : halvesOf(network);
  return isCovered || (halves.length > 0 && halves.every((half) => covers(known, half)));
}

function portsOf(first: number, last: number): readonly number[] {
  return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}
