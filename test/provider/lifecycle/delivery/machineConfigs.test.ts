import { fingerprintText, hashDocuments } from "../../../../provider/config/hash";
import { decodeDocuments } from "../../../../provider/config/yaml/encode";
import { isSameConfig } from "../../../../provider/lifecycle/delivery/machineConfigs";

describe("isSameConfig", () => {
  const text = "machine:\n    type: worker\n";
  const expected = { text, hash: hashDocuments(decodeDocuments(text)) };
  const alike = "{machine: {type: worker}}";
  const other = "machine: {type: controlplane}";

  it("compares the meaning of texts", () => {
    expect(isSameConfig(text, expected)).toBe(true);
    expect(isSameConfig(alike, expected)).toBe(true);
    expect(isSameConfig(other, expected)).toBe(false);
    expect(isSameConfig(undefined, expected)).toBe(false);
  });

  it("uses the recorded meaning of a known text", () => {
    const unreadable = "machine: {";
    expect(() => isSameConfig(unreadable, expected)).toThrow();
    const known = { fingerprint: fingerprintText(unreadable), hash: expected.hash };
    expect(isSameConfig(unreadable, expected, known)).toBe(true);
    expect(isSameConfig(unreadable, expected, { ...known, hash: "another" })).toBe(false);
  });

  it("interprets an unknown text", () => {
    const known = { fingerprint: fingerprintText("of something else"), hash: expected.hash };
    expect(isSameConfig(other, expected, known)).toBe(false);
    expect(isSameConfig(alike, expected, { ...known, hash: "another" })).toBe(true);
  });
});
