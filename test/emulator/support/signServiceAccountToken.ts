import { createHash, createPublicKey, sign } from "node:crypto";
import { readPrivateKey } from "../../../provider/pki/pem";

const HOUR_SECONDS = 3_600;

/**
 * A token of the service account `default`, as an API server signs it (Kubernetes v1.35,
 * `pkg/serviceaccount/jwt.go`).
 *
 * @param key the service account key, base64 of PEM: RSA, or ECDSA on P-256
 * @param issuer who issues it: by default, the cluster's endpoint
 * @param now when it is issued, for an hour
 * @param uid of the service account, by which a real API server knows it. Default: left out
 * @param audience whom it is for. Default: the issuer
 */
export function signServiceAccountToken(
  key: string,
  issuer: string,
  now = new Date(),
  uid?: string,
  audience = issuer,
): string {
  const privateKey = readPrivateKey(key);
  const isRsa = privateKey.asymmetricKeyType === "rsa";
  const der = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const kid = createHash("sha256").update(der).digest("base64url");
  const issuedAt = Math.floor(now.getTime() / 1_000);
  const claims = {
    sub: "system:serviceaccount:default:default",
    iss: issuer,
    aud: [audience],
    iat: issuedAt,
    exp: issuedAt + HOUR_SECONDS,
    ...(uid !== undefined && {
      "kubernetes.io": { namespace: "default", serviceaccount: { name: "default", uid } },
    }),
  };
  const signed = [{ alg: isRsa ? "RS256" : "ES256", kid }, claims]
    .map((part) => Buffer.from(JSON.stringify(part)).toString("base64url"))
    .join(".");
  const signature = sign("sha256", Buffer.from(signed), {
    key: privateKey,
    dsaEncoding: "ieee-p1363",
  });
  return `${signed}.${signature.toString("base64url")}`;
}
