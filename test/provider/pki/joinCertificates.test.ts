import { createSecureContext } from "node:tls";
import { fromBase64, joinCertificates, readCertificate, toBase64 } from "../../../provider/pki/pem";
import { generateAuthority } from "../../../provider/pki/rotation/generateAuthority";

describe("joinCertificates", () => {
  it("does not change one", () => {
    expect(joinCertificates(["abc"])).toBe("abc");
  });

  it("separates PEM blocks by line breaks, also if the last line has none", async () => {
    const [one, other] = [await generateAuthority("talosCa"), await generateAuthority("talosCa")];
    const open = toBase64(fromBase64(one.crt).trimEnd());
    expect(joinCertificates([open, other.crt])).toBe(joinCertificates([one.crt, other.crt]));
    const pem = fromBase64(joinCertificates([open, other.crt]));
    expect(pem).toBe(fromBase64(one.crt) + fromBase64(other.crt));
    createSecureContext({ ca: pem });
    expect(readCertificate(joinCertificates([one.crt, other.crt])).raw).toEqual(
      readCertificate(one.crt).raw,
    );
  });
});
