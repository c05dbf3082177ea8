import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { Pkcs10CertificateRequestGenerator, SubjectAlternativeNameExtension } from "@peculiar/x509";
import { distinguishedName } from "../../../provider/pki";

/** The requested names and addresses of a certificate. */
export interface RequestedNames {
  readonly commonName: string;
  readonly dnsNames: readonly string[];
  readonly ipAddresses: readonly string[];
}

/** A certificate signing request, and its key. */
export interface CertificateRequest {
  /** PKCS#10 in PEM. */
  readonly csr: string;
  /** PKCS#8 in PEM. */
  readonly key: string;
}

/** Creates an Ed25519 key and a signing request for it, as a worker does for its apid. */
export async function certificateRequest(names: RequestedNames): Promise<CertificateRequest> {
  const algorithm = { name: "Ed25519" };
  const keys = await webcrypto.subtle.generateKey(algorithm, true, ["sign", "verify"]);
  if (!("privateKey" in keys)) {
    throw new Error("Ed25519 gave no pair of keys");
  }
  const request = await Pkcs10CertificateRequestGenerator.create(
    {
      name: distinguishedName([], names.commonName),
      keys,
      signingAlgorithm: algorithm,
      extensions: [
        new SubjectAlternativeNameExtension([
          ...names.dnsNames.map((value) => ({ type: "dns" as const, value })),
          ...names.ipAddresses.map((value) => ({ type: "ip" as const, value })),
        ]),
      ],
    },
    webcrypto,
  );
  const pkcs8 = Buffer.from(await webcrypto.subtle.exportKey("pkcs8", keys.privateKey));
  return { csr: `${request.toString("pem")}\n`, key: pem("PRIVATE KEY", pkcs8) };
}

function pem(label: string, der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
