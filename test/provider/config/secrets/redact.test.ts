import fc from "fast-check";
import { outlineDocuments } from "../../../../provider/config/effects/outline";
import { generateMachineConfig } from "../../../../provider/config/generateMachineConfig";
import type { ConfigDocument } from "../../../../provider/config/machineConfig";
import type { Field } from "../../../../provider/config/schema/configSchema";
import { talosSchemas } from "../../../../provider/config/schema/talosSchemas";
import { redactDocument, redactDocuments } from "../../../../provider/config/secrets/redact";
import { secretField, secretInside } from "../../../../provider/config/secrets/secretField";
import { secretPlace } from "../../../../provider/config/secrets/secretPlace";
import { decodeDocuments, encodeDocuments } from "../../../../provider/config/yaml/encode";
import { sharedSecrets } from "../../pki/sharedSecrets";
import { placeholderBundle } from "../placeholders";
import { documentWith, schemaLeaves } from "../schemaLeaves";

/** Names that sound like a secret. */
const sounds = /key|secret|token|pass|auth|cred|private|psk|identity|content/i;

/** Fields with such a name that hold nothing secret, and why. */
const harmless = new Map([
  ["publicKey", "public by nature"],
  ["adUserPortKey", "a number of the bonding driver"],
  ["keySize", "a length"],
  ["allowDownPeerBypass", "a switch"],
  ["apidCheckExtKeyUsage", "a switch"],
  ["passive", "a switch"],
  ["publicKeys", "public by nature"],
]);

const named = schemaLeaves().filter(({ path }) => {
  const name = path.filter((step) => step !== "[]" && step !== "*").at(-1) ?? "";
  return sounds.test(name) && !harmless.has(name);
});

test.each([...talosSchemas.keys()])("v1.%d: free content has a way to be redacted", (minor) => {
  const unanswered: string[] = [];
  const look = ({ shape }: Field): void => {
    if (shape.kind === "list") {
      look(shape.item);
    } else if (shape.kind === "map") {
      look(shape.value);
    } else if (shape.kind === "struct") {
      for (const [name, field] of shape.fields) {
        const isAnswered = [secretField, secretInside, secretPlace].some(
          (answer) => answer(shape.type, name) !== undefined,
        );
        if (!isAnswered && isFree(field)) {
          unanswered.push(`${shape.type}.${name}`);
        }
        look(field);
      }
    }
  };
  const schema = talosSchemas.get(minor);
  for (const kind of schema?.documents.keys() ?? []) {
    const field = schema?.document(kind);
    expect(field).toBeDefined();
    if (field !== undefined) {
      look(field);
    }
  }
  expect([...new Set(unanswered)]).toEqual([]);
});

/** Whether names in a field are not Talos', or its texts can be anything. */
function isFree({ shape }: Field): boolean {
  if (shape.kind === "list") {
    return isFree(shape.item);
  }
  return shape.kind === "free" || (shape.kind === "map" && isText(shape.value));
}

function isText({ shape }: Field): boolean {
  return shape.kind === "list"
    ? isText(shape.item)
    : shape.kind === "scalar" && shape.types.includes("string");
}

test.each([...talosSchemas.keys()])(
  "v1.%d has secret fields in many kinds of documents",
  (minor) => {
    const own = named.filter((leaf) => leaf.minor === minor);
    expect(own.length).toBeGreaterThan(25);
    expect(new Set(own.map(({ kind }) => kind)).size).toBeGreaterThan(3);
  },
);

test.each(
  named.map((leaf) => {
    const { minor, kind, path } = leaf;
    return [`v1.${minor} ${kind || "v1alpha1"}: ${path.join(".")}`, leaf] as const;
  }),
)("%s", (_, leaf) => {
  // an inline manifest and a free text hold a secret only where they look like it
  const value = leaf.path.includes("inlineManifests") ? "password: n0t-for-eyes" : "n0t-for-eyes";
  const free = ["authorizationConfig", "credentialProviderConfig"].some((name) =>
    leaf.path.includes(name),
  );
  const document = documentWith(leaf, free ? { password: value } : value);
  expect(JSON.stringify(document)).toContain("n0t-for-eyes");
  expect(JSON.stringify(redactDocument(document))).not.toContain("n0t-for-eyes");
});

test("certificates, names and public keys are kept", () => {
  const document: ConfigDocument = {
    machine: {
      ca: { crt: "Y2VydA==", key: "" },
      network: { interfaces: [{ wireguard: { peers: [{ publicKey: "cHVibGlj" }] } }] },
    },
    cluster: { id: "aWQ=", clusterName: "example", controlPlane: { endpoint: "https://a:6443" } },
  };
  expect(redactDocument(document)).toEqual(document);
});

test("a generated configuration shows no secret, and everything else", () => {
  const documents = generateMachineConfig({
    clusterName: "example",
    endpoint: "https://api.example.com:6443",
    machineType: "controlplane",
    secretsBundle: placeholderBundle,
    versionContract: "v1.12",
    kubernetesVersion: "1.35.0",
    installDisk: "/dev/xvda",
    installerImage: "ghcr.io/siderolabs/installer:v1.12.1",
  });
  const plain = encodeDocuments(documents);
  const redacted = encodeDocuments(redactDocuments(documents));
  const placeholders = [...new Set(redacted.match(/\$\{[\w.]+\}/g))].sort();
  expect(placeholders).toEqual([
    "${certs.etcd.crt}",
    "${certs.k8s.crt}",
    "${certs.k8saggregator.crt}",
    "${certs.os.crt}",
    "${cluster.id}",
  ]);
  // only lines with a secret differ
  const lines = plain.split("\n");
  redacted.split("\n").forEach((line, index) => {
    expect(line).toBe(line.includes("«secret") ? line : (lines[index] ?? ""));
  });
  expect(redacted.match(/«secret sha256:[0-9a-f]{8}»/g)).toHaveLength(9);
});

test("documents of contract v1.14 show no secret either, nor an accepted token in a manifest", async () => {
  const secretsBundle = await sharedSecrets();
  const { cluster, secrets, trustdinfo, certs } = secretsBundle;
  const documents = generateMachineConfig({
    clusterName: "example",
    endpoint: "https://api.example.com:6443",
    machineType: "controlplane",
    secretsBundle,
    versionContract: "v1.14",
    kubernetesVersion: "1.37.0",
    installDisk: "/dev/xvda",
    installerImage: "factory.talos.dev/aws-installer/abc:v1.14.1",
    acceptedAuthorities: { bootstrapToken: ["abcdef.0123456789abcdef"] },
  });
  const redacted = encodeDocuments(redactDocuments(documents)).replace(/\s+/g, "");
  const keys = Object.values(certs).map(({ key }) => key);
  const texts = keys.map((key) => Buffer.from(key, "base64").toString().split("\n")[1] ?? "");
  for (const secret of [
    ...Object.values(secrets),
    cluster.secret,
    trustdinfo.token,
    ...keys,
    ...texts,
    "0123456789abcdef",
  ]) {
    expect(redacted).not.toContain(secret);
  }
  expect(redacted).toContain(cluster.id);
});

describe("a fingerprint", () => {
  const shown = (secret: string): unknown =>
    (redactDocument({ machine: { token: secret } }).machine as ConfigDocument).token;

  test("is the first eight hex digits of SHA-256", () => {
    expect(shown("abc")).toBe("«secret sha256:ba7816bf»");
  });

  test("is the same for the same secret, and another for another", () => {
    fc.assert(
      fc.property(fc.string({ minLength: 1 }), fc.string({ minLength: 1 }), (a, b) => {
        expect(shown(a) === shown(b)).toBe(a === b);
      }),
    );
  });

  test.each([
    [
      "a passphrase",
      { machine: { systemDiskEncryption: { state: { keys: [{ static: { passphrase: "p" } }] } } } },
    ],
    ["a registry's password", { kind: "RegistryAuthConfig", name: "r", password: "p", auth: "p" }],
    ["a file", { machine: { files: [{ content: "p", path: "/x" }] } }],
  ])("does not exist for %s, which people choose", (_, document) => {
    const text = JSON.stringify(redactDocument(document));
    expect(text).toContain("«secret»");
    expect(text).not.toMatch(/sha256|"p"/);
  });
});

test("secrets in free places: arguments, variables, headers, manifests, tokens in URLs", () => {
  const [document] = decodeDocuments(`
machine:
  env:
    GRPC_GO_LOG_VERBOSITY_LEVEL: "99"
    REGISTRY_PASSWORD: n0t-for-eyes
    http_proxy: http://user:n0t-for-eyes@proxy.example.com:3128
    SOME: aB3dE5gH7jK9mN1pQ3sT5vW7
  install:
    extraKernelArgs: ["console=ttyS0", "siderolink.api=grpc://a:1?jointoken=n0t-for-eyes"]
  kubelet:
    extraArgs: {rotate-server-certificates: "true", token-file: /etc/token}
    extraConfig: {providers: [{name: TOKEN, value: n0t-for-eyes}], tokens: [n0t-for-eyes], secret: 12345678}
  pods:
    - spec: {containers: [{env: [{name: DB_PASSWORD, value: n0t-for-eyes}, {name: MODE, value: fast}]}]}
cluster:
  extraManifestHeaders: {Authorization: Bearer n0t-for-eyes, X-Any: n0t-for-eyes}
  inlineManifests:
    - name: secret
      contents: |
        apiVersion: v1
        kind: Secret
        stringData: {any: n0t-for-eyes}
    - name: map
      contents: |
        kind: ConfigMap
        data:
          password: n0t-for-eyes
          mode: fast
`);
  const redacted = redactDocument(document ?? {});
  expect(JSON.stringify(redacted)).not.toMatch(/n0t-for-eyes|aB3dE5|12345678/);
  expect(redacted).toMatchObject({
    machine: {
      env: {
        GRPC_GO_LOG_VERBOSITY_LEVEL: "99",
        REGISTRY_PASSWORD: "«secret»",
        http_proxy: "http://«secret»@proxy.example.com:3128",
        SOME: "«secret»",
      },
      install: {
        extraKernelArgs: ["console=ttyS0", "siderolink.api=grpc://a:1?jointoken=«secret»"],
      },
      kubelet: { extraArgs: { "rotate-server-certificates": "true", "token-file": "/etc/token" } },
    },
    cluster: {
      extraManifestHeaders: { Authorization: "«secret»", "X-Any": "«secret»" },
      inlineManifests: [
        {
          name: "secret",
          contents: "apiVersion: v1\nkind: Secret\nstringData: {any: «secret»}\n",
        },
        { name: "map", contents: expect.stringContaining("mode: fast") as unknown },
      ],
    },
  });
});

test("the given documents are not changed", () => {
  const document = { machine: { token: "abc", files: [{ content: "x" }] } };
  const before = structuredClone(document);
  redactDocument(document);
  expect(document).toEqual(before);
});

describe("secrets that documents of Talos v1.14 have in another form", () => {
  const outlineOf = (text: string) => outlineDocuments(decodeDocuments(text));
  const pem = "-----BEGIN RSA PRIVATE KEY-----\nAAAA\n-----END RSA PRIVATE KEY-----\n";
  const indented = pem.trimEnd().replaceAll("\n", "\n    ");

  test("have the fingerprints of the older fields", () => {
    const older = outlineOf(`version: v1alpha1
cluster:
  serviceAccount: { key: ${Buffer.from(pem).toString("base64")} }
  secretboxEncryptionSecret: c2VjcmV0
`);
    const newer = outlineOf(`apiVersion: v1alpha1
kind: KubeServiceAccountConfig
issuer:
  privateKey: |
    ${indented}
---
apiVersion: v1alpha1
kind: KubeEtcdEncryptionConfig
config: { resources: [{ providers: [{ secretbox: { keys: [{ name: key2, secret: c2VjcmV0 }] } }] }] }
`);
    const { serviceAccount, secretboxEncryptionSecret } = older.cluster as {
      readonly serviceAccount: { readonly key: string };
      readonly secretboxEncryptionSecret: string;
    };
    expect(serviceAccount.key).toMatch(/^«secret sha256:[0-9a-f]{8}»$/);
    expect(newer).toMatchObject({
      KubeServiceAccountConfig: { issuer: { privateKey: serviceAccount.key } },
      KubeEtcdEncryptionConfig: {
        config: {
          resources: [
            {
              providers: [
                { secretbox: { keys: [{ name: "key2", secret: secretboxEncryptionSecret }] } },
              ],
            },
          ],
        },
      },
    });
  });

  test("and certificates are shown as the same fingerprints", async () => {
    const { certs } = await sharedSecrets();
    const text = Buffer.from(certs.k8s.crt, "base64").toString();
    const block = text.trimEnd().replaceAll("\n", "\n    ");
    const older = outlineOf(`version: v1alpha1\ncluster: { ca: { crt: ${certs.k8s.crt} } }\n`);
    const newer = outlineOf(`apiVersion: v1alpha1
kind: KubeAPIServerCAConfig
issuingCA:
  cert: |
    ${block}
acceptedCAs:
  - |
    ${block}
`);
    const shown = (older.cluster as { readonly ca: { readonly crt: string } }).ca.crt;
    expect(shown).toMatch(/^«certificate sha256:[0-9a-f]{8}»$/);
    expect(newer).toEqual({
      KubeAPIServerCAConfig: { issuingCA: { cert: shown }, acceptedCAs: [shown] },
    });
  });

  test("mark chosen ones with the cluster's secret, wherever that is", () => {
    const file = (secret: string) => `apiVersion: v1alpha1
kind: DiscoveryIdentityConfig
clusterID: a
clusterSecret: ${secret}
---
apiVersion: v1alpha1
kind: EtcFileConfig
name: a
contents: chosen
`;
    const [one, other] = ["b25l", "b3RoZXI="].map((secret) => outlineOf(file(secret)));
    const contents = (outline = one) => outline?.["EtcFileConfig/a"];
    expect(contents()).toMatchObject({
      contents: expect.stringMatching(/^«secret hmac:/) as unknown,
    });
    expect(contents(other)).not.toEqual(contents(one));
  });
});
