import { isAddress } from "../schema/formats";
import type { DocumentView } from "./documentView";
import { checkKubeSpanFilters, minKubeSpanMtu } from "./kubeSpanRules";

/**
 * Checks of documents about the network beyond their schema, by kind, but for links. Source: the
 * Validate methods of pkg/machinery/config/types/network, Talos v1.12.1 to v1.14.1.
 */
export const networkDocumentRules: readonly (readonly [string, (view: DocumentView) => void])[] = [
  ["NetworkRuleConfig", checkNetworkRule],
  ["StaticHostConfig", checkStaticHost],
  ["Layer2VIPConfig", (view) => checkVip(view)],
  ["TCPProbeConfig", checkTcpProbe],
  ["KubeSpanConfig", checkKubeSpan],
  ["TimeSyncConfig", checkTimeSync],
  ["DHCPv4Config", checkDhcp],
  ["DHCPv6Config", checkDhcp],
  [
    "HCloudVIPConfig",
    (view) => {
      checkVip(view);
      view.require("", ["apiToken"]);
    },
  ],
  // Since v1.14.
  ["ResolverConfig", checkResolvers],
  ["HTTPProbeConfig", checkHttpProbe],
];

function checkNetworkRule(view: DocumentView): void {
  const path = ["portSelector", "ports"];
  view.require("which ports the rule opens", path);
  view.require("tcp, udp, icmp or icmpv6", ["portSelector", "protocol"]);
  const ranges = view.list(...path).map((port, index) => {
    const text = typeof port === "number" || typeof port === "string" ? String(port) : "";
    const [first = NaN, last = first] = text.split("-").map(Number);
    return { first, last, index };
  });
  view.list("ingress").forEach((_, index) => {
    view.require("who may come in, like 10.0.0.0/8", ["ingress", index, "subnet"]);
  });
  for (const { first, last, index } of ranges) {
    const other = ranges.find(
      (range) => range.index < index && range.first <= last && first <= range.last,
    );
    if (other !== undefined) {
      view.report(
        [...path, index],
        `${view.quote(...path, index)} overlaps with ${view.quote(...path, other.index)}: each port may be there once`,
      );
    }
  }
}

function checkStaticHost(view: DocumentView): void {
  checkAddressName(view);
  view.require("the names of the address", ["hostnames"]);
}

function checkVip(view: DocumentView): void {
  checkAddressName(view);
  view.require("the link that carries the address", ["link"]);
}

function checkAddressName(view: DocumentView): void {
  view.requireText(["name"], isAddress, "has to be an IP address");
}

function checkTimeSync(view: DocumentView): void {
  if (view.isMapping("ntp") && view.isMapping("ptp")) {
    view.report(["ptp"], "can't be set together with ntp: leave one out");
  }
  view.requireNotNegative(["bootTimeout"]);
}

function checkDhcp(view: DocumentView): void {
  const wanted = view.text("clientIdentifier") === "duid";
  const given = view.text("duidRaw") !== undefined;
  if (wanted && !given) {
    view.report(["duidRaw"], 'is required with clientIdentifier "duid"');
  } else if (given && !wanted) {
    view.report(["duidRaw"], 'has no effect: set clientIdentifier to "duid", or leave it out');
  }
}

function checkTcpProbe(view: DocumentView): void {
  view.require("a host and a port, like 10.0.0.1:443", ["endpoint"]);
  checkProbe(view);
}

function checkHttpProbe(view: DocumentView): void {
  view.requireText(
    ["url"],
    (url) => /^https?:\/\/[^/?#]+/i.test(url),
    "is not a URL that can be asked, like https://example.com/health",
  );
  checkProbe(view);
}

function checkProbe(view: DocumentView): void {
  for (const key of ["timeout", "interval", "failureThreshold"]) {
    view.requireNotNegative([key]);
  }
}

/** What came with v1.14: the machine's own resolver, and encrypted protocols. */
function checkResolvers(view: DocumentView): void {
  if (view.get("hostDNS", "enabled") !== true) {
    for (const key of ["forwardKubeDNSToHost", "resolveMemberNames"]) {
      if (view.get("hostDNS", key) === true) {
        view.report(["hostDNS", "enabled"], `has to be true for ${key} to work`);
      }
    }
  }
  view.list("nameservers").forEach((_, index) => {
    const server = ["nameservers", index];
    if (view.talosMinor >= 14) {
      view.require("the IP address of a DNS server", [...server, "address"]);
    }
    const protocol = view.text(...server, "protocol");
    const named = view.text(...server, "tlsServerName") !== undefined;
    const encrypted = protocol === "DoT" || protocol === "DoH";
    if (encrypted !== named) {
      view.report(
        [...server, "tlsServerName"],
        encrypted
          ? `is required for the protocol ${protocol}: the name in the server's certificate`
          : "has no effect without the protocol DoT or DoH: leave it out",
      );
    }
  });
}

function checkKubeSpan(view: DocumentView): void {
  const mtu = view.get("mtu");
  if (typeof mtu === "number" && mtu < minKubeSpanMtu) {
    view.report(["mtu"], `${mtu} is too small: IPv6 needs at least ${minKubeSpanMtu}`);
  }
  checkKubeSpanFilters(view, ["filters"]);
}
