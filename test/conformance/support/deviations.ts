import { isDeepStrictEqual } from "node:util";
import { parseAllDocuments } from "yaml";
import {
  type ConfigDocument,
  isMapping,
  mapMembers,
  type YamlValue,
} from "../../../provider/config/machineConfig";
import type { Outcome } from "./compare";

/** Something that we do otherwise than Talos, on purpose. */
interface Deviation {
  readonly reason: string;
  /** What we or Talos say then. */
  readonly message: RegExp;
}

/** What we refuse, early and with advice, and Talos takes: all of it comes out later, or never. */
const stricter: readonly Deviation[] = [
  {
    reason: "without these a machine can't join its cluster, or a cluster can't start",
    message: /^v1alpha1: (?:machine|cluster)\S*(?:token|type|ca\.crt|ca\.key): is required/,
  },
  {
    reason: "there is one version of the machine configuration proper",
    message: /^v1alpha1: version: /,
  },
  {
    reason: "kube-apiserver would not start with a key of another length",
    message: /EncryptionSecret: has to be .* bytes in base64/,
  },
  {
    reason: "Talos fails to write a file without an operation, each time it boots",
    message: /machine\.files\[\d+\]\.op: (?:has to be one of|.* is not allowed)/,
  },
  {
    reason: "files have twelve bits of permissions; more is a slip of the pen",
    message: /machine\.files\[\d+\]\.permissions: \d+ is above 4095$/,
  },
  {
    reason: "Kubernetes is served over TLS, at a host and a port",
    message: /cluster\.controlPlane\.endpoint: |^KubeClusterConfig: endpoint: /,
  },
  {
    reason: "events go to a host and a port",
    message: /^EventSinkConfig: endpoint: /,
  },
  {
    reason: "kube-apiserver and kube-controller-manager would not start, or packets get lost",
    message:
      /(?:cluster\.network\.|^KubeNetworkConfig: )(?:pod|service)Subnets\[\d+\]: .* (?:is not a network|overlaps with)/,
  },
  {
    reason: "kube-apiserver, kube-controller-manager or DNS would not start with these ranges",
    message:
      /cluster\.network\.(?:pod|service)Subnets(?:\[\d+\])?: (?:.* is too (?:big|small) for|write one network)/,
  },
  {
    reason: "Kubernetes refuses all labels of a worker for one that it may not set itself",
    message: /is a label that Kubernetes does not let workers set on their own nodes/,
  },
  {
    reason: "Talos ends each boot at a file that it can't create",
    message: /machine\.files\[\d+\]\.path: .* can't be created/,
  },
  {
    reason: "Talos hands these on unread, and what reads them fails later, or says nothing",
    message:
      /(?:clusterDNS\[\d+\]|time\.servers\[\d+\]|certSANs\[\d+\]|extraManifests\[\d+\]|extraHostEntries\[\d+\]\.ip|proxy\.mode|kubePrism\.port|localAPIServerPort|resources\.(?:requests|limits)\.\w+): .* is not /,
  },
  {
    reason: "Talos takes settings of kubelet and flags that it then can't render anything with",
    message:
      /machine\.kubelet\.extraConfig\.|^KubeletConfig: config\.|\.extraArgs\.[\w-]+: can't be set: Talos sets this flag itself/,
  },
  {
    reason:
      "a component ends at once with a file that it can't read, or Talos can't write the file",
    message:
      /(?:cluster\.(?:apiServer\.(?:admissionControl|auditPolicy|authorizationConfig)|scheduler\.config)\b|^Kube(?:AdmissionControl|AuditPolicy|Authentication|Authorizer|Scheduler)Config).*: .*(?:kube-(?:apiserver|scheduler) fails to start with it|Talos can't write the file)/,
  },
  {
    reason: "a component ends at once with a flag, value, gate or plugin that it doesn't know",
    message:
      /\bextraArgs[.[].*: (?:.* (?:has no (?:flag|admission plugin|feature gate) |is not .*: \S+ fails to start with it)|the feature gate )/,
  },
  {
    reason: "minors that this package has no facts of would be judged by another's rules",
    message:
      /image: (?:Kubernetes|Talos) ".*" is (?:(?:newer|older) than this release|not supported)/,
  },
  {
    reason: "a resolver without an address resolves nothing",
    message: /machine\.network\.nameservers\[\d+\]: .* is not an IP address/,
  },
  {
    reason:
      "a machine refuses images it can't tell the version of Kubernetes from, once it has them",
    message: /\bimage: .* (?:has no version of Kubernetes|is too (?:new|old))/,
  },
  {
    reason: "documents that are told apart by name need one",
    message:
      /(?:Config: name: is required: it identifies documents of this kind|^patches\[\d+\].*: name: is required$)/,
  },
  {
    reason: "a wrong word is refused in the patch that has it, even if a later one mends it",
    message:
      /^patches\[\d+\].*(?:is not allowed|has to be "v1alpha1"|has to be one of|is not a (?:URL|CEL|routing table))/,
  },
  {
    reason: "expressions that a patch doesn't name stay, also wrong ones; Talos empties them",
    message: /xpression: there is no variable/,
  },
  {
    reason:
      "sizes that a patch doesn't name stay, also where its own don't fit; Talos empties them",
    message: /Config\/\S+: provisioning\.maxSize: .* is less than minSize, /,
  },
  {
    reason: "an address is a text; an empty list or mapping in its place is a slip of the pen",
    message: /: has to be a text, not a (?:list|mapping)$/,
  },
  {
    reason: "JavaScript has no integers that long; a changed number would be worse",
    message: /an integer beyond ±\d+ can't be kept exactly/,
  },
  {
    reason: "an item of a list or a registry that says nothing is a slip of the pen",
    message: /(?:\[\d+\]|registries\..*): has to be .*, not nothing$/,
  },
  {
    reason: "a fraction for a whole number is a mistake, not to be cut off",
    message: /: has to be a whole number, not /,
  },
  {
    reason: "a JSON patch that copies or tests what is not there is misspelt",
    message: /^patches\[\d+\], operation \d+ \((?:copy|test)\): .*: is not there/,
  },
  {
    reason:
      "a document that is not there can't be deleted; Talos crashes when it writes the result",
    message: /^patches\[\d+\].*: there is no document \S+ to delete from/,
  },
];

/** What Talos refuses and we take. */
const laxer: readonly Deviation[] = [
  {
    reason: "deletions reach an item with an empty URL, at which Talos v1.14 crashes",
    message: /^runtime error: invalid memory address or nil pointer dereference$/,
  },
  {
    reason: "types and fields in CEL are for the machine to judge; we check syntax and variables",
    message: /ERROR: <input>(?!.*undeclared reference to '[a-z_]+')|expression output type is/,
  },
  {
    reason: "deletions reach free values, which Talos has no fields for",
    message: inPath(
      /cluster\.apiServer\.auditPolicy|cluster\.scheduler\.config|cluster\.(?:apiServer|controllerManager|scheduler)\.resources|machine\.pods|machine\.baseRuntimeSpec|machine\.kubelet\.(?:extraConfig|credentialProviderConfig)/,
    ),
  },
  {
    reason: "deletions reach what documents of links have in common, in Talos since v1.13",
    message:
      /document v1alpha1\/(?:\w*Link|Bond|Bridge|VLAN|Wireguard)Config: failed to delete path/,
  },
  {
    reason: "deletions reach list items chosen by a number, true or false, in Talos texts alone",
    message: inPath(/[^']*\.\[\d+\]|rules\.\[\d+\]/),
  },
  {
    reason: "deletions reach the parts of a certificate, which Talos has no fields for",
    message: inPath(/[^']*(?:ca|CA|clientIdentity|serviceAccount)\.(?:crt|key)/),
  },
  {
    reason: "networks that are not in a list, and sizes of a disk, are replaced; Talos can't",
    message: /^merge field .*(?:netip\.\w+|InstallDiskSizeMatcher).*is not settable$/,
  },
  {
    reason: "expressions and sizes that a patch of a volume doesn't name stay; Talos empties them",
    message:
      /(?:disk|volume) selector is required|(?:disk|volume)Selector\.match is required|min size or max size is required|provisioning\.maxSize (?:is required|must not)|minSize must not exceed/,
  },
  {
    reason: "Talos' reader does not take some texts without quotes within braces",
    message:
      /decode error: (?:yaml|go-yaml load error in \w+):? (?:.*(?:did not find expected ',' or '}'|did not find expected node content|found unexpected end of stream)|while parsing a flow node)/,
  },
  {
    reason: "in free values dates are texts, also as keys, and integers are numbers like others",
    message:
      /merge type mismatch .*(?:time\.Time|float64)|cannot deep copy (?:time\.Time|map\[interface \{\}\]interface \{\})/,
  },
  {
    reason:
      "a date without quotes is a text where one is wanted, in Talos until v1.13; we write quotes",
    message: /cannot construct !!timestamp `[^`]*` into string$/,
  },
  {
    reason: "a zero is a duration without a unit too, in Talos since v1.13",
    message: /unmarshal errors:\n {2}line \d+: cannot unmarshal !!int `0` into time\.Duration$/,
  },
  {
    reason: "a rule for any protocol is written so that it can be read again, which Talos' is not",
    message: /Protocol\(0\)/,
  },
];

function inPath(path: RegExp): RegExp {
  return new RegExp(`failed to delete path '(?:${path.source})[^']*'`);
}

/**
 * Whether all in which two outcomes differ is on the list of what we do otherwise on purpose.
 *
 * @param difference what `differenceOf` said
 */
export function isOnPurpose(difference: string, ours: Outcome, theirs: Outcome): boolean {
  switch (difference) {
    case "only we refuse":
      return ours.problems.every((problem) => isListed(problem, stricter));
    case "only Talos refuses":
      return theirs.problems.flatMap(complaintsOf).every((line) => isListed(line, laxer));
    default:
      return isDeepStrictEqual(meaningOf(ours.text), meaningOf(theirs.text));
  }
}

function isListed(message: string, deviations: readonly Deviation[]): boolean {
  return deviations.some((deviation) => deviation.message.test(message));
}

/** The single complaints of one of Talos' messages; a CEL error has several lines. */
function complaintsOf(message: string): string[] {
  const lines = message.split(/\n\s*\* /).filter((part) => !/errors? occurred:$/.test(part.trim()));
  return lines.length === 0 ? [message] : lines;
}

/**
 * The documents of a text, without what is written otherwise on purpose: the style of texts, dates in
 * free values, a `<<` without quotes, which Talos v1.14 reads as nothing, the word for any protocol, what a patch leaves of a volume (see `mergeValue`), and words like `yes`
 * among arguments, which a JSON patch of Talos v1.13 makes a "true".
 */
function meaningOf(text = ""): unknown[] {
  return parseAllDocuments(text, { version: "1.1", strict: false, uniqueKeys: false }).map(
    (document) => withoutDeviations(plainOf(document.toJS())),
  );
}

/** A value with dates as texts, and nothing for a `<<`, also as an item of a list. */
function plainOf(value: unknown): YamlValue {
  if (value instanceof Date) {
    return value.toISOString();
  }
  if (typeof value === "string") {
    return value === "<<" ? null : DATE.test(value) ? new Date(value).toISOString() : value;
  }
  if (Array.isArray(value)) {
    return value.filter((item) => item !== "<<").map(plainOf);
  }
  const other = value as YamlValue;
  return isMapping(other) ? mapMembers(other, plainOf) : other;
}

const DATE = /^\d{4}-\d\d-\d\d$/;

function withoutDeviations(document: YamlValue): YamlValue {
  if (!isMapping(document)) {
    return document;
  }
  switch (document.kind) {
    case undefined:
      return withArgumentsAsText(document);
    case "NetworkRuleConfig":
      return without(document, ["portSelector", "protocol"]);
    case "VolumeConfig":
    case "UserVolumeConfig":
    case "RawVolumeConfig":
    case "SwapVolumeConfig":
    case "LVMVolumeGroupConfig":
    case "LVMLogicalVolumeConfig":
    case "RAIDArrayConfig":
    case "UnattendedInstallConfig":
      return without(document, ["provisioning"]);
    case "ExistingVolumeConfig":
      return without(document, ["discovery"]);
    case "LinkAliasConfig":
      return without(document, ["selector"]);
    case "OOMConfig":
      return without(without(document, ["triggerExpression"]), ["cgroupRankingExpression"]);
    default:
      return document;
  }
}

/** The same, with truth values below `extraArgs` as the texts that they are there. */
function withArgumentsAsText(value: YamlValue, isArgument = false): YamlValue {
  if (Array.isArray(value)) {
    return value.map((item) => withArgumentsAsText(item, isArgument));
  }
  return isMapping(value)
    ? mapMembers(value, (child, key) =>
        withArgumentsAsText(child, isArgument || key === "extraArgs"),
      )
    : isArgument && typeof value === "boolean"
      ? String(value)
      : value;
}

function without(value: ConfigDocument, [key = "", ...rest]: readonly string[]): ConfigDocument {
  const { [key]: child, ...others } = value;
  return rest.length > 0 && isMapping(child) ? { ...others, [key]: without(child, rest) } : others;
}
