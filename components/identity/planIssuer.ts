import type { JsonWebKeySet } from "../../provider";
import { onlyOverTls, partitionOf } from "../permissions/policyDocument";

/** Path of the public keys below the issuer's URL, the same as on Kubernetes' own API server. */
export const KEYS_PATH = "openid/v1/jwks";
/** Path of the discovery document (OpenID Connect Discovery 1.0, section 4). */
export const DISCOVERY_PATH = ".well-known/openid-configuration";
/** The audience of tokens for AWS. */
export const AWS_AUDIENCE = "sts.amazonaws.com";

/** The URL of an issuer whose documents are in a bucket. */
export function issuerUrl(bucketName: string, region: string): string {
  const domain = partitionOf(region) === "aws-cn" ? "amazonaws.com.cn" : "amazonaws.com";
  return `https://${bucketName}.s3.${region}.${domain}`;
}

/** The discovery document of an issuer, with the fields that AWS reads and Kubernetes publishes. */
export function discoveryDocument(issuer: string, { keys }: JsonWebKeySet): string {
  return JSON.stringify({
    issuer,
    jwks_uri: `${issuer}/${KEYS_PATH}`,
    authorization_endpoint: "urn:kubernetes:programmatic_authorization",
    response_types_supported: ["id_token"],
    subject_types_supported: ["public"],
    id_token_signing_alg_values_supported: [...new Set(keys.map(({ alg }) => alg))],
    claims_supported: ["sub", "iss"],
  });
}

/** The bucket's policy: everyone may read the two documents, only over TLS. */
export function planIssuerBucketPolicy(bucketArn: string): object {
  const objects = [DISCOVERY_PATH, KEYS_PATH].map((key) => `${bucketArn}/${key}`);
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "EverybodyVerifies",
        Effect: "Allow",
        Principal: "*",
        Action: "s3:GetObject",
        Resource: objects,
      },
      onlyOverTls(bucketArn),
    ],
  };
}

/** The trust policy of a role: pods of one service account, with a token for AWS. */
export function planServiceAccountTrust(
  providerArn: string,
  issuer: string,
  { namespace, name }: { readonly namespace: string; readonly name: string },
): object {
  const claims = issuer.replace(/^https:\/\//, "");
  return {
    Version: "2012-10-17",
    Statement: [
      {
        Sid: "ServiceAccount",
        Effect: "Allow",
        Action: "sts:AssumeRoleWithWebIdentity",
        Principal: { Federated: providerArn },
        Condition: {
          StringEquals: {
            [`${claims}:aud`]: AWS_AUDIENCE,
            [`${claims}:sub`]: `system:serviceaccount:${namespace}:${name}`,
          },
        },
      },
    ],
  };
}
