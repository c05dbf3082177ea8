import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { MAX_USER_DATA_BYTES, planUserData } from "../../components/planUserData";

const decode = (userData: string) => Buffer.from(userData, "base64");

describe("planUserData", () => {
  it("leaves a configuration that fits as it is", () => {
    const text = "machine:\n    type: worker\n".padEnd(MAX_USER_DATA_BYTES, "#");
    expect(decode(planUserData(text)).toString("utf8")).toBe(text);
  });

  it("packs one that doesn't, the same on every system", () => {
    const text = "machine:\n    type: worker\n".padEnd(MAX_USER_DATA_BYTES + 1, "#");
    const packed = decode(planUserData(text));
    expect(packed.subarray(0, 2)).toEqual(Buffer.from([0x1f, 0x8b]));
    expect(packed[9]).toBe(255);
    expect(packed.byteLength).toBeLessThan(1_000);
    expect(gunzipSync(packed).toString("utf8")).toBe(text);
  });

  it("counts bytes, not characters", () => {
    const packed = decode(planUserData("ä".repeat(MAX_USER_DATA_BYTES / 2 + 1)));
    expect(packed[0]).toBe(0x1f);
  });

  it("refuses one that doesn't fit packed, without a word of it", () => {
    const text = randomBytes(MAX_USER_DATA_BYTES).toString("base64");
    expect(() => planUserData(text, "workerPools.apps.patches")).toThrow(
      /^workerPools\.apps\.patches: the configuration has 1\d{4} bytes gzip'd, and EC2 takes 16384/,
    );
    try {
      planUserData(text);
    } catch (error) {
      expect(String(error)).not.toContain(text.slice(0, 8));
    }
  });
});
