import { createHash, createPublicKey, generateKeyPairSync, verify, sign } from "node:crypto";
import { PublicKeyError, serviceAccountKeySet } from "../../../provider/pki/jsonWebKeySet";
import { encodeKey } from "../../../provider/pki/privateKey";
import { sharedSecrets } from "./sharedSecrets";

const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
const pem = publicKey.export({ format: "pem", type: "spki" }) as string;

describe("serviceAccountKeySet", () => {
  it("verifies tokens of the cluster's key, and names the key as Kubernetes does", async () => {
    const { certs } = await sharedSecrets();
    const { keys } = serviceAccountKeySet({ certs });
    expect(keys).toHaveLength(1);
    const [key] = keys;
    expect(key).toMatchObject({ use: "sig", kty: "RSA", alg: "RS256", e: "AQAB" });
    expect(Object.keys(key ?? {}).sort()).toEqual(["alg", "e", "kid", "kty", "n", "use"]);
    const found = createPublicKey({ key: { ...key }, format: "jwk" });
    const der = found.export({ format: "der", type: "spki" });
    expect(key?.kid).toBe(createHash("sha256").update(der).digest("base64url"));
    const own = Buffer.from(certs.k8sserviceaccount.key, "base64");
    const data = Buffer.from("token");
    expect(verify("sha256", data, found, sign("sha256", data, own.toString()))).toBe(true);
  });

  it("supports the keys of clusters from before Talos v1.7", async () => {
    const { certs } = await sharedSecrets();
    const old = { ...certs, k8sserviceaccount: { key: encodeKey(privateKey) } };
    const [key] = serviceAccountKeySet({ certs: old }).keys;
    expect(key).toMatchObject({ kty: "EC", crv: "P-256", alg: "ES256" });
    expect(Object.keys(key ?? {}).sort()).toEqual(["alg", "crv", "kid", "kty", "use", "x", "y"]);
  });

  it("publishes the keys before and after a change, each once, and no private one", async () => {
    const { certs } = await sharedSecrets();
    const { keys } = serviceAccountKeySet({ certs }, [pem, pem]);
    expect(keys.map(({ alg }) => alg)).toEqual(["RS256", "ES256"]);
    const secret = privateKey.export({ format: "pem", type: "pkcs8" }) as string;
    const publish = (text: string) => () => serviceAccountKeySet({ certs }, [text]);
    expect(publish(secret)).toThrow(PublicKeyError);
    expect(publish(secret)).toThrow(/^no public key: give PEM that begins with/);
    expect(publish(pem.replace(/\n.+\n/, "\nAAAA\n"))).toThrow(/that can be read$/);
    const other = generateKeyPairSync("ed25519").publicKey;
    expect(publish(other.export({ format: "pem", type: "spki" }) as string)).toThrow(
      /a key of type "Ed25519" can't sign service account tokens here/,
    );
  });
});
