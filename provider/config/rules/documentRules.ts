import { parseDuration } from "../schema/duration";
import { checkBgpInstance } from "./bgpRules";
import { checkCelVariables } from "./celRules";
import { checkContainer } from "./containerRules";
import type { DocumentView } from "./documentView";
import { checkImageVerification, checkRegistryTls } from "./imageRules";
import { kubernetesDocumentRules } from "./kubernetesDocumentRules";
import {
  checkBlackholeRoute,
  checkLink,
  checkLinkAlias,
  checkRoutingRule,
  checkVeth,
  checkVlan,
  checkVrf,
  checkWireguardDocument,
} from "./linkRules";
import { networkDocumentRules } from "./networkDocumentRules";
import {
  checkLogicalVolume,
  checkRaidArray,
  checkScrubDocument,
  checkTrimDocument,
  checkVolumeGroup,
} from "./storageDocumentRules";
import { systemDocumentRules } from "./systemDocumentRules";
import {
  checkBareVolume,
  checkExistingVolume,
  checkExternalVolume,
  checkSystemVolume,
  checkUserVolume,
} from "./volumeRules";

/**
 * Checks of documents beyond their schema, by kind. Source: the Validate methods of
 * pkg/machinery/config/types, Talos v1.12.1 to v1.14.1.
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
  ["LinkAliasConfig", checkLinkAlias],
  ["VLANConfig", checkVlan],
  ["VRFConfig", checkVrf],
  ["BlackholeRouteConfig", checkBlackholeRoute],
  ["RoutingRuleConfig", checkRoutingRule],
  ["EnvironmentConfig", checkEnvironment],
  ["OOMConfig", checkOutOfMemory],
  ["ImageVerificationConfig", checkImageVerification],
  ["WireguardConfig", checkWireguardDocument],
  ["VolumeConfig", checkSystemVolume],
  ["UserVolumeConfig", checkUserVolume],
  ["RawVolumeConfig", checkBareVolume],
  ["SwapVolumeConfig", checkBareVolume],
  ["ExistingVolumeConfig", checkExistingVolume],
  ["ExternalVolumeConfig", checkExternalVolume],
  // Since v1.14.
  ["VethConfig", checkVeth],
  ["BGPInstanceConfig", checkBgpInstance],
  ["ContainerConfig", checkContainer],
  ["FilesystemTrimConfig", checkTrimDocument],
  ["FilesystemScrubConfig", checkScrubDocument],
  ["LVMVolumeGroupConfig", checkVolumeGroup],
  ["LVMLogicalVolumeConfig", checkLogicalVolume],
  ["RAIDArrayConfig", checkRaidArray],
  ...networkDocumentRules,
  ...systemDocumentRules,
  ...kubernetesDocumentRules,
]);

function checkHostname(view: DocumentView): void {
  const hostname = view.text("hostname");
  const automatic = (view.text("auto") ?? "off") !== "off";
  // Since v1.13, "off" alone is enough: Talos then sets no hostname.
  const saysNothing = view.talosMinor < 13 ? !automatic : view.text("auto") === undefined;
  if (saysNothing && hostname === undefined) {
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
  view.checkText(
    ["url"],
    (url) => /^(?:tcp|udp):\/\/[^/?#]*:\d+\/?$/.test(url),
    "has to be tcp:// or udp:// with a host and a port and nothing after, like tcp://10.0.0.1:5140",
  );
}

function checkEventSink(view: DocumentView): void {
  view.requireText(
    ["endpoint"],
    (endpoint) => /^(?:\[[^\]]+\]|[^:]*):\w+$/.test(endpoint),
    "is not a host and a port, like 10.0.0.1:8080",
  );
}

function checkSideroLink(view: DocumentView): void {
  view.require("where machines register, like grpc://omni.example.com:8090?jointoken=…", [
    "apiUrl",
  ]);
  view.checkText(
    ["apiUrl"],
    (url) => /^(?:https|grpc):\/\/[^/?#]+\/?(?:[?#].*)?$/.test(url),
    "has to be https:// or grpc:// without a path",
  );
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
    view.requireText(
      ["endpoints", index, "url"],
      (url) => /^https?:\/\/[^/]/.test(url),
      "has to be the http:// or https:// URL of a registry",
    );
  });
}

function checkRegistryAuth(view: DocumentView): void {
  const ways = ["username", "auth", "identityToken"].filter((key) => view.text(key) !== undefined);
  if (ways.length > 1) {
    view.report([], `has several kinds of credentials: keep only one of ${ways.join(", ")}`);
  }
}

function checkOutOfMemory(view: DocumentView): void {
  view.requireNotNegative(["sampleInterval"]);
  checkCelVariables(view, ["triggerExpression"], "memory");
  checkCelVariables(view, ["cgroupRankingExpression"], "cgroups");
}

function checkEnvironment(view: DocumentView): void {
  for (const [name] of view.entries("variables")) {
    if (!/^[A-Za-z_]\w*$/.test(name)) {
      view.report(
        ["variables", name],
        `${JSON.stringify(name)} is not a name for an environment variable: letters, digits and "_", not starting with a digit`,
      );
    }
  }
}
