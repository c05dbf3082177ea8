import fc from "fast-check";
import { isInRenewalWindow } from "../../provider/pki/certificateExpiry";
import { selfSignedCertificate } from "../../provider/pki/issueCertificate";

/** Certificates hold whole seconds. */
const second = 1_000;
const start = Date.UTC(2026, 0, 1);

const thirds = fc.integer({ min: 1, max: 5 * 365 * 24 * 1_200 }).map((seconds) => seconds * second);

function certificateOf(lifetimeMs: number) {
  return selfSignedCertificate({
    commonName: "test",
    usages: ["clientAuth"],
    notBefore: new Date(start),
    notAfter: new Date(start + lifetimeMs),
    keyType: "ed25519",
  });
}

describe("isInRenewalWindow", () => {
  it("begins exactly when two thirds of the lifetime are over, and never ends", async () => {
    await fc.assert(
      fc.asyncProperty(thirds, fc.nat(), async (third, later) => {
        const { crt } = await certificateOf(3 * third);
        const begin = start + 2 * third;
        expect(isInRenewalWindow(crt, new Date(begin - 1))).toBe(false);
        expect(isInRenewalWindow(crt, new Date(begin))).toBe(true);
        expect(isInRenewalWindow(crt, new Date(begin + later))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("never begins at the start of a certificate", async () => {
    await fc.assert(
      fc.asyncProperty(thirds, async (lifetimeMs) => {
        const { crt } = await certificateOf(lifetimeMs);
        expect(isInRenewalWindow(crt, new Date(start))).toBe(false);
        expect(isInRenewalWindow(crt, new Date(start + lifetimeMs))).toBe(true);
      }),
      { numRuns: 50 },
    );
  });

  it("has the requested length", async () => {
    const { crt } = await certificateOf(3_600_000);
    const isIn = (minutes: number, windowMinutes: number) =>
      isInRenewalWindow(crt, new Date(start + minutes * 60_000), windowMinutes * 60_000);
    expect([isIn(49, 10), isIn(50, 10), isIn(70, 10)]).toEqual([false, true, true]);
    expect([isIn(1, 58), isIn(2, 58)]).toEqual([false, true]);
  });
});
