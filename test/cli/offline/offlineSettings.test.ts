import { parse, stringify } from "yaml";
import { offlineSettings } from "../../../cli/offline/offlineSettings";

const clear = { hasPassphrase: false, isStateClear: true };
const encrypted = { hasPassphrase: true, isStateClear: false };
const config = { "aws:region": "eu-central-1", "talos-aws:domain": "example.com" };
const withSecret = { ...config, "talos-aws:patches": [{ secure: "v1:abc" }] };

const read = (settings: unknown, options: Parameters<typeof offlineSettings>[1]): unknown =>
  parse(offlineSettings(stringify(settings), options));

describe("offlineSettings", () => {
  it("drops the settings for access to the account, and keeps the provider's settings for resources", () => {
    const tagged = { ...config, "aws:defaultTags": { tags: { team: "core" } } };
    const roles = { "aws:assumeRoles": [{ roleArn: "arn" }], "aws:allowedAccountIds": ["1"] };
    expect(read({ config: { ...tagged, ...roles } }, clear)).toEqual({ config: tagged });
    expect(parse(offlineSettings("", clear))).toEqual({ config: {} });
  });

  it("keeps the salt of a passphrase if a value is encrypted with it", () => {
    const salted = { encryptionsalt: "v1:salt", config };
    expect(read(salted, clear)).toEqual({ config });
    expect(read(salted, encrypted)).toEqual(salted);
    const secret = { ...salted, config: withSecret };
    expect(read(secret, { ...clear, hasPassphrase: true })).toEqual(secret);
  });

  it("accepts any secrets provider in the settings of a state without encryption", () => {
    const settings = { secretsprovider: "awskms://alias/state", encryptedkey: "abc", config };
    expect(read(settings, clear)).toEqual({ config });
  });

  it("rejects secrets that it can't read", () => {
    const secret = { encryptionsalt: "v1:salt", config: withSecret };
    expect(() => read(secret, clear)).toThrow("set PULUMI_CONFIG_PASSPHRASE to it");
    const key = { secretsprovider: "awskms://alias/state", encryptedkey: "abc" };
    expect(() => read({ ...key, config: withSecret }, { ...clear, hasPassphrase: true })).toThrow(
      'the settings have secrets, encrypted by "awskms://alias/state", which isn\'t available here',
    );
  });
});
