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
