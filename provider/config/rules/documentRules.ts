import { parseDuration } from "../duration";
import { isAddress } from "../formats";
import type { DocumentView } from "./documentView";
import { checkWireguardKey } from "./networkRules";
import {
  checkBareVolume,
  checkExistingVolume,
  checkSystemVolume,
  checkUserVolume,
} from "./volumeRules";

/**
 * What documents of a kind have to be beyond their types, by kind. Source: the Validate methods of
 * pkg/machinery/config/types, Talos v1.12.1.
 */
export const documentRules: ReadonlyMap<string, (view: DocumentView) => void> = new Map([
  ["HostnameConfig", checkHostname],
  ["KmsgLogConfig", (view) => checkLogUrl(view)],
  ["EventSinkConfig", checkEventSink],
  ["SideroLinkConfig", checkSideroLink],
  ["ExtensionServiceConfig", checkExtensionService],
  ["WatchdogTimerConfig", checkWatchdog],
  ["ZswapConfig", checkZswap],
  ["RegistryMirrorConfig", checkRegistryMirror],
  ["RegistryAuthConfig", checkRegistryAuth],
  ["RegistryTLSConfig", checkRegistryTls],
  ["LinkConfig", checkLink],
  ["DummyLinkConfig", checkLink],
  ["BondConfig", checkLink],
  ["BridgeConfig", checkLink],
  ["NetworkRuleConfig", checkNetworkRule],
  ["StaticHostConfig", checkStaticHost],
  ["Layer2VIPConfig", (view) => checkVip(view)],
  [
    "HCloudVIPConfig",
    (view) => {
      checkVip(view);
      view.require("", ["apiToken"]);
    },
  ],
  [
    "LinkAliasConfig",
    (view) => view.require("which link gets the name, in CEL", ["selector", "match"]),
  ],
  ["VLANConfig", checkVlan],
  ["TimeSyncConfig", checkTimeSync],
  ["WireguardConfig", checkWireguardDocument],
  ["DHCPv4Config", checkDhcp],
  ["DHCPv6Config", checkDhcp],
  ["VolumeConfig", checkSystemVolume],
  ["UserVolumeConfig", checkUserVolume],
  ["RawVolumeConfig", checkBareVolume],
  ["SwapVolumeConfig", checkBareVolume],
  ["ExistingVolumeConfig", checkExistingVolume],
]);

function checkHostname(view: DocumentView): void {
  const hostname = view.text("hostname");
  const automatic = (view.text("auto") ?? "off") !== "off";
  if (!automatic && hostname === undefined) {
    view.report([], 'says no hostname: set "auto" to "stable", or "hostname"');
  }
  if (automatic && hostname !== undefined) {
    view.report(
      ["hostname"],
      'can\'t be set together with auto "stable": set auto to "off" (in quotes or not), or leave the hostname out',
    );
  }
  if (hostname !== undefined && !/^[^.]{1,63}(?:\..+)?$/.test(hostname.slice(0, 254))) {
    view.report(
      ["hostname"],
      `${view.quote("hostname")} is not a hostname: its first part has 1 to 63 characters`,
    );
  } else if ((hostname?.length ?? 0) > 253) {
    view.report(
      ["hostname"],
      `has ${hostname?.length ?? 0} characters: a hostname has at most 253`,
    );
  }
}

function checkLogUrl(view: DocumentView): void {
  view.require("where to send kernel logs, like tcp://10.0.0.1:5140", ["url"]);
  const url = view.text("url");
  if (url !== undefined && !/^(?:tcp|udp):\/\/[^/?#]*:\d+\/?$/.test(url)) {
    view.report(
      ["url"],
      `${view.quote("url")} has to be tcp:// or udp:// with a host and a port and nothing after, like tcp://10.0.0.1:5140`,
    );
  }
}

function checkEventSink(view: DocumentView): void {
  if (!/^(?:\[[^\]]+\]|[^:]*):\w+$/.test(view.text("endpoint") ?? "")) {
    view.report(
      ["endpoint"],
      `${view.quote("endpoint")} is not a host and a port, like 10.0.0.1:8080`,
    );
  }
}

function checkSideroLink(view: DocumentView): void {
  view.require("where machines register, like grpc://omni.example.com:8090?jointoken=…", [
    "apiUrl",
  ]);
  const url = view.text("apiUrl");
  if (url !== undefined && !/^(?:https|grpc):\/\/[^/?#]+\/?(?:[?#].*)?$/.test(url)) {
    view.report(["apiUrl"], `${view.quote("apiUrl")} has to be https:// or grpc:// without a path`);
  }
}

function checkExtensionService(view: DocumentView): void {
  const files = view.list("configFiles");
  if (files.length === 0 && view.list("environment").length === 0) {
    view.report([], "configures nothing: set configFiles or environment");
  }
  files.forEach((_, index) => {
    view.require("", ["configFiles", index, "content"], ["configFiles", index, "mountPath"]);
  });
}

function checkWatchdog(view: DocumentView): void {
  view.require("the timer's device, like /dev/watchdog0", ["device"]);
  const timeout = parseDuration(view.text("timeout") ?? "") ?? 0n;
  if (timeout !== 0n && timeout < 10_000_000_000n) {
    view.report(["timeout"], `${view.quote("timeout")} is too short: at least 10s`);
  }
}

function checkZswap(view: DocumentView): void {
  const percent = view.get("maxPoolPercent");
  if (typeof percent === "number" && (percent < 0 || percent > 100)) {
    view.report(["maxPoolPercent"], `${percent} is not a percentage: 0 to 100`);
  }
}

function checkRegistryMirror(view: DocumentView): void {
  view.list("endpoints").forEach((_, index) => {
    const path = ["endpoints", index, "url"];
    if (!/^https?:\/\/[^/]/.test(view.text(...path) ?? "")) {
      view.report(
        path,
        `${view.quote(...path)} has to be the http:// or https:// URL of a registry`,
      );
    }
  });
}

function checkRegistryAuth(view: DocumentView): void {
  const ways = ["username", "auth", "identityToken"].filter((key) => view.text(key) !== undefined);
  if (ways.length > 1) {
    view.report([], `logs in in several ways: leave all but one of ${ways.join(", ")} out`);
  }
}

function checkRegistryTls(view: DocumentView): void {
  for (const [path, content] of [
    [["ca"], "CERTIFICATE"],
    [["clientIdentity", "cert"], "CERTIFICATE"],
    [["clientIdentity", "key"], "PRIVATE KEY"],
  ] as const) {
    const pem = view.text(...path);
    const wanted = pem !== undefined || (path.length > 1 && view.isMapping("clientIdentity"));
    if (wanted && !new RegExp(`-----BEGIN [A-Z0-9 ]*${content}-----`).test(pem ?? "")) {
      view.report(path, `has to be PEM, with a line "-----BEGIN ${content}-----"`);
    }
  }
}

function checkNetworkRule(view: DocumentView): void {
  const path = ["portSelector", "ports"];
  view.require("which ports the rule opens", path);
  view.require("tcp, udp, icmp or icmpv6", ["portSelector", "protocol"]);
  const ranges = view.list(...path).map((port, index) => {
    const text = typeof port === "number" || typeof port === "string" ? String(port) : "";
    const [first = NaN, last = first] = text.split("-").map(Number);
    return { first, last, index };
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
  if (!isAddress(view.text("name") ?? "")) {
    view.report(["name"], `${view.quote("name")} has to be an IP address`);
  }
}

/** The addresses of any kind of link. */
function checkLink(view: DocumentView): void {
  view.list("addresses").forEach((_, index) => {
    const path = ["addresses", index, "address"];
    view.require("an address with its prefix length, like 10.0.0.10/24", path);
    if (/^(?:0\.0\.0\.0|::)\//.test(view.text(...path) ?? "")) {
      view.report(path, `${view.quote(...path)} is no address that a link can have`);
    }
  });
}

function checkVlan(view: DocumentView): void {
  checkLink(view);
  const id = view.get("vlanID");
  if (typeof id === "number" && (id < 1 || id > 4094)) {
    view.report(["vlanID"], `${id} is not the number of a VLAN: 1 to 4094`);
  }
}

function checkTimeSync(view: DocumentView): void {
  if (view.isMapping("ntp") && view.isMapping("ptp")) {
    view.report(["ptp"], "can't be set together with ntp: leave one out");
  }
  if ((parseDuration(view.text("bootTimeout") ?? "") ?? 0n) < 0n) {
    view.report(["bootTimeout"], `${view.quote("bootTimeout")} can't be negative`);
  }
}

function checkWireguardDocument(view: DocumentView): void {
  checkLink(view);
  checkWireguardKey(view, ["privateKey"]);
  const port = view.get("listenPort");
  if (typeof port === "number" && (port < 0 || port > 65535)) {
    view.report(["listenPort"], `${port} is not a port: 0 to 65535`);
  }
  view.list("peers").forEach((_, index) => {
    checkWireguardKey(view, ["peers", index, "publicKey"]);
    if (view.text("peers", index, "presharedKey") !== undefined) {
      checkWireguardKey(view, ["peers", index, "presharedKey"]);
    }
  });
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
