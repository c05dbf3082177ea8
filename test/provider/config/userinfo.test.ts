import {
  addressWithoutUserinfo,
  withoutUserinfo,
} from "../../../provider/config/secrets/secretUrl";

const PASSWORD = "hunter2";

/** Addresses with a password, in the forms that people write. */
export const OWNED: readonly string[] = [
  `https://user:${PASSWORD}@example.com:6443/path?a=b`,
  `https://${PASSWORD}@example.com`,
  `https://user:p/${PASSWORD}@example.com/path`,
  `https://user:p@${PASSWORD}@example.com`,
  `https://user:p?${PASSWORD}#@example.com`,
  `https://user:${PASSWORD}`,
  `HTTPS://USER:${PASSWORD}@example.com`,
  `ftp://user:${PASSWORD}@example.com`,
  `socks5h://user:${PASSWORD}@127.0.0.1:1080`,
  `user:${PASSWORD}@registry.example.com:5000`,
  `//user:${PASSWORD}@example.com`,
  `postgres://user:${PASSWORD}@[2001:db8::1]:5432/db`,
];

describe("addresses in messages", () => {
  it.each(OWNED)("have no password: %s", (address) => {
    expect(addressWithoutUserinfo(address)).not.toContain(PASSWORD);
    for (const text of [
      `"${address}" is no URL: write it in full`,
      `it leads to ${address}, which isn't there`,
      `tried (${address})`,
      JSON.stringify({ url: address }),
      `mirrors=${address}`,
    ]) {
      expect(withoutUserinfo(text)).not.toContain(PASSWORD);
      expect(withoutUserinfo(withoutUserinfo(text))).toBe(withoutUserinfo(text));
    }
  });

  it("keep the rest, by which people know them", () => {
    expect(withoutUserinfo(`"https://user:${PASSWORD}@example.com:6443/a" is no mirror`)).toBe(
      `"https://…@example.com:6443/a" is no mirror`,
    );
    const blank = `"https://user:${PASSWORD} ${PASSWORD}@example.com" is no URL`;
    expect(withoutUserinfo(blank)).toBe(`"https://…@example.com" is no URL`);
    expect(addressWithoutUserinfo(`https://user:"${PASSWORD}"@example.com`)).toBe(
      "https://…@example.com",
    );
  });

  it("are found one after another", () => {
    const both = `a=https://user:${PASSWORD}@example.com,b=https://user:${PASSWORD}@example.org`;
    expect(withoutUserinfo(both)).toBe("a=https://…@example.com,b=https://…@example.org");
  });

  it.each([
    "https://example.com:6443/path@v1.2.3?a=b:c@d",
    "https://k8s.example.com:6443",
    "https://[2001:db8::1]:6443/",
    "ghcr.io/fluent/fluent-bit:5.1.1@sha256:0123456789abcdef",
    "arn:aws:sts::123456789012:assumed-role/admin/anna@example.com",
    "urn:pulumi:dev::demo::talos:ConfigurationApply::a@b",
    'the context "admin@prod" of ~/.kube/config, line 3: use "kubectl --context admin@prod"',
    "at 10:30 anna@example.com wrote: user@host",
    "mailto:anna@example.com",
    "0.0.0.0:6443",
    "file:///tmp/a@b",
  ])("are left as they are without one: %s", (text) => {
    expect(withoutUserinfo(text)).toBe(text);
    expect(withoutUserinfo(`"${text}" is it`)).toBe(`"${text}" is it`);
  });

  it("are found in no more than linear time", () => {
    const long = ["a:".repeat(100_000), `"${"@".repeat(100_000)}`, "https://a:".repeat(30_000)];
    const started = performance.now();
    long.forEach((text) => withoutUserinfo(text));
    expect(performance.now() - started).toBeLessThan(5_000);
  });
});
