import { Client, credentials, Metadata } from "@grpc/grpc-js";
import { protocol } from "../../../provider/api";
import { fromBase64 } from "../../../provider/pki";

const method = protocol.securityapi.SecurityService.service.Certificate;

/** A trustd server, and the credentials of both sides. */
export interface TrustdTarget {
  /** host:port. */
  readonly endpoint: string;
  /** Base64 PEM certificates of the accepted CAs of the server. */
  readonly acceptedCas: readonly string[];
  readonly token: string;
  readonly timeoutMs: number;
}

/** The answer of trustd, in PEM. */
export interface IssuedCertificate {
  /** The CAs to accept. */
  readonly ca: string;
  readonly certificate: string;
}

/** Sends a signing request to one trustd. Rejects with grpc-js's `ServiceError`. */
export async function requestCertificate(
  target: TrustdTarget,
  csr: string,
): Promise<IssuedCertificate> {
  const ca = target.acceptedCas.map(fromBase64).join("");
  const client = new Client(target.endpoint, credentials.createSsl(Buffer.from(ca)), {
    // Each request has its own connection, so a failed connection is not reused.
    "grpc.use_local_subchannel_pool": 1,
  });
  const metadata = new Metadata();
  metadata.set("token", target.token);
  try {
    return await new Promise((resolve, reject) => {
      client.makeUnaryRequest(
        method.path,
        method.requestSerialize,
        method.responseDeserialize,
        { csr: Buffer.from(csr) },
        metadata,
        { deadline: Date.now() + target.timeoutMs },
        (error, response) => {
          if (error) {
            reject(error);
          } else if (!response) {
            reject(new Error("trustd sent no answer"));
          } else {
            resolve({
              ca: response.ca.toString("utf8"),
              certificate: response.crt.toString("utf8"),
            });
          }
        },
      );
    });
  } finally {
    client.close();
  }
}
