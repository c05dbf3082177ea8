import { messageOfError } from "../../../provider/base";
import "reflect-metadata";
import { webcrypto } from "node:crypto";
import { status } from "@grpc/grpc-js";
import {
  AuthorityKeyIdentifierExtension,
  ExtendedKeyUsage,
  ExtendedKeyUsageExtension,
  KeyUsageFlags,
  KeyUsagesExtension,
  Pkcs10CertificateRequest,
  SubjectAlternativeNameExtension,
  SubjectKeyIdentifierExtension,
  X509Certificate,
  X509CertificateGenerator,
} from "@peculiar/x509";
import {
  type CertificateAndKey,
  createSerialNumber,
  distinguishedName,
  fromBase64,
  readPrivateKey,
} from "../../../provider/pki";
import { RpcError } from "../rpc/rpcError";

const DAY_MS = 24 * 60 * 60 * 1000;
const BACKDATE_MS = 60 * 1000;

/** The names in a request, and its certificate in PEM. */
export interface SignedRequest {
  /** In Go's form: `CN=worker-1 dns names [worker-1] addresses [10.0.1.4]`. */
  readonly description: string;
  readonly certificate: string;
}

/**
 * Signs a server certificate that is valid for a day, as trustd does. It checks neither the
 * requester nor the rest of the request (talos v1.12.1, `trustd/internal/reg`). Throws
 * `INVALID_ARGUMENT` for an unreadable request.
 */
export async function signRequest(ca: CertificateAndKey, csr: string): Promise<SignedRequest> {
  const request = parse(csr);
  const issuer = new X509Certificate(fromBase64(ca.crt));
  const names = request.extensions.flatMap((extension) =>
    extension instanceof SubjectAlternativeNameExtension ? extension.names.items : [],
  );
  const valuesOf = (type: string) =>
    names.filter((name) => name.type === type).map(({ value }) => value);
  const [commonName] = request.subjectName.getField("CN");
  const authorityKeyId = issuer.getExtension(SubjectKeyIdentifierExtension)?.keyId;
  const pkcs8 = readPrivateKey(ca.key).export({ format: "der", type: "pkcs8" });
  const algorithm = { name: "Ed25519" };
  const certificate = await X509CertificateGenerator.create(
    {
      serialNumber: createSerialNumber(),
      issuer: issuer.subjectName,
      // Without organizations, because those would be roles.
      subject: distinguishedName([], commonName),
      notBefore: new Date(Date.now() - BACKDATE_MS),
      notAfter: new Date(Date.now() + DAY_MS),
      publicKey: request.publicKey,
      signingKey: await webcrypto.subtle.importKey("pkcs8", pkcs8, algorithm, false, ["sign"]),
      signingAlgorithm: algorithm,
      extensions: [
        new KeyUsagesExtension(KeyUsageFlags.digitalSignature, true),
        new ExtendedKeyUsageExtension([ExtendedKeyUsage.serverAuth]),
        ...(authorityKeyId === undefined
          ? []
          : [new AuthorityKeyIdentifierExtension(authorityKeyId)]),
        new SubjectAlternativeNameExtension(names.map(({ type, value }) => ({ type, value }))),
      ],
    },
    webcrypto,
  );
  return {
    description: `subject ${request.subject} dns names [${valuesOf("dns").join(" ")}] addresses [${valuesOf("ip").join(" ")}]`,
    certificate: `${certificate.toString("pem")}\n`,
  };
}

function parse(csr: string): Pkcs10CertificateRequest {
  if (!csr.includes("-----BEGIN CERTIFICATE REQUEST-----")) {
    throw new RpcError(status.INVALID_ARGUMENT, "failed to decode CSR");
  }
  try {
    return new Pkcs10CertificateRequest(csr);
  } catch (error) {
    const reason = messageOfError(error);
    throw new RpcError(status.INVALID_ARGUMENT, `failed to parse CSR: ${reason}`);
  }
}
