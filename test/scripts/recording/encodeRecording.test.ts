import { brotliDecompressSync } from "node:zlib";
import {
  decodeRecording,
  encodeRecording,
} from "../../conformance/support/recording/encodeRecording";
import type { Recording } from "../../conformance/support/recording/recording";

const config = "machine:\n  type: worker\n".repeat(20);
const recording: Recording = {
  oracles: "0123456789ab",
  inputs: new Map<string, unknown>([
    ["options", [{ certSans: [], sysctls: { a: "1" }, discovery: false, note: null }]],
    ["secrets bundle", { token: "x".repeat(60) }],
  ]),
  answers: [
    { minor: "v1.10", request: { do: "generate", clusterName: "1.5" }, answer: { result: config } },
    {
      minor: "v1.13",
      request: { do: "patch", config, patches: ["a: 1\n---\nb: ü\u2028\n"] },
      answer: { refused: "no such field", panicked: true },
    },
    { minor: "v1.13", request: { do: "validate", config, strict: true }, answer: { result: [] } },
  ],
};

test("a recording is written and read back", () => {
  expect(decodeRecording(encodeRecording(recording))).toEqual(recording);
});

test("the same recording gives the same bytes", () => {
  const again = decodeRecording(encodeRecording(recording));
  expect(encodeRecording(again).equals(encodeRecording(recording))).toBe(true);
});

test("a long text is in the file once, after a note about the keys", () => {
  const lines = brotliDecompressSync(encodeRecording(recording)).toString("utf8").split("\n");
  expect(lines.filter((line) => line.includes("type: worker"))).toEqual([
    JSON.stringify({ text: config }),
  ]);
  expect(lines[0]).toMatch(/made for tests alone/);
});

test("a member with the name of a reference is rejected", () => {
  const inputs = new Map([["options", { $text: 0 }]]);
  expect(() => encodeRecording({ ...recording, inputs })).toThrow("$text");
});
