import {
  identityOfToken,
  publicKeysIn,
} from "../../../../emulator/talos/kubernetes/serviceAccountToken";
import { createServiceAccountKey } from "../../../../provider/pki/privateKey";
import { signServiceAccountToken } from "../../support/signServiceAccountToken";

const now = new Date("2026-11-24T08:00:00Z");
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
    expect(identityOfToken(signServiceAccountToken(key, now), keys, now)).toEqual({
      name: "system:serviceaccount:default:default",
      groups: ["system:serviceaccounts", "system:serviceaccounts:default"],
    });
  });

  it("is rejected with another key, when it is expired, and when it was changed", () => {
    const token = signServiceAccountToken(key, now);
    expect(identityOfToken(token, publicKeysIn([pemOf(other)]), now)).toBeUndefined();
    const keys = publicKeysIn([pemOf(key)]);
    const later = new Date(now.getTime() + 3_600_000);
    expect(identityOfToken(token, keys, later)).toBeUndefined();
    const [header = "", , signature = ""] = token.split(".");
    const claims = { sub: "system:serviceaccount:kube-system:admin", exp: 9_999_999_999 };
    const forged = Buffer.from(JSON.stringify(claims)).toString("base64url");
    expect(identityOfToken(`${header}.${forged}.${signature}`, keys, now)).toBeUndefined();
  });
});

it("accepts neither an invalid token nor an invalid key", () => {
  expect(identityOfToken("", [], now)).toBeUndefined();
  expect(publicKeysIn(["", "-----BEGIN PUBLIC KEY-----\nAA\n-----END PUBLIC KEY-----"])).toEqual(
    [],
  );
});
