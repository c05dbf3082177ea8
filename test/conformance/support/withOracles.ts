import { LiveCode } from "./liveCode";
import { Oracle } from "./oracle";
import { RecordedCode } from "./recordedCode";
import { readRecording } from "./recording/recordingFiles";
import { RecordingCode } from "./recordingCode";
import type { OracleMinor, TalosCode } from "./talosCode";

/** Tests that ask Talos' own code. */
export interface OracleTests {
  readonly oracle: (minor: OracleMinor) => Oracle;
  readonly secretInput: TalosCode["secretInput"];
  readonly eachInput: TalosCode["eachInput"];
}

/**
 * Tests that ask Talos' own code: as it was recorded under a name; or, where TALOS_ORACLES has the
 * folder of the oracles, as `npm run conformance` does, the code itself. With TALOS_RECORD, a folder,
 * its answers are recorded there.
 */
export function describeWithOracles(
  title: string,
  name: string,
  tests: (talos: OracleTests) => void,
): void {
  describe(title, () => {
    const code = talosCode(name);
    afterAll(() => {
      code.close();
    });
    tests({
      oracle: (minor) => new Oracle((request) => code.ask(minor, request)),
      secretInput: (input, make) => code.secretInput(input, make),
      eachInput: (inputs, check) => code.eachInput(inputs, check),
    });
  });
}

function talosCode(name: string): TalosCode {
  const { TALOS_ORACLES: oracles, TALOS_RECORD: target } = process.env;
  if (oracles === undefined) {
    return new RecordedCode(() => readRecording(name));
  }
  return target === undefined
    ? new LiveCode(oracles)
    : new RecordingCode(name, { oracles, target });
}
