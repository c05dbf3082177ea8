import { generateSecretsBundle } from "../../../provider/pki/generateSecretsBundle";
import { readPrivateKey } from "../../../provider/pki/pem";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { lifetimeMs, parseCertificate } from "./certificateForm";
import { verifyChain } from "./openssl";

const authorities = ["etcd", "k8s", "k8saggregator", "os"] as const;
const token = /^[a-z0-9]{6}\.[a-z0-9]{16}$/;

let bundle: SecretsBundle;

beforeAll(async () => {
  bundle = await generateSecretsBundle();
});

test("has the keys of talosctl v1.12.1's file, in order", () => {
  const { cluster, secrets, trustdinfo, certs } = bundle;
  expect(Object.keys(bundle)).toEqual(["cluster", "secrets", "trustdinfo", "certs"]);
  expect(Object.keys(cluster)).toEqual(["id", "secret"]);
  expect(Object.keys(secrets)).toEqual(["bootstraptoken", "secretboxencryptionsecret"]);
  expect(Object.keys(trustdinfo)).toEqual(["token"]);
  expect(Object.keys(certs)).toEqual(["etcd", "k8s", "k8saggregator", "k8sserviceaccount", "os"]);
  expect(Object.keys(certs.k8sserviceaccount)).toEqual(["key"]);
  for (const name of authorities) {
    expect(Object.keys(certs[name])).toEqual(["crt", "key"]);
  }
});

test("its fields are as long as those of talosctl v1.12.1", () => {
  const { certs } = bundle;
  // The longest each can be; serial numbers, signatures and parts of an RSA key are at times shorter.
  const longest: [string, number][] = [
    [certs.etcd.crt, 772],
    [certs.k8s.crt, 796],
    [certs.k8saggregator.crt, 720],
    [certs.os.crt, 660],
    [certs.k8sserviceaccount.key, 4332],
  ];
  for (const [value, length] of longest) {
    expect(value.length).toBeGreaterThanOrEqual(length - 16);
    expect(value.length).toBeLessThanOrEqual(length);
  }
  expect(authorities.map((name) => certs[name].key.length)).toEqual([304, 304, 304, 180]);
});

test("ids, secrets and tokens have the form that each reader expects", () => {
  expect(bundle.cluster.id).toMatch(/^[A-Za-z0-9_-]{43}=$/);
  expect(bundle.cluster.secret).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(bundle.secrets.secretboxencryptionsecret).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(bundle.secrets.bootstraptoken).toMatch(token);
  expect(bundle.trustdinfo.token).toMatch(token);
  expect(bundle.trustdinfo.token).not.toBe(bundle.secrets.bootstraptoken);
});

test.each([
  ["etcd", "O=etcd", "ec"],
  ["k8s", "O=kubernetes", "ec"],
  ["k8saggregator", "", "ec"],
  ["os", "O=talos", "ed25519"],
] as const)("the CA %s is %s, %s, of its key, for ten years", (name, subject, keyKind) => {
  const { crt, key } = bundle.certs[name];
  const certificate = parseCertificate(crt);
  // Where a subject is empty Node says undefined, against its declared type.
  expect(certificate.subject || "").toBe(subject);
  expect(certificate.publicKey.asymmetricKeyType).toBe(keyKind);
  expect(certificate.checkPrivateKey(readPrivateKey(key))).toBe(true);
  expect(certificate.ca).toBe(true);
  expect(lifetimeMs(certificate)).toBe(87_600 * 3_600_000);
  verifyChain(crt, crt, "sslserver");
});

test("CAs are valid from now, without a backdate", async () => {
  const now = new Date("2031-05-06T07:08:09.500Z");
  const { certs } = await generateSecretsBundle({ now, versionContract: "v1.6" });
  for (const name of authorities) {
    expect(new Date(parseCertificate(certs[name].crt).validFrom)).toEqual(
      new Date("2031-05-06T07:08:09Z"),
    );
  }
});

test("all secrets of a bundle and of two bundles differ", async () => {
  const secretsOf = ({ cluster, secrets, trustdinfo, certs }: SecretsBundle) => [
    ...Object.values(cluster),
    ...Object.values(secrets),
    trustdinfo.token,
    certs.k8sserviceaccount.key,
    ...authorities.map((name) => certs[name].key),
  ];
  const all = [...secretsOf(bundle), ...secretsOf(await generateSecretsBundle())];
  expect(new Set(all).size).toBe(all.length);
  expect(all).toHaveLength(20);
});

test.each([
  ["v1.2", "aescbcencryptionsecret", "ec"],
  ["v1.3", "secretboxencryptionsecret", "ec"],
  ["v1.6", "secretboxencryptionsecret", "ec"],
  ["v1.7", "secretboxencryptionsecret", "rsa"],
  ["v1.13", "secretboxencryptionsecret", "rsa"],
])("clusters of the contract %s have %s and a service account key of %s", async (...row) => {
  const [versionContract, encryption, keyKind] = row;
  const { secrets, certs } = await generateSecretsBundle({ versionContract });
  expect(Object.keys(secrets)).toEqual(["bootstraptoken", encryption]);
  expect(new Map(Object.entries(secrets)).get(encryption)).toMatch(/^[A-Za-z0-9+/]{43}=$/);
  expect(readPrivateKey(certs.k8sserviceaccount.key).asymmetricKeyType).toBe(keyKind);
});

test("refuses an unknown version contract", async () => {
  await expect(generateSecretsBundle({ versionContract: "v2.0" })).rejects.toThrow(
    'version contract "v2.0" is not supported',
  );
});
