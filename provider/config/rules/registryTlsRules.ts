import { createPrivateKey, X509Certificate } from "node:crypto";
import type { Path } from "../path";
import type { DocumentView } from "./documentView";

/** Checks the certificates and the key between a machine and an image registry, in PEM. */
export function checkRegistryTls(view: DocumentView): void {
  if (view.text("ca") !== undefined) {
    checkCertificate(view, ["ca"]);
  }
  if (view.isMapping("clientIdentity")) {
    checkCertificate(view, ["clientIdentity", "cert"]);
    const path = ["clientIdentity", "key"];
    if (!reads(() => createPrivateKey(view.text(...path) ?? ""))) {
      view.report(
        path,
        'has to be a private key in PEM, with a line "-----BEGIN PRIVATE KEY-----"',
      );
    }
  }
}

function checkCertificate(view: DocumentView, path: Path): void {
  const blocks =
    view.text(...path)?.match(/-----BEGIN CERTIFICATE-----[^]*?-----END CERTIFICATE-----/g) ?? [];
  if (!blocks.some((block) => reads(() => new X509Certificate(block)))) {
    view.report(path, 'has to be a certificate in PEM, with a line "-----BEGIN CERTIFICATE-----"');
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
