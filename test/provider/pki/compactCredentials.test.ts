import fc from "fast-check";
import { clusterIdentity } from "../../../provider/api/clientIdentity";
import { compactCredentials, expandCredentials } from "../../../provider/pki/compactCredentials";
import { createOsCa, issueCredentials } from "../api/testPki";

describe("compact credentials", () => {
  it("are a third shorter, and expand to the same", async () => {
    const credentials = await issueCredentials(await createOsCa());
    const compact = compactCredentials(credentials);
    expect(compact.crt).toMatch(/^CERTIFICATE:MII/);
    expect(compact.key).toMatch(/^ED25519 PRIVATE KEY:/);
    const { length } = JSON.stringify(credentials);
    expect(JSON.stringify(compact).length).toBeLessThan((length * 2) / 3);
    expect(expandCredentials(compact)).toEqual(credentials);
    expect(expandCredentials(credentials)).toEqual(credentials);
    expect(compactCredentials(compact)).toEqual(compact);
  });

  it("identify the same client, which shares its connections", async () => {
    const credentials = await issueCredentials(await createOsCa());
    expect(clusterIdentity(compactCredentials(credentials))).toBe(clusterIdentity(credentials));
  });

  it("keep texts that are not one PEM block in Talos' form", () => {
    const base64 = (text: string) => Buffer.from(text).toString("base64");
    const block = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    const odd = ["", base64(block + block), base64(block.replaceAll("\n", "\r\n")), base64(" x")];
    for (const crt of odd) {
      expect(compactCredentials({ ca: base64(block), crt, key: "" })).toEqual({
        ca: "CERTIFICATE:AAAA",
        crt,
        key: "",
      });
    }
  });

  it("lose nothing of any text without a colon", () => {
    const text = fc.string().filter((each) => !each.includes(":"));
    fc.assert(
      fc.property(text, text, text, (ca, crt, key) => {
        const given = { ca, crt, key };
        expect(expandCredentials(compactCredentials(given))).toEqual(given);
      }),
    );
  });
});
