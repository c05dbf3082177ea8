import { request } from "node:https";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import type { CertificateAndKey } from "../../../provider/pki/secretsBundle";
import { LAB } from "./labRelease";

/** Calls etcd by its JSON gateway, with a client certificate that a CA issues for it, and trust in that CA. */
export async function callEtcd(
  address: string,
  authority: CertificateAndKey,
  path: string,
  body: object,
): Promise<string> {
  const certificate = await issueCertificate(authority, {
    organizations: [],
    usages: ["clientAuth"],
    keyType: "p256",
    notBefore: new Date(Date.now() - 60_000),
    notAfter: new Date(Date.now() + 3_600_000),
  });
  const decode = (text: string) => Buffer.from(text, "base64");
  return new Promise((resolve, reject) => {
    const sent = request(
      {
        method: "POST",
        host: address,
        port: LAB.etcdHttpPort,
        path,
        agent: false,
        timeout: 10_000,
        ca: decode(authority.crt),
        cert: decode(certificate.crt),
        key: decode(certificate.key),
      },
      (response) => {
        let text = "";
        response.on("data", (part: Buffer) => (text += part.toString("latin1")));
        response.on("error", reject);
        response.on("end", () => resolve(text));
      },
    );
    sent.on("timeout", () => sent.destroy(new Error("no answer within 10 s")));
    sent.on("error", reject);
    sent.end(JSON.stringify(body));
  });
}

/** The value of a key as etcd has it; empty without one. */
export async function storedInEtcd(
  address: string,
  authority: CertificateAndKey,
  key: string,
): Promise<string> {
  const [value = ""] = (await readRange(address, authority, { key: encode(key) })).values();
  return value;
}

/** The values of all keys that begin with these words, as etcd has them. */
export function storedUnder(
  address: string,
  authority: CertificateAndKey,
  beginning: string,
): Promise<ReadonlyMap<string, string>> {
  // Source: etcd v3.6, "API", "Key ranges": the first key that begins with something greater.
  const last = beginning.charCodeAt(beginning.length - 1);
  const end = `${beginning.slice(0, -1)}${String.fromCharCode(last + 1)}`;
  return readRange(address, authority, { key: encode(beginning), range_end: encode(end) });
}

async function readRange(
  address: string,
  authority: CertificateAndKey,
  range: object,
): Promise<ReadonlyMap<string, string>> {
  const { kvs = [] } = JSON.parse(await callEtcd(address, authority, "/v3/kv/range", range)) as {
    readonly kvs?: readonly { readonly key: string; readonly value: string }[];
  };
  return new Map(kvs.map(({ key, value }) => [decode(key), decode(value)]));
}

const encode = (text: string) => Buffer.from(text).toString("base64");
const decode = (text: string) => Buffer.from(text, "base64").toString("latin1");
