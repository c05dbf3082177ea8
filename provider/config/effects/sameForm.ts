import { isDeepStrictEqual } from "node:util";
import { auditPolicy } from "../generate/apiServerDefaults";
import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "../machineConfig";
import { documentOnlyParts } from "../settings/documentOnlyParts";
import { fieldsOf } from "../settings/fieldsOf";
import { pathOf, valueAt, withoutMember, withValue } from "../settings/keyPaths";
import { ORDER } from "./outline";

/** The volumes whose encryption may stand in the machine's section. */
const ENCRYPTED: readonly string[] = ["state", "ephemeral"];

/**
 * What one form writes and the other doesn't, without a difference for a machine of Talos v1.14 that runs:
 * nothing reads it there, or the other form implies it. Sources: siderolabs/talos v1.14.1,
 * pkg/machinery/config/types/v1alpha1/v1alpha1_k8s_bridge.go, and `effectTable`.
 */
const WITHOUT_MEANING: readonly string[] = [
  ...["disk", "diskSelector", "wipe", "bootloader", "grubUseUKICmdline", "legacyBIOSSupport"].map(
    (key) => `machine.install.${key}`,
  ),
  "machine.install.extraKernelArgs",
  "machine.install.extensions",
  "machine.features.rbac",
  "machine.features.apidCheckExtKeyUsage",
  "machine.kubelet.disableManifestsDirectory",
  "cluster.apiServer.disablePodSecurityPolicy",
];

/** What a form says where the other takes it without words. */
const USUAL: readonly (readonly [field: string, value: YamlValue])[] = [
  ["cluster.apiServer.auditPolicy", auditPolicy],
  [
    "cluster.apiServer.authorizationConfig",
    { node: { name: "node", type: "Node" }, rbac: { name: "rbac", type: "RBAC" } },
  ],
  ["cluster.network.cni.flannel.backendType", "vxlan"],
  ["cluster.network.cni.flannel.backendPort", 4789],
  ["cluster.network.cni.name", "flannel"],
  ["cluster.discovery.registries.service.endpoint", "https://discovery.talos.dev/"],
  ["cluster.discovery.registries.kubernetes.disabled", true],
];

/** Lists whose order says nothing, and which documents don't have. */
const ORDERLESS: readonly string[] = [
  "machine.kernel.modules",
  "cluster.inlineManifests",
  "cluster.apiServer.admissionControl",
];

/** Whether the settings of Kubernetes stand in documents of Talos v1.14. */
export function isInDocuments(outline: ConfigDocument): boolean {
  return outline.KubeClusterConfig !== undefined;
}

/**
 * Two outlines in one form, where one has settings in documents that the other has in fields. So only what
 * they mean is compared. Others stay as they are.
 *
 * @param before outline of the running configuration (`outlineDocuments`)
 * @param after outline of the new one
 */
export function inSameForm(
  before: ConfigDocument,
  after: ConfigDocument,
): readonly [ConfigDocument, ConfigDocument] {
  return isInDocuments(before) === isInDocuments(after)
    ? [before, after]
    : [inFields(before), inFields(after)];
}

function inFields(outline: ConfigDocument): ConfigDocument {
  const steps = [withVolumes, withHostname, withScheduling, withoutWords];
  const fields: ConfigDocument = { ...fieldsOf(outline) };
  const others = mapMembers(fields, (value, id) =>
    /^[A-Z]/.test(id) && isMapping(value) ? documentOnlyParts(id, value, outline) : value,
  );
  return steps.reduce((made, step) => step(made), others);
}

/** EPHEMERAL is mounted securely where it has a document: config/volume.go, v1.14.1. */
function withVolumes(outline: ConfigDocument): ConfigDocument {
  const ephemeral = "VolumeConfig/EPHEMERAL";
  const secure = isMapping(outline[ephemeral])
    ? (valueAt(outline, [ephemeral, "mount", "secure"]) ?? true)
    : false;
  const encrypted = ENCRYPTED.reduce((moved, volume) => {
    const path = ["machine", "systemDiskEncryption", volume];
    const encryption = valueAt(moved, path);
    return encryption === undefined
      ? moved
      : withValue(
          withoutMember(moved, path),
          [`VolumeConfig/${volume.toUpperCase()}`, "encryption"],
          encryption,
        );
  }, outline);
  return withValue(encrypted, [ephemeral, "mount", "secure"], secure);
}

function withHostname(outline: ConfigDocument): ConfigDocument {
  const auto = valueAt(outline, ["HostnameConfig", "auto"]);
  const without = withoutMember(outline, ["HostnameConfig", "auto"]);
  return auto === "stable"
    ? withValue(without, ["machine", "features", "stableHostname"], true)
    : without;
}

function withScheduling(outline: ConfigDocument): ConfigDocument {
  const former = ["cluster", "allowSchedulingOnMasters"];
  return valueAt(outline, former) === true
    ? withValue(withoutMember(outline, former), ["cluster", "allowSchedulingOnControlPlanes"], true)
    : outline;
}

/** Without what says nothing, or what both forms have. */
function withoutWords(outline: ConfigDocument): ConfigDocument {
  const without = WITHOUT_MEANING.map(pathOf).reduce(withoutMember, outline);
  const said = USUAL.reduce(
    (left, [field, value]) =>
      isDeepStrictEqual(valueAt(left, pathOf(field)), value)
        ? withoutMember(left, pathOf(field))
        : left,
    without,
  );
  const unordered = ORDERLESS.reduce(
    (left, field) => withoutMember(left, [...pathOf(field), ORDER]),
    said,
  );
  return mapMembers(unordered, (value, id) => (/^[A-Z]/.test(id) ? filled(value) : trimmed(value)));
}

/** Without values that say nothing in fields. */
function trimmed(value: YamlValue): YamlValue | undefined {
  const rest = isMapping(value) ? mapMembers(value, trimmed) : value;
  return isEmpty(rest) || rest === false || rest === "" || rest === null ? undefined : rest;
}

/** Without the mappings whose members stand in fields. */
function filled(value: YamlValue): YamlValue | undefined {
  const rest = isMapping(value) ? mapMembers(value, filled) : value;
  return isMapping(rest) && isEmpty(rest) ? undefined : rest;
}

function isEmpty(value: YamlValue | undefined): boolean {
  return typeof value === "object" && value !== null && Object.keys(value).length === 0;
}
