import { randomBytes } from "node:crypto";
import { gunzipSync } from "node:zlib";
import { encodeUserData, userDataProblem } from "../../../components/machines/userData";

describe("user data", () => {
  it("is the plain configuration if it fits", () => {
    const text = "machine: {}\n".padEnd(16_384, "#");
    expect(Buffer.from(encodeUserData(text), "base64").toString()).toBe(text);
  });

  it("is compressed if it doesn't fit, with the same result on every computer", () => {
    const text = "machine: {}\n".padEnd(16_385, "#");
    const bytes = Buffer.from(encodeUserData(text), "base64");
    expect(gunzipSync(bytes).toString()).toBe(text);
    // The time and the system would make it differ (RFC 1952).
    expect([...bytes.subarray(4, 8), bytes[9]]).toEqual([0, 0, 0, 0, 255]);
  });

  it("counts bytes, not characters", () => {
    expect(Buffer.from(encodeUserData("ä".repeat(8_193)), "base64")[0]).toBe(0x1f);
  });

  it("may be long if it is small after compression", () => {
    expect(userDataProblem("a: b\n".repeat(20_000))).toBeUndefined();
  });

  it("is rejected if EC2 would reject it, without quoting it", () => {
    const text = randomBytes(20_000).toString("hex");
    const reason = userDataProblem(text);
    expect(reason).toMatch(/takes 2\d{4} bytes after gzip, and EC2 allows 16384/);
    expect(reason).not.toContain(text.slice(0, 20));
  });
});
