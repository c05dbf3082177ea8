import { readFileSync } from "node:fs";
import { join } from "node:path";
import { applyPatches } from "../../../../provider/config/patches/patch";
import { secretRemover } from "../../../../provider/config/secrets/secretValues";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { fillPlaceholders } from "../placeholders";

const file = join(__dirname, "../testdata/generate/v1.12/controlplane.yaml");
const generated = decodeDocuments(fillPlaceholders(readFileSync(file, "utf8")));
const documents = applyPatches(generated, [
  "machine: {registries: {config: {r.example.com: {auth: {username: u, password: hunter-2-hunter}}}}}",
  'machine: {env: {HTTP_PROXY: "http://u:proxy-word@10.0.0.1:1"}}',
]);
const [config = {}] = documents;
const conceal = secretRemover(documents);

const keys = [
  (config.machine as { ca: { key: string } }).ca.key,
  (config.cluster as { serviceAccount: { key: string } }).serviceAccount.key,
];
const token = (config.machine as { token: string }).token;

test.each([
  ["a token", `invalid token ${token}!`, token],
  ["a password that a person chose", "login failed: hunter-2-hunter", "hunter-2-hunter"],
  ["a key in base64", `illegal key: ${keys[0] ?? ""}`, keys[0] ?? ""],
  ["a password in a URL", "proxyconnect http://u:proxy-word@10.0.0.1:1: refused", "proxy-word"],
])("conceals %s", (_name, text, secret) => {
  expect(secret.length).toBeGreaterThan(5);
  expect(text).toContain(secret);
  expect(conceal(text)).not.toContain(secret);
  expect(conceal(text)).toContain("«secret»");
});

test("conceals each line of a key that is in base64 in the configuration", () => {
  const lines = keys
    .map((key) => Buffer.from(key, "base64").toString("utf8"))
    .flatMap((pem) => pem.split("\n").filter((line) => line.length >= 16 && !line.startsWith("-")));
  expect(lines.length).toBeGreaterThan(1);
  for (const line of lines) {
    expect(conceal(`can't parse ${line}.`)).not.toContain(line);
  }
});

test("conceals secrets within JSON, and what looks like one without being in the configuration", () => {
  const pem = Buffer.from(keys[0] ?? "", "base64").toString("utf8");
  const quoted = JSON.stringify({ error: pem });
  expect(conceal(quoted)).not.toContain(JSON.stringify(pem.trim()).slice(30, 60));
  expect(conceal("password=opensesame")).not.toContain("opensesame");
});

test("leaves an ordinary error as it is", () => {
  const error =
    'error updating static pod for "APIServerConfigs.kubernetes.talos.dev": extra arg "encryption-provider-config" is not allowed';
  expect(conceal(error)).toBe(error);
});
