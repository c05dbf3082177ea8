import { isSecretName } from "../../../../provider/config/secrets/secretName";
import { redactNamedValue, redactText } from "../../../../provider/config/secrets/secretText";

test.each([
  "password",
  "DB_PASSWORD",
  "apiKey",
  "oidc-client-secret",
  "GITHUB_TOKEN",
  "aws_secret_access_key",
  "Authorization",
  "basicAuth",
  "credentials",
  "encryption-key",
  "MYSQL_PWD",
])("%s names a secret", (name) => {
  expect(isSecretName(name)).toBe(true);
});

test.each([
  "token-auth-file",
  "secretName",
  "tokenTTL",
  "authorization-mode",
  "service-account-key-file",
  "imagePullSecretsNamespace",
  "key",
  "publicKey",
  "tls-cert-file",
  "monkey",
  "author",
  "passive",
  "secretRef",
])("%s does not", (name) => {
  expect(isSecretName(name)).toBe(false);
});

test.each([
  ["a: b\npassword: hunter2\nc: d", "a: b\npassword: «secret»\nc: d"],
  ["PASSWORD=hunter2", "PASSWORD=«secret»"],
  ['{"token": "hunter2", "a": 1}', '{"token": «secret», "a": 1}'],
  ["https://u:hunter2@example.com/x", "https://«secret»@example.com/x"],
  ["https://a/?x=1&access_token=hunter2&y=2", "https://a/?x=1&access_token=«secret»&y=2"],
  [
    "- name: API_TOKEN\n  value: hunter2\n- name: MODE\n  value: fast",
    "- name: API_TOKEN\n  value: «secret»\n- name: MODE\n  value: fast",
  ],
  ["x\n-----BEGIN RSA PRIVATE KEY-----\nhunter2\n-----END RSA PRIVATE KEY-----\ny", "«secret»"],
  [
    Buffer.from("-----BEGIN EC PRIVATE KEY-----\nhunter2hunter2hunter2\n").toString("base64"),
    "«secret»",
  ],
  ["kind: Secret\ndata: {a: hunter2}", "kind: Secret\ndata: {a: «secret»}"],
  ["password: |\n  hunter2\n", "password: «secret»\n"],
  ["tokens:\n  - hunter2\n", "tokens:\n  - «secret»\n"],
  ["use ghp_abcdefghijklmnopqrstuvwx now", "use «secret» now"],
])("%j", (text, expected) => {
  expect(redactText(text)).toBe(expected);
});

test.each([
  "registry.k8s.io/kube-apiserver:v1.35.0",
  "https://api.example.com:6443",
  "10.0.0.0/8",
  "volumes:\n  - secret:\n      secretName: x\n",
  "enable-token-auth: true",
  "factory.talos.dev/aws-installer/376567988ad370138ad8b2698212367b8edcb69b5fd68c80be1f2ec7d603b4ba:v1.12.1",
])("%j stays", (text) => {
  expect(redactText(text)).toBe(text);
});

test("a manifest is read once for each cluster, whose marks are its own", () => {
  const text = `# ${"About it. ".repeat(30)}\nkind: Secret\ndata: {a: hunter2}\n`;
  const marked: string[] = [];
  const markOf = (mark: string) => (secret: string) => {
    marked.push(secret);
    return mark;
  };
  const [one, other] = [markOf("«secret one»"), markOf("«secret other»")];
  const redacted = [one, one, other, one].map((mark) => redactText(text, mark));
  expect(redacted).toEqual(
    ["one", "one", "other", "one"].map((name) => text.replace("hunter2", `«secret ${name}»`)),
  );
  expect(marked).toEqual(["hunter2", "hunter2"]);
});

test("a certificate in base64 is kept, random letters are not", () => {
  const certificate = Buffer.from("-----BEGIN CERTIFICATE-----\nMIIB0zCCAXmgAwIBAgIQ\n").toString(
    "base64",
  );
  expect(redactNamedValue("caBundle", certificate)).toBe(certificate);
  expect(redactNamedValue("any", "aB3dE5gH7jK9mN1pQ3sT5vW7")).toBe("«secret»");
  expect(redactNamedValue("password", "false")).toBe("false");
});

test.each([
  [
    "nothing but letters, blanks, lines or signs",
    ["x", " ", "\n", "?", "-\n", '"', "//", "@", "),"],
  ],
  [
    "starts of names and addresses",
    ["a:", "a.", "://", "a://b:", "a://b@", "a:b@", "name:", "A1b"],
  ],
  [
    "names of secrets",
    ["token ", "token:", "token=a ", "--token a ", "token:'", 'token:"\\', "token: |\n"],
  ],
  [
    "tokens of known forms",
    ["eyJaaaaaaaaaa-", "eyJaaaaaaaaaa.", "tskey-", "ABIA", "xoxb-", "Bearer aaaa "],
  ],
  ["marks", ["token: «secret» ,", "«secret", "«"]],
  [
    "YAML",
    [
      "kind:\n",
      "- name: token\n",
      "[",
      "{",
      "[a,",
      "{a: ",
      "&a ",
      "a: *a\n",
      "a: 'x\n",
      "- - ",
      "? ",
    ],
  ],
])("reads long texts of %s in linear time", (_, shapes) => {
  for (const shape of shapes) {
    const text = `${shape.repeat(196_608 / shape.length)}!`;
    const before = process.cpuUsage();
    redactText(text);
    redactNamedValue("any", text);
    const { user, system } = process.cpuUsage(before);
    // Of processor time, which other work on the computer doesn't add to; the square of it is minutes.
    expect([shape, user + system < 5_000_000]).toEqual([shape, true]);
  }
});

test("certificates have nothing to hide, whatever their random lines look like", () => {
  const certificate = (line: string) =>
    `-----BEGIN CERTIFICATE-----\nMIIBqDCCAU6gAwIBAgIQ\n${line}\n-----END CERTIFICATE-----\n`;
  const chain = `${certificate("aB3dPw=")}${certificate("xAuthToken==")}`;
  expect(redactText(certificate("aB3dPw="))).toBe(certificate("aB3dPw="));
  expect(redactText(chain)).toBe(chain);
  expect(redactText(`${chain}password: hunter2`)).not.toContain("hunter2");
});
