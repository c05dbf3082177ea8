import { statSync } from "node:fs";
import { oraclesFingerprint } from "../../scripts/ensureOracles";
import { OracleProcesses } from "./support/oracleProcesses";
import { recordCommand } from "./support/recording/recording";
import { readRecording, recordingFile, recordingNames } from "./support/recording/recordingFiles";
import { stableAnswer } from "./support/recording/stableAnswer";
import { oracleMinors } from "./support/talosCode";

/** What a checkout may grow by. */
const maxBytes = 3_000_000;

test("all recordings together are small", () => {
  const sizes = recordingNames().map((name) => statSync(recordingFile(name)).size);
  expect(sizes.length).toBeGreaterThan(0);
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThanOrEqual(maxBytes);
});

describe.each(recordingNames())("the recording %s", (name) => {
  const stale = `other oracles answered it: record anew with ${recordCommand}`;

  test("was made with the current oracles, of every Talos minor", () => {
    const { oracles, answers } = readRecording(name);
    expect(oracles, stale).toBe(oraclesFingerprint());
    expect([...new Set(answers.map(({ minor }) => minor))].sort()).toEqual([...oracleMinors]);
  });

  const { TALOS_ORACLES: folder } = process.env;
  if (folder === undefined) {
    return;
  }

  test("equals the current answers of Talos' own code", async () => {
    const { answers } = readRecording(name);
    const live = new OracleProcesses(folder);
    const checkMinor = async (minor: (typeof oracleMinors)[number]) => {
      const own = answers.filter((recorded) => recorded.minor === minor);
      for (const { request, answer } of own) {
        // Keys are other ones each time.
        if (request.do === "secrets") {
          continue;
        }
        expect(stableAnswer(request, await live.ask(minor, request))).toEqual(answer);
      }
      return own.length;
    };
    try {
      const checked = await Promise.all(oracleMinors.map(checkMinor));
      expect(Math.min(...checked)).toBeGreaterThan(0);
    } finally {
      live.close();
    }
  });
});
