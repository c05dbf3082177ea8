import { isBlock } from "../property";
import type { JudgedResource, Properties, ResourceRule } from "../rule";

const SECRETS: readonly (readonly [RegExp, string])[] = [
  [/-----BEGIN [A-Z0-9 ]*PRIVATE KEY-----/, "a private key"],
  [/\bclient-key-data"?:\s*"?[A-Za-z0-9+/=]{40,}/, "a kubeconfig's key"],
  [/\btoken"?:\s*"?[a-z0-9]{6}\.[a-z0-9]{16}\b/, "a token to join with"],
  [
    /\b(secretboxEncryptionSecret|aescbcEncryptionSecret)"?:\s*"?[A-Za-z0-9+/]{40,}/,
    "the key that etcd's content is encrypted with",
  ],
];

/** A PEM block in base64, as Talos and Kubernetes write keys. */
const ENCODED_PEM = /LS0tLS1CRUdJTi[A-Za-z0-9+/=]{20,}/g;

/**
 * Secrets must be marked, so that the engine encrypts them. Only a preview's events can show this,
 * where a marked value is `[secret]`. Pulumi passes secrets to policy packs in clear.
 */
export const plainSecrets: ResourceRule = {
  name: "no-plain-secrets",
  description: "No key or token is in clear in the state or in a stack's outputs",
  judge: ({ type, inputs, outputs }: JudgedResource) => {
    const places = [
      ...find(outputs, type === "pulumi:pulumi:Stack" ? "the stack's output " : ""),
      ...find(inputs, ""),
    ];
    return [...new Map(places).entries()].map(
      ([place, what]) =>
        `${place} contains ${what} that isn't marked as secret: everyone who can read the state can read it; wrap it in pulumi.secret`,
    );
  },
};

function find(properties: Properties, prefix: string): readonly (readonly [string, string])[] {
  return Object.entries(properties).flatMap(([key, value]) => {
    const what = textsIn(value).map(secretIn).find(Boolean);
    return what === undefined ? [] : [[`${prefix}"${key}"`, what] as const];
  });
}

function textsIn(value: unknown): readonly string[] {
  if (typeof value === "string") {
    return [value];
  }
  const inner = Array.isArray(value) ? value : isBlock(value) ? Object.values(value) : [];
  return inner.flatMap(textsIn);
}

function secretIn(text: string): string | undefined {
  const decoded = [...text.matchAll(ENCODED_PEM)].map(([found]) =>
    Buffer.from(found, "base64").toString("utf8"),
  );
  return [text, ...decoded]
    .flatMap((one) => SECRETS.filter(([pattern]) => pattern.test(one)))
    .map(([, what]) => what)[0];
}
