import "reflect-metadata";
import { generateKeyPairSync } from "node:crypto";
import { BasicConstraintsExtension } from "@peculiar/x509";
import * as fc from "fast-check";
import { stringify } from "yaml";
import { issueCertificate } from "../../../provider/pki/issueCertificate";
import { toBase64 } from "../../../provider/pki/pem";
import { encodeKey } from "../../../provider/pki/privateKey";
import { readSecretsBundle } from "../../../provider/pki/readSecretsBundle";
import type { SecretsBundle } from "../../../provider/pki/secretsBundle";
import { SecretsBundleError } from "../../../provider/pki/secretsBundleError";
import { distinguishedName, signCertificate } from "../../../provider/pki/signCertificate";
import { expectNoSecrets } from "../resources/samples";
import { cheapBundle, problemsOf, validNow } from "./secretsTexts";

type Tree = Record<string, unknown>;

let bundle: SecretsBundle;

beforeAll(async () => {
  bundle = await cheapBundle();
});

/** Reads a bundle in which the values at some dotted paths are others; undefined takes one out. */
function problemsWith(changes: Record<string, unknown>): Record<string, string> {
  return problemsOf(() => readSecretsBundle(textWith(changes), validNow));
}

function textWith(changes: Record<string, unknown>): string {
  const tree = structuredClone(bundle) as unknown as Tree;
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split(".");
    const last = keys.pop() ?? "";
    const parent = keys.reduce<Tree>((here, key) => here[key] as Tree, tree);
    if (value === undefined) {
      Reflect.deleteProperty(parent, last);
    } else {
      parent[last] = value;
    }
  }
  return stringify(tree);
}

describe("a file of talosctl gen secrets", () => {
  test("is read in any YAML style", () => {
    expect(readSecretsBundle(stringify(bundle), validNow)).toEqual(bundle);
    expect(readSecretsBundle(JSON.stringify(bundle), validNow)).toEqual(bundle);
    const broken = stringify(bundle).replaceAll(/(\S{64,})$/gm, (value: string) =>
      ["|", ...(value.match(/.{1,64}/g) ?? [])].join("\n      "),
    );
    expect(broken.split("\n").length).toBeGreaterThan(90);
    expect(readSecretsBundle(broken, validNow)).toEqual(bundle);
  });

  test("may have the encryption secret of old clusters, or both", () => {
    const { secretboxencryptionsecret: secret, ...rest } = bundle.secrets;
    const old = { ...bundle, secrets: { ...rest, aescbcencryptionsecret: secret } };
    expect(readSecretsBundle(stringify(old), validNow)).toEqual(old);
    const both = { ...old, secrets: { ...old.secrets, secretboxencryptionsecret: secret } };
    expect(readSecretsBundle(stringify(both), validNow)).toEqual(both);
  });

  test.each([
    ["cluster.id", undefined, "is missing"],
    ["cluster.id", "prod", "is not a cluster's id: 32 bytes in URL-safe base64, 44 characters"],
    ["cluster.secret", "", "is missing"],
    ["cluster.secret", "AAAA", "has to be 32 bytes in base64, these are 3"],
    ["trustdinfo.token", 12, "has to be text, this is not text: put a single value in quotes"],
    ["cluster.secret", ["a"], "has to be text, this is a list: put a single value in quotes"],
    ["cluster", undefined, "is missing"],
    ["cluster", "prod", "has to be a mapping of keys"],
    ["secrets.bootstraptoken", null, "is missing"],
    [
      "secrets.bootstraptoken",
      "abc.def",
      "is not a token: 6 characters, a dot and 16 characters, each a-z or 0-9",
    ],
    ["secrets.secretboxencryptionsecret", undefined, "is missing"],
    ["secrets.aescbcencryptionsecret", "AAAA", "has to be 16 or 24 or 32 bytes in base64"],
    [
      "trustdinfo.token",
      "ABCDEF.0123456789abcdef",
      "is not a token: 6 characters, a dot and 16 characters, each a-z or 0-9",
    ],
    ["certs.etcd", undefined, "is missing"],
    ["certs.etcd.crt", "no!", "is not base64: 3 characters that can't be read as such"],
    ["certs.etcd.key", "QUJD", "expected a certificate or key as base64 of PEM"],
    ["certs.k8s.key", "******", "is redacted: read it with a certificate of the role os:admin"],
    ["certs.k8sserviceaccount.key", undefined, "is missing"],
  ])("with %s as %j is rejected at that path", (path, value, message) => {
    const problems = problemsWith({ [path]: value });
    expect(Object.keys(problems)).toEqual([path]);
    expect(problems[path]).toContain(message);
  });

  test("with a certificate for a key, or a key for a certificate, is rejected at both", () => {
    const { crt, key } = bundle.certs.os;
    const problems = problemsWith({ "certs.os.crt": key, "certs.os.key": crt });
    expect(problems["certs.os.crt"]).toBe(
      'the PEM block "ED25519 PRIVATE KEY" holds no X.509 certificate that can be read; expected CERTIFICATE',
    );
    expect(problems["certs.os.key"]).toContain('the PEM block "CERTIFICATE" holds no private key');
  });

  test("with a key of another certificate is rejected; the error names it", async () => {
    const other = await cheapBundle("other");
    expect(problemsWith({ "certs.k8s.key": other.certs.k8s.key })).toEqual({
      "certs.k8s.key": "is not the key of the certificate at certs.k8s.crt",
    });
  });

  test("with a certificate that is not a CA's is rejected", async () => {
    const client = await issueCertificate(bundle.certs.os, {
      usages: ["clientAuth"],
      notBefore: validNow,
      notAfter: new Date("2040-01-01T00:00:00Z"),
      keyType: "ed25519",
    });
    expect(problemsWith({ "certs.os": client })).toEqual({
      "certs.os.crt": "is not the certificate of an authority: it may not sign others",
    });
  });

  test("with expired CAs is rejected at each", () => {
    const later = new Date("2036-06-01T00:00:00Z");
    const problems = problemsOf(() => readSecretsBundle(stringify(bundle), later));
    expect(Object.keys(problems)).toEqual(
      ["etcd", "k8s", "k8saggregator", "os"].map((name) => `certs.${name}.crt`),
    );
    expect(problems["certs.os.crt"]).toContain("expired on 2035-12-30T00:00:00.000Z");
  });

  test("with a key that Kubernetes can't sign tokens with is rejected", () => {
    expect(problemsWith({ "certs.k8sserviceaccount.key": bundle.certs.os.key })).toEqual({
      "certs.k8sserviceaccount.key": 'is a key of type "ed25519": allowed are rsa, ec',
    });
  });

  test("may have RSA CAs, as kubeadm creates them", async () => {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const name = distinguishedName([], "kubernetes");
    const crt = await signCertificate({
      subject: name,
      issuer: name,
      serialNumber: "01",
      notBefore: validNow,
      notAfter: new Date("2040-01-01T00:00:00Z"),
      extensions: [new BasicConstraintsExtension(true, undefined, true)],
      key: privateKey,
      signingKey: privateKey,
    });
    const k8s = { crt, key: encodeKey(privateKey) };
    expect(readSecretsBundle(textWith({ "certs.k8s": k8s }), validNow).certs.k8s).toEqual(k8s);
  });

  test("with a CA whose key can't sign certificates here is rejected", () => {
    const { privateKey } = generateKeyPairSync("ed448");
    const key = toBase64(privateKey.export({ format: "pem", type: "pkcs8" }).toString());
    expect(problemsWith({ "certs.os.key": key })["certs.os.key"]).toBe(
      'is a key of type "ed448": allowed are ed25519, ec, rsa',
    );
  });

  test("with unknown keys is rejected, with suggestions", () => {
    const problems = problemsWith({
      Cluster: bundle.cluster,
      "secrets.bootstrapToken": bundle.secrets.bootstraptoken,
      "certs.k8s.cert": bundle.certs.k8s.crt,
      [`cluster.${bundle.trustdinfo.token.replace(".", "-")}`]: "x",
    });
    expect(problems).toEqual({
      Cluster: 'is not part of a secrets bundle: did you mean "cluster"?',
      "secrets.bootstrapToken": 'is not part of a secrets bundle: did you mean "bootstraptoken"?',
      "certs.k8s.cert": 'is not part of a secrets bundle: did you mean "crt"?',
      "cluster.(a key that is no word)": "is not part of a secrets bundle: there can be id, secret",
    });
  });

  test("that is not YAML, empty, or more than one document is rejected", () => {
    expect(problemsOf(() => readSecretsBundle('cluster: {\n"'))).toEqual({
      "line 2": expect.stringContaining("something is missing") as string,
    });
    expect(Object.keys(problemsOf(() => readSecretsBundle("# nothing")))).toEqual([""]);
    const twice = `${stringify(bundle)}---\n${stringify(bundle)}`;
    expect(problemsOf(() => readSecretsBundle(twice))[""]).toContain("more than one document");
  });

  test("lists its problems, one per line", () => {
    const text = textWith({ "trustdinfo.token": "x", "cluster.id": undefined });
    expect(() => readSecretsBundle(text, validNow)).toThrow(
      new SecretsBundleError([
        { path: "cluster.id", message: "is missing" },
        {
          path: "trustdinfo.token",
          message: "is not a token: 6 characters, a dot and 16 characters, each a-z or 0-9",
        },
      ]),
    );
    expect(() => readSecretsBundle(text, validNow)).toThrow(
      /^2 problems in the secrets:\n {2}- cluster\.id: is missing\n {2}- trustdinfo\.token: /,
    );
  });
});

describe("any broken bundle", () => {
  const leaves = [
    "cluster.id",
    "cluster.secret",
    "secrets.bootstraptoken",
    "trustdinfo.token",
    "secrets.secretboxencryptionsecret",
    "certs.k8sserviceaccount.key",
    ...["etcd", "k8s", "k8saggregator", "os"].flatMap((name) => [
      `certs.${name}.crt`,
      `certs.${name}.key`,
    ]),
  ];
  const broken = fc.constantFrom<unknown>(undefined, null, "", "%", "QQ==", 7, true, [], {}, ["x"]);
  const breakages = fc
    .uniqueArray(fc.constantFrom(...leaves), { minLength: 1 })
    .chain((paths) =>
      fc.record(Object.fromEntries(paths.map((path) => [path, broken])), { requiredKeys: paths }),
    );

  test("lists exactly the broken paths, and no secret", () => {
    fc.assert(
      fc.property(breakages, (changes) => {
        const problems = problemsWith(changes);
        expect(Object.keys(problems).sort()).toEqual(Object.keys(changes).sort());
        expectNoSecrets(problems, bundle);
      }),
    );
  });

  test("that lost bytes is rejected or read, without a crash or a quoted secret", () => {
    const text = stringify(bundle);
    const place = fc.nat({ max: text.length });
    fc.assert(
      fc.property(place, fc.nat({ max: 40 }), fc.string({ maxLength: 3 }), (at, lost, found) => {
        const problems = problemsOf(() =>
          readSecretsBundle(text.slice(0, at) + found + text.slice(at + lost), validNow),
        );
        expectNoSecrets(problems, bundle);
      }),
      { numRuns: 300 },
    );
  });
});
