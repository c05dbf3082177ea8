import { certificateExpiry } from "../../../provider/pki/certificateExpiry";
import { selfSignedCertificate } from "../../../provider/pki/issueCertificate";

test("is the end of the certificate, to the second", async () => {
  const { crt } = await selfSignedCertificate({
    usages: ["serverAuth"],
    notBefore: new Date("2026-01-01T00:00:00Z"),
    notAfter: new Date("2031-02-03T04:05:06.789Z"),
    keyType: "ed25519",
  });
  expect(certificateExpiry(crt)).toEqual(new Date("2031-02-03T04:05:06Z"));
});

test("rejects a text that is not a certificate", () => {
  expect(() => certificateExpiry("bm9uc2Vuc2U=")).toThrow("expected a certificate or key");
});
