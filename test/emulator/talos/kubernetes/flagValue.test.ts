import { takesFlagValue } from "../../../../emulator/talos/kubernetes/flagValue";
import { valueProblem } from "../../../../provider/config/flags/flagValues";
import recorded from "../../../provider/testdata/flagValues.json";

/** What the flags of Go's libraries took: pflag v1.0.10, and klog v2.130.1 for `Level`, with Go 1.24. */
const { texts, accepted } = recorded;

describe.each(Object.entries(accepted))("a flag of type %s", (type, taken) => {
  it("takes in the emulator what it takes in Go", () => {
    expect(texts.filter((text) => takesFlagValue(type, text))).toEqual(taken);
  });

  it("takes in a check of a configuration what it takes in Go", () => {
    expect(texts.filter((text) => valueProblem(type, text) === undefined)).toEqual(taken);
  });
});
