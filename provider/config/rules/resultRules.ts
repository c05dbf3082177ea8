import type { ConfigProblem } from "../configError";
import { type ConfigDocument, isMapping, textAt } from "../machineConfig";
import type { Path } from "../path";
import { checkClusterRanges, checkRangeForms } from "./clusterRanges";
import { DocumentView } from "./documentView";
import { firewallProblems } from "./firewallRules";
import { checkHostDns } from "./machineRules";
import { checkLabelValue, checkQualifiedName, isDnsName } from "./names";
import { checkNodeMetadata, checkOwnLabels, itemsOfFlag } from "./nodeMetadata";
import { checkRepeatedSettings } from "./repeatedSettings";
import { hasConfig, SettingsView } from "./settingsView";
import { isTimeSource } from "./unparsedRules";
import {
  clusterNameProblem,
  flagNameProblem,
  hostnameProblem,
  installDiskProblem,
  kmsProblem,
  mirrorProblem,
  moduleNameProblem,
  mtuProblem,
  namespaceProblem,
  registryProblem,
  routeProblem,
  sysctlNameProblem,
  sysctlValueProblem,
} from "./valueRules";

/**
 * What options are refused for, and Talos takes: later, something does not what was meant. Judged are
 * the documents of a machine, wherever their values come from.
 */
export function resultProblems(
  documents: readonly ConfigDocument[],
  talosMinor: number,
): ConfigProblem[] {
  const ofDocuments = documents.flatMap((document) => {
    const rule = resultRules.get(textAt(document, "kind") ?? "");
    const view = new DocumentView(document, talosMinor);
    rule?.(view);
    return view.problems;
  });
  return [
    ...(hasConfig(documents) ? ofSettings(documents, talosMinor) : []),
    ...ofDocuments,
    ...firewallProblems(documents, talosMinor),
  ];
}

function ofSettings(documents: readonly ConfigDocument[], talosMinor: number): ConfigProblem[] {
  const view = new SettingsView(documents, talosMinor);
  checkSettings(view);
  // Those in fields are judged with the sections of the machine and the cluster.
  const hasKind = (kinds: readonly string[]) =>
    documents.some((document) => kinds.includes(textAt(document, "kind") ?? ""));
  if (hasKind(["KubeNetworkConfig"])) {
    checkClusterRanges(view);
  }
  if (hasKind(["KubeNodeConfig", "KubeletConfig"])) {
    checkOwnLabels(view);
  }
  return view.problems;
}

/** Settings that stand in fields, or in the documents that replace those. */
function checkSettings(view: DocumentView): void {
  judgeText(view, ["cluster", "clusterName"], clusterNameProblem);
  checkRangeForms(view);
  checkRepeatedSettings(view);
  checkCustomNetwork(view);
  checkHostDns(view);
  judgeText(view, ["machine", "network", "hostname"], hostnameProblem);
  judgeText(view, ["machine", "install", "disk"], installDiskProblem);
  judgeTexts(view, ["machine", "network", "searchDomains"], searchDomainProblem);
  judgeTexts(
    view,
    ["machine", "features", "kubernetesTalosAPIAccess", "allowedKubernetesNamespaces"],
    namespaceProblem,
  );
  for (const [key, value] of view.entries("machine", "sysctls")) {
    view.report(["machine", "sysctls", key], sysctlNameProblem(key) ?? sysctlValueProblem(value));
  }
  checkFlagNames(view);
  checkModules(view);
  checkMirrors(view);
  for (const volume of ["state", "ephemeral"]) {
    checkVolumeKeys(view, ["machine", "systemDiskEncryption", volume, "keys"]);
  }
  checkNodeFlags(view);
  checkRegisteredTaints(view, ["machine", "kubelet", "extraConfig", "registerWithTaints"]);
  view.list("machine", "network", "interfaces").forEach((_, index) => {
    checkLinkValues(view, ["machine", "network", "interfaces", index], "network");
  });
}

/** What no field has, by the kind of the document. */
const resultRules: ReadonlyMap<string, (view: DocumentView) => void> = new Map([
  [
    "RegistryMirrorConfig",
    (view) => {
      judgeText(view, ["name"], registryProblem);
      view.list("endpoints").forEach((_, index) => {
        judgeText(view, ["endpoints", index, "url"], mirrorProblem);
      });
    },
  ],
  ["ResolverConfig", (view) => judgeTexts(view, ["searchDomains", "domains"], searchDomainProblem)],
  ["TimeSyncConfig", (view) => judgeTexts(view, ["ntp", "servers"], timeServerProblem)],
  ...["VolumeConfig", "UserVolumeConfig", "RawVolumeConfig", "SwapVolumeConfig"].map(
    (kind) =>
      [kind, (view: DocumentView) => checkVolumeKeys(view, ["encryption", "keys"])] as const,
  ),
  ...["LinkConfig", "DummyLinkConfig", "BondConfig", "BridgeConfig", "VLANConfig"].map(
    (kind) => [kind, (view: DocumentView) => checkLinkValues(view, [], "destination")] as const,
  ),
  ["DHCPv4Config", (view) => judgeText(view, ["name"], linkNameProblem)],
  ["DHCPv6Config", (view) => judgeText(view, ["name"], linkNameProblem)],
] satisfies readonly (readonly [string, (view: DocumentView) => void])[]);

function judgeText(
  view: DocumentView,
  path: Path,
  problemOf: (text: string) => string | undefined,
): void {
  const text = view.text(...path);
  view.report(path, text === undefined ? undefined : problemOf(text));
}

function judgeTexts(
  view: DocumentView,
  path: Path,
  problemOf: (text: string) => string | undefined,
): void {
  for (const [where, text] of view.texts(...path)) {
    view.report(where, problemOf(text));
  }
}

function searchDomainProblem(domain: string): string | undefined {
  return isDnsName(domain)
    ? undefined
    : `${JSON.stringify(domain)} is not a DNS name, like "example.com"`;
}

/** Names of links from the kernel are longer in their other forms, so any length is one. */
function linkNameProblem(name: string): string | undefined {
  return /^[^\s/:]+$/.test(name)
    ? undefined
    : `${JSON.stringify(name)} is not a name for a network interface, like "eth1"`;
}

function checkCustomNetwork(view: DocumentView): void {
  const cni = ["cluster", "network", "cni"];
  if (view.get(...cni, "name") === "custom" && view.list(...cni, "urls").length === 0) {
    view.report(
      [...cni, "urls"],
      'are missing: a custom CNI is installed from them; write "none" to install one later',
    );
  }
}

function checkFlagNames(view: DocumentView): void {
  const components = ["apiServer", "controllerManager", "scheduler", "proxy", "etcd"];
  const programs = [["machine", "kubelet"], ...components.map((name) => ["cluster", name])];
  for (const program of programs) {
    const args = view.get(...program, "extraArgs");
    for (const flag of isMapping(args) ? Object.keys(args) : []) {
      view.report([...program, "extraArgs", flag], flagNameProblem(flag));
    }
  }
}

function checkModules(view: DocumentView): void {
  const modules = ["machine", "kernel", "modules"];
  const names = new Set<string>();
  view.list(...modules).forEach((_, index) => {
    const path = [...modules, index, "name"];
    const name = view.text(...path) ?? "";
    view.report(
      path,
      names.has(name)
        ? `${JSON.stringify(name)} is there twice: put all its parameters into one entry`
        : moduleNameProblem(name),
    );
    names.add(name);
  });
}

function checkMirrors(view: DocumentView): void {
  const mirrors = ["machine", "registries", "mirrors"];
  const all = view.get(...mirrors);
  for (const registry of isMapping(all) ? Object.keys(all) : []) {
    view.report([...mirrors, registry], registryProblem(registry));
    judgeTexts(view, [...mirrors, registry, "endpoints"], mirrorProblem);
  }
}

function checkVolumeKeys(view: DocumentView, path: Path): void {
  view.list(...path).forEach((_, index) => {
    judgeText(view, [...path, index, "kms", "endpoint"], kmsProblem);
    const passphrase = [...path, index, "static", "passphrase"];
    if (view.isMapping(...path, index, "static") && (view.text(...passphrase) ?? "") === "") {
      view.report(passphrase, "is empty: anyone could open the volume");
    }
  });
}

/** Labels and taints that the kubelet gets as flags. It ends for one that is wrong. */
function checkNodeFlags(view: DocumentView): void {
  const extraArgs = ["machine", "kubelet", "extraArgs"];
  for (const flag of [
    "node-labels",
    "node_labels",
    "register-with-taints",
    "register_with_taints",
  ]) {
    const path = [...extraArgs, flag];
    for (const item of itemsOfFlag(view, path).filter((each) => each !== "")) {
      const [key, value] = [item.replace(/=.*$/s, ""), item.replace(/^[^=]*=?/, "")] as const;
      const problems = flag.endsWith("labels")
        ? [checkQualifiedName(key), checkLabelValue(value)]
        : checkNodeMetadata("nodeTaints", key, value.replace(/^:/, ""));
      view.report(
        path,
        problems.find((problem) => problem !== undefined),
      );
    }
  }
}

function checkRegisteredTaints(view: DocumentView, path: Path): void {
  view.list(...path).forEach((_, index) => {
    const [key, value, effect] = ["key", "value", "effect"].map(
      (part) => view.text(...path, index, part) ?? "",
    );
    const taint = value === "" ? (effect ?? "") : `${value ?? ""}:${effect ?? ""}`;
    for (const problem of checkNodeMetadata("nodeTaints", key ?? "", taint)) {
      view.report([...path, index], problem);
    }
  });
}

/** @param destination what the network of a route is called there */
function checkLinkValues(view: DocumentView, path: Path, destination: string): void {
  judgeText(view, [...path, path.length === 0 ? "name" : "interface"], linkNameProblem);
  const mtu = view.get(...path, "mtu");
  // 0 is the kernel's own size.
  if (typeof mtu === "number" && mtu !== 0) {
    view.report([...path, "mtu"], mtuProblem(mtu));
  }
  view.list(...path, "routes").forEach((_, index) => {
    const route = [...path, "routes", index];
    const addresses = [destination, "gateway", "source"].map((key) => view.text(...route, key));
    view.report(route, routeProblem(addresses.map((address) => address ?? "")));
  });
}

/** A name, an address, or a clock of the machine. */
function timeServerProblem(server: string): string | undefined {
  return isTimeSource(server)
    ? undefined
    : `${JSON.stringify(server)} is not a host name or an IP address`;
}
