import { createHash, createHmac, type Hash } from "node:crypto";
import { SignatureV4 } from "@smithy/signature-v4";

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

/** The headers of a form that is sent with `POST`, with AWS' signature, version 4. */
export async function signedHeaders(
  { service, region, keys }: AwsSigner,
  url: URL,
  body: string,
  at: Date,
): Promise<Readonly<Record<string, string>>> {
  const { sessionToken, ...plain } = keys;
  const signer = new SignatureV4({
    service,
    region,
    sha256: Sha256,
    applyChecksum: false,
    credentials: { ...plain, ...(sessionToken !== undefined && { sessionToken }) },
  });
  const headers = {
    "content-type": "application/x-www-form-urlencoded; charset=utf-8",
    host: url.host,
  };
  const { protocol, hostname, pathname: path } = url;
  const request = { method: "POST", protocol, hostname, path, headers, body };
  return (await signer.sign(request, { signingDate: at })).headers;
}

type HashSource = string | ArrayBuffer | ArrayBufferView;

/** The hash of Node.js in the form that the signer takes. */
class Sha256 {
  private readonly hash: Hash | ReturnType<typeof createHmac>;

  constructor(secret?: HashSource) {
    this.hash = secret === undefined ? createHash("sha256") : createHmac("sha256", bytesOf(secret));
  }

  update(chunk: HashSource): void {
    this.hash.update(bytesOf(chunk));
  }

  digest(): Promise<Uint8Array> {
    return Promise.resolve(this.hash.digest());
  }

  reset(): void {
    throw new Error("the signer hashes each text with a hash of its own");
  }
}

function bytesOf(source: HashSource): Uint8Array {
  if (typeof source === "string") {
    return Buffer.from(source);
  }
  return ArrayBuffer.isView(source)
    ? new Uint8Array(source.buffer, source.byteOffset, source.byteLength)
    : new Uint8Array(source);
}
