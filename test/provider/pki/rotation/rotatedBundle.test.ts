import {
  authorityIn,
  keyOrTokenIn,
  withAuthority,
  withKeyOrToken,
} from "../../../../provider/pki/rotation/rotatedBundle";
import { AUTHORITIES, KEYS_AND_TOKENS } from "../../../../provider/pki/rotation/rotation";
import { sharedSecrets } from "../sharedSecrets";

describe("a secrets bundle with another generation", () => {
  it.each(AUTHORITIES)("has another %s, and is otherwise unchanged", async (authority) => {
    const bundle = await sharedSecrets();
    const next = { crt: "crt", key: "key" };
    const changed = withAuthority(bundle, authority, next);
    expect(authorityIn(changed, authority)).toEqual(next);
    expect(withAuthority(changed, authority, authorityIn(bundle, authority))).toEqual(bundle);
  });

  it.each(KEYS_AND_TOKENS)("has another %s, and is otherwise unchanged", async (secret) => {
    const bundle = await sharedSecrets();
    const changed = withKeyOrToken(bundle, secret, "next.one");
    expect(keyOrTokenIn(changed, secret)).toBe("next.one");
    expect(withKeyOrToken(changed, secret, keyOrTokenIn(bundle, secret))).toEqual(bundle);
  });
});
