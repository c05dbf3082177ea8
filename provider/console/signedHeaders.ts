import { createHash, createHmac } from "node:crypto";

/** Keys for AWS. Secret. */
export interface AwsKeys {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  readonly sessionToken?: string | undefined;
}

/** Who signs, and for which service. */
export interface AwsSigner {
  readonly service: string;
  readonly region: string;
  readonly keys: AwsKeys;
}

const ALGORITHM = "AWS4-HMAC-SHA256";

/**
 * The headers of a form that is sent with `POST`, with AWS' signature, version 4. Source: AWS, "Create a signed AWS API
 * request". A test compares it with the signer of the AWS SDK.
 */
export function signedHeaders(
  { service, region, keys }: AwsSigner,
  url: URL,
  body: string,
  at: Date,
): Readonly<Record<string, string>> {
  const time = at.toISOString().replaceAll(/[-:]|\.\d+/g, "");
  const day = time.slice(0, 8);
  const { accessKeyId, secretAccessKey, sessionToken } = keys;
  const headers: Record<string, string> = {
    "content-type": "application/x-www-form-urlencoded; charset=utf-8",
    host: url.host,
    "x-amz-date": time,
    ...(sessionToken !== undefined && { "x-amz-security-token": sessionToken }),
  };
  const names = Object.keys(headers).sort();
  const request = [
    ...["POST", url.pathname, ""],
    ...names.map((name) => `${name}:${headers[name] ?? ""}`),
    ...["", names.join(";"), sha256(body)],
  ].join("\n");
  const scope = [day, region, service, "aws4_request"];
  const text = [ALGORITHM, time, scope.join("/"), sha256(request)].join("\n");
  const key = scope.reduce<Buffer>(hmac, Buffer.from(`AWS4${secretAccessKey}`));
  const signature = hmac(key, text).toString("hex");
  return {
    ...headers,
    authorization: `${ALGORITHM} Credential=${accessKeyId}/${scope.join("/")}, SignedHeaders=${names.join(";")}, Signature=${signature}`,
  };
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function hmac(key: Buffer, text: string): Buffer {
  return createHmac("sha256", key).update(text).digest();
}
