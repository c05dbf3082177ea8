import { parse, stringify } from "yaml";
import { offlineSettings } from "../../../cli/offline/offlineSettings";

const clear = { hasPassphrase: false, isStateClear: true };
const encrypted = { hasPassphrase: true, isStateClear: false };
const config = { "aws:region": "eu-central-1", "talos-aws:domain": "example.com" };
const withSecret = { ...config, "talos-aws:patches": [{ secure: "v1:abc" }] };

const read = (settings: unknown, options: Parameters<typeof offlineSettings>[1]): unknown =>
  parse(offlineSettings(stringify(settings), options));

describe("offlineSettings", () => {
  it("leaves out how the account is reached, and keeps what resources get from the provider", () => {
    const tagged = { ...config, "aws:defaultTags": { tags: { team: "core" } } };
    const roles = { "aws:assumeRoles": [{ roleArn: "arn" }], "aws:allowedAccountIds": ["1"] };
    expect(read({ config: { ...tagged, ...roles } }, clear)).toEqual({ config: tagged });
    expect(parse(offlineSettings("", clear))).toEqual({ config: {} });
  });

  it("keeps the salt of a passphrase where something is encrypted with it", () => {
    const salted = { encryptionsalt: "v1:salt", config };
    expect(read(salted, clear)).toEqual({ config });
    expect(read(salted, encrypted)).toEqual(salted);
    const secret = { ...salted, config: withSecret };
    expect(read(secret, { ...clear, hasPassphrase: true })).toEqual(secret);
  });

  it("takes settings for a state in clear whatever their secrets would be encrypted by", () => {
    const settings = { secretsprovider: "awskms://alias/state", encryptedkey: "abc", config };
    expect(read(settings, clear)).toEqual({ config });
  });

  it("refuses secrets that can't be read", () => {
    const secret = { encryptionsalt: "v1:salt", config: withSecret };
    expect(() => read(secret, clear)).toThrow("set PULUMI_CONFIG_PASSPHRASE to it");
    const key = { secretsprovider: "awskms://alias/state", encryptedkey: "abc" };
    expect(() => read({ ...key, config: withSecret }, { ...clear, hasPassphrase: true })).toThrow(
      'the settings have secrets, encrypted by "awskms://alias/state", which isn\'t available here',
    );
  });
});
