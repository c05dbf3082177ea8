import { createPrivateKey, X509Certificate } from "node:crypto";
import { WITHHELD } from "../../pki/withheld";
import type { Path } from "../path";
import { checkKubernetesVersion } from "../releases/supportTable";
import { checkTalosVersion, newestSchema, releaseOfInstaller } from "../schema/talosSchemas";
import { isPlaceholder } from "../secrets/placeholder";
import type { DocumentView } from "./documentView";

/**
 * Checks rules for signatures of images. Since Talos v1.13. Source: the Validate method of
 * ImageVerificationConfigV1Alpha1 in pkg/machinery/config/types/security, Talos v1.13.9.
 */
export function checkImageVerification(view: DocumentView): void {
  view.list("rules").forEach((_, index) => {
    const rule = ["rules", index];
    view.require("which images the rule is for, like registry.k8s.io/*", [...rule, "image"]);
    const ways = ["skip", "deny"].filter((key) => view.get(...rule, key) === true);
    const verifiers = ["keyless", "publicKey"].filter((key) => view.isMapping(...rule, key));
    const chosen = [...ways, ...verifiers];
    if (chosen.length === 0) {
      view.report(rule, "is empty: set one of skip, deny, keyless, publicKey");
    } else if (chosen.length > 1) {
      view.report(rule, `has several settings: keep only one of ${chosen.join(", ")}`);
    }
    if (verifiers.includes("keyless")) {
      view.require("the OIDC issuer of the signer", [...rule, "keyless", "issuer"]);
      if (view.text(...rule, "keyless", "subjectRegex") === undefined) {
        view.require("the signer; or subjectRegex", [...rule, "keyless", "subject"]);
      }
    }
    if (verifiers.includes("publicKey")) {
      view.require("the signing key", [...rule, "publicKey", "certificate"]);
    }
  });
}

/** Checks the certificates and the key between a machine and an image registry, in PEM. */
export function checkRegistryTls(view: DocumentView): void {
  if (view.text("ca") !== undefined) {
    checkCertificate(view, ["ca"]);
  }
  if (view.isMapping("clientIdentity")) {
    checkCertificate(view, ["clientIdentity", "cert"]);
    checkPrivateKey(view, ["clientIdentity", "key"]);
  }
}

/** Checks a certificate in PEM. One that is not made yet passes. */
export function checkCertificate(view: DocumentView, path: Path): void {
  const text = view.text(...path) ?? "";
  const blocks = text.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (!isPlaceholder(text) && !blocks.some((block) => reads(() => new X509Certificate(block)))) {
    view.report(path, 'has to be a certificate in PEM, with a line "-----BEGIN CERTIFICATE-----"');
  }
}

/** Checks a private key in PEM. One that is not made yet, or that is withheld, passes. */
export function checkPrivateKey(view: DocumentView, path: Path): void {
  const text = view.text(...path) ?? "";
  if (!isPlaceholder(text) && text !== WITHHELD && !reads(() => createPrivateKey(text))) {
    view.report(path, 'has to be a private key in PEM, with a line "-----BEGIN PRIVATE KEY-----"');
  }
}

function reads(read: () => unknown): boolean {
  try {
    read();
    return true;
  } catch {
    return false;
  }
}

/** Checks that this package knows the Talos of an installer's image, wherever that comes from. */
export function checkInstaller(view: DocumentView, path: Path): void {
  const release = releaseOfInstaller(view.text(...path));
  view.report(path, release === undefined ? undefined : checkTalosVersion(release));
}

/**
 * Checks that the Talos that reads the configuration supports the Kubernetes of its images.
 * Otherwise a machine refuses the configuration, and also images without a version in their tag.
 * Source: RuntimeValidate in pkg/machinery/config/types/v1alpha1, Talos v1.12.1 and v1.13.9.
 */
export function checkKubernetesImages(view: DocumentView): void {
  const controlPlane = ["apiServer", "controllerManager", "scheduler"];
  const paths = [
    ["machine", "kubelet", "image"],
    ...(view.get("machine", "type") === "controlplane"
      ? controlPlane.map((component) => ["cluster", component, "image"])
      : []),
  ];
  // The newest schema is also the one of a configuration that names no Talos.
  const ofSchema = view.talosMinor !== newestSchema.talosMinor ? `v1.${view.talosMinor}` : "";
  const talosVersion = releaseOfInstaller(view.text("machine", "install", "image")) ?? ofSchema;
  for (const path of paths) {
    checkKubernetesImage(view, path, talosVersion);
  }
}

/**
 * Checks that a Talos release supports the Kubernetes of one image.
 *
 * @param talosVersion default: the minor that reads the document
 */
export function checkKubernetesImage(
  view: DocumentView,
  path: Path,
  talosVersion = `v1.${view.talosMinor}`,
): void {
  const image = view.text(...path);
  const version = /.*:v(.*?)(?:@.*)?$/.exec(image ?? "")?.[1];
  const problem =
    image === undefined
      ? undefined
      : version === undefined
        ? `${view.quote(...path)} has no version of Kubernetes in it: write one like "${image.replace(/(?::[^:/@]*)?(?:@.*)?$/, "")}:v1.35.0"`
        : checkKubernetesVersion(version, talosVersion);
  view.report(path, problem);
}
