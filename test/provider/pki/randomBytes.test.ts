import * as fc from "fast-check";
import { randomInteger, systemRandomBytes } from "../../../provider/pki/randomBytes";

const bounds = fc.bigInt({ min: 1n, max: 2n ** 256n });

test("stays below its bound, whatever bytes are drawn", () => {
  fc.assert(
    fc.property(bounds, fc.nat(255), (bound, fill) => {
      const drawn = randomInteger(bound, (size) => Buffer.alloc(size, fill));
      expect(drawn >= 0n && drawn < bound).toBe(true);
    }),
  );
});

test("draws at least 64 bits more than the bound has, in one go", () => {
  fc.assert(
    fc.property(bounds, (bound) => {
      const sizes: number[] = [];
      randomInteger(bound, (size) => {
        sizes.push(size);
        return new Uint8Array(size);
      });
      expect(sizes).toHaveLength(1);
      expect((sizes[0] ?? 0) * 8).toBeGreaterThanOrEqual(bound.toString(2).length + 64);
    }),
  );
});

test("reaches every value below the bound", () => {
  const seen = new Set<bigint>();
  for (let last = 0; last < 256; last++) {
    seen.add(randomInteger(36n, (size) => Buffer.alloc(size).fill(last, size - 1)));
  }
  expect(seen.size).toBe(36);
});

test("the system's source gives what is asked for, never twice", () => {
  const [first, second] = [systemRandomBytes(32), systemRandomBytes(32)];
  expect(first).toHaveLength(32);
  expect(first).not.toEqual(second);
});
