import * as fc from "fast-check";
import { modularInverse } from "../../../provider/pki/seededKeys";

function hasCommonFactor(a: bigint, b: bigint): boolean {
  return b === 0n ? a !== 1n : hasCommonFactor(b, a % b);
}

test("a value times its inverse leaves one", () => {
  const big = fc.bigInt({ min: 2n, max: 2n ** 512n });
  fc.assert(
    fc.property(big, big, (value, modulus) => {
      fc.pre(!hasCommonFactor(value, modulus));
      const inverse = modularInverse(value, modulus);
      expect((value * inverse) % modulus).toBe(1n);
      expect(inverse > 0n && inverse < modulus).toBe(true);
    }),
  );
});
