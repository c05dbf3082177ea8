import {
  identityOfToken,
  publicKeysIn,
  type TokenTrust,
} from "../../../../emulator/talos/kubernetes/serviceAccountToken";
import { createServiceAccountKey } from "../../../../provider/pki/privateKey";
import { signServiceAccountToken } from "../../support/signServiceAccountToken";

const now = new Date("2026-11-24T08:00:00Z");
const ISSUER = "https://api.example.com:6443";
const trusting = (keys: TokenTrust["keys"]): TokenTrust => ({
  keys,
  issuers: [ISSUER],
  audiences: [ISSUER],
});
const pemOf = (key: string) => Buffer.from(key, "base64").toString("utf8");

describe.each(["p256", "rsa4096"] as const)("a service account token of a %s key", (kind) => {
  let key: string;
  let other: string;

  beforeAll(async () => {
    [key, other] = await Promise.all([
      createServiceAccountKey(kind),
      createServiceAccountKey("p256"),
    ]);
  });

  it("is accepted with its key, among others in the same text", () => {
    const keys = publicKeysIn([`${pemOf(other)}\n${pemOf(key)}`]);
    expect(keys).toHaveLength(2);
    expect(identityOfToken(signServiceAccountToken(key, ISSUER, now), trusting(keys), now)).toEqual(
      {
        name: "system:serviceaccount:default:default",
        groups: ["system:serviceaccounts", "system:serviceaccounts:default"],
      },
    );
  });

  it("is rejected if another issues it, or it is for others", () => {
    const keys = publicKeysIn([pemOf(key)]);
    const token = signServiceAccountToken(key, ISSUER, now);
    const judged = (issuers: readonly string[], audiences: readonly string[]) =>
      identityOfToken(token, { keys, issuers, audiences }, now);
    expect(judged(["https://other", ISSUER], ["https://other", ISSUER])).toBeDefined();
    expect(judged(["https://other"], [ISSUER])).toBeUndefined();
    expect(judged([ISSUER], ["https://other"])).toBeUndefined();
  });

  it("is rejected with another key, when it is expired, and when it was changed", () => {
    const token = signServiceAccountToken(key, ISSUER, now);
    expect(identityOfToken(token, trusting(publicKeysIn([pemOf(other)])), now)).toBeUndefined();
    const keys = publicKeysIn([pemOf(key)]);
    const later = new Date(now.getTime() + 3_600_000);
    expect(identityOfToken(token, trusting(keys), later)).toBeUndefined();
    const [header = "", , signature = ""] = token.split(".");
    const claims = { sub: "system:serviceaccount:kube-system:admin", exp: 9_999_999_999 };
    const forged = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect(
      identityOfToken(`${header}.${forged}.${signature}`, trusting(keys), now),
    ).toBeUndefined();
  });
});

it("accepts neither an invalid token nor an invalid key", () => {
  expect(identityOfToken("", trusting([]), now)).toBeUndefined();
  expect(publicKeysIn(["", "-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----"])).toEqual(
    [],
  );
});
