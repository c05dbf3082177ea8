import { minorOfImage } from "../flags/componentTable";
import { type ConfigDocument, isMapping, mapMembers, type YamlValue } from "../machineConfig";
import type { Path } from "../path";
import type { ConfigSchema } from "../schema/configSchema";
import { isAddress } from "../schema/formats";
import { kubeletSchemas } from "../schema/kubeletSchemas";
import { schemaErrors } from "../schema/schemaErrors";
import { explainError } from "../schema/schemaProblems";
import { fieldsAt, otherReleases } from "../schema/unknownNames";
import { redactDocument } from "../secrets/redact";
import { suggest } from "../suggestion";
import type { DocumentView } from "./documentView";
import { checkGates } from "./featureGateRules";
import { checkFlagsOf } from "./flagRules";
import { checkKubernetesImage } from "./imageRules";
import { checkKubeletValues } from "./kubeletValidation";
import { isSubnet, NO_SUBNET } from "./subnets";

/**
 * Kubelet settings that Talos sets itself. Source: pkg/machinery/kubelet, the same in Talos v1.10.9
 * to v1.14.1.
 */
export const protectedSettings: readonly string[] = [
  "apiVersion",
  "authentication",
  "authorization",
  "cgroupRoot",
  "kind",
  "kubeletCgroups",
  "port",
  "protectKernelDefaults",
  "resolvConf",
  "rotateCertificates",
  "systemCgroups",
  "staticPodPath",
  "seccompDefault",
];

/**
 * Checks `machine.kubelet`. Talos accepts all of it, and reads the settings of kubelet only when it
 * renders them. With a protected or unknown one, or one of another type, it keeps a running kubelet
 * as it is, and starts none at the next boot. Source: Talos v1.12.1, `k8s/kubelet_spec.go`,
 * `prepareExtraConfig`.
 */
export function checkKubelet(view: DocumentView): void {
  const kubelet = ["machine", "kubelet"];
  view.checkTexts([...kubelet, "nodeIP", "validSubnets"], isSubnet, NO_SUBNET);
  checkAll(view, kubelet, "extraConfig");
}

/** Checks the document `KubeletConfig`. Since v1.14. Source: types/k8s/kubelet.go, Talos v1.14.1. */
export function checkKubeletDocument(view: DocumentView): void {
  view.require("the image of kubelet", ["image"]);
  checkKubernetesImage(view, ["image"]);
  checkAll(view, [], "config");
  checkFlagsOf(view, "kubelet", []);
}

/** @param key of kubelet's own settings, beside its image and its DNS servers */
function checkAll(view: DocumentView, kubelet: Path, key: string): void {
  const place = [...kubelet, key];
  const settings = view.get(...place);
  const image = view.text(...kubelet, "image");
  if (isMapping(settings)) {
    checkSettings(view, place, settings);
    checkKubeletValues(view, place, minorOfImage(image));
  }
  checkGates(view, [...place, "featureGates"], "kubelet", image);
  for (const servers of [kubelet, place]) {
    view.checkTexts(
      [...servers, "clusterDNS"],
      isAddress,
      "is not an IP address of a DNS server, like 10.96.0.10",
    );
  }
}

function checkSettings(view: DocumentView, place: Path, settings: ConfigDocument): void {
  for (const setting of protectedSettings.filter((name) => Object.hasOwn(settings, name))) {
    view.report([...place, setting], "can't be set: Talos sets it itself; leave it out");
  }
  const schema = kubeletSchemas.get(view.talosMinor);
  const type = schema?.documents.get("")?.type;
  if (schema === undefined || type === undefined) {
    return;
  }
  const open = mapMembers(settings, (value, key) =>
    protectedSettings.includes(key) ? undefined : withoutNulls(value),
  );
  const errors = schemaErrors(open, schema.file, type);
  const redacted = errors.length === 0 ? open : redactDocument(open);
  for (const error of errors) {
    const { path, message } = explainError(error, {
      document: open,
      redacted,
      unknown: (key, where) => unknownSetting(key, where, schema),
    });
    view.report([...place, ...path], message);
  }
}

/** Talos reads a null as a value that isn't set. */
function withoutNulls(value: YamlValue): YamlValue | undefined {
  if (value === null) {
    return undefined;
  }
  return isMapping(value) ? mapMembers(value, withoutNulls) : value;
}

/** The message about a setting that kubelet's configuration doesn't have in this Talos. */
function unknownSetting(key: string, path: Path, schema: ConfigSchema): string {
  const talos = `Talos v1.${schema.talosMinor}`;
  const elsewhere = otherReleases(
    schema,
    (other) => fieldsAt(other, "", path).has(key),
    kubeletSchemas,
  );
  if (elsewhere !== undefined) {
    return `is no setting of kubelet that ${talos} knows: it ${elsewhere}`;
  }
  const near = suggest(key, fieldsAt(schema, "", path).keys());
  return `is no setting of kubelet that ${talos} knows; ${near === undefined ? "it then can't start or change kubelet: leave it out" : `did you mean "${near}"?`}`;
}
