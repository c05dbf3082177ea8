import {
  type ContractChoice,
  contractProblem,
  describeContractChange,
} from "../../../../provider/config/releases/contractChange";
import {
  checkChosenDefaults,
  defaultMeanings,
} from "../../../../provider/config/releases/contractDefaults";
import { contractDefaultNames } from "../../../../provider/config/releases/contractFeatures";
import {
  versionContract,
  versionContracts,
} from "../../../../provider/config/releases/versionContract";
import { expectDocumented } from "../../../documented";

const former: ContractChoice = { versionContract: "v1.12" };
const risen: ContractChoice = { versionContract: "v1.14", contractDefaults: "v1.12" };
const all: ContractChoice = { versionContract: "v1.14" };
const always = () => true;

describe("a change of the contract", () => {
  test.each([
    ["the rise with the former defaults", former, risen],
    ["the way back", risen, former],
    ["another form of the same", risen, { ...risen, newDefaults: ["filesystemTrim"] }],
    ["a run without a change", risen, risen],
    ["a cluster of that contract", all, all],
  ] as const)("%s is possible", (_, before, after) => {
    expect(contractProblem(before, after, false)).toBeUndefined();
  });

  test.each([
    ["all new defaults at once", former, all],
    ["all new defaults later", risen, all],
    ["the defaults of another contract", former, { ...risen, contractDefaults: "v1.13" }],
    ["older defaults for a cluster of that contract", all, risen],
  ] as const)("%s needs a word, and says what changes", (_, before, after) => {
    const problem = contractProblem(before, after, false) ?? "";
    expect(problem).toContain("acceptedChanges: { contractDefaults:");
    expect(problem).toContain("To change only how settings are written, keep what they mean");
    expect(contractProblem(before, after, true)).toBeUndefined();
  });

  it("names each default that would change, with its consequence", () => {
    const problem = contractProblem(former, all, false) ?? "";
    expect(problem).toMatch(
      /workloadIsolation \(workloads see Talos' own services → workloads run apart from Talos' own services; machines reboot/,
    );
    expect(problem).toContain("encryptedSecretsOnly (");
    expect(problem).not.toContain("kubePrism (");
  });

  it("to a contract without documents stays refused", () => {
    expect(contractProblem(former, { versionContract: "v1.13" }, false)).toMatch(
      /can't be changed to "v1\.13": set it back to "v1\.12"/,
    );
    expect(contractProblem(risen, { versionContract: "v1.13" }, false)).toMatch(
      /is "v1\.14" with the defaults of "v1\.12" and can't be changed to "v1\.13": set it back to "v1\.12"/,
    );
  });
});

describe("what a preview says of it", () => {
  it("is the form, what it brings along, and which defaults stay", () => {
    const told = describeContractChange(former, risen, true, always);
    expect(told).toEqual([
      'versionContract: settings are written as "v1.14" writes them, and mean the same. No machine reboots',
      "versionContract: API servers get --authentication-config instead of --anonymous-auth, which is denied there; they start again",
      "versionContract: kube-proxy reads its settings from a file instead of flags; its pods start again",
      'contractDefaults: as in "v1.12" stay secureEphemeral, filesystemTrim, workloadIsolation, openHealthChecks, encryptedSecretsOnly. newDefaults takes each by its name, and the preview says what it does',
    ]);
    expectDocumented("upgrades.md", told.join("\n"));
    expect(describeContractChange(former, risen, false, () => false)).toHaveLength(1);
  });

  it("is no promise of the same meaning where defaults change with it", () => {
    for (const after of [all, { ...risen, newDefaults: ["workloadIsolation" as const] }]) {
      const told = describeContractChange(former, after, false, always);
      expect(told[0]).toContain("mean the same, but for the defaults that are named here");
      expect(told.join()).toContain("workloadIsolation: workloads see");
    }
    const [back, more] = describeContractChange(risen, former, true, always);
    expect(back).toContain("mean the same. No machine reboots");
    expect(more).toContain("what came with documents beside that is taken back");
  });

  it("is what no document can say, of an old contract", () => {
    const told = (name: string) =>
      describeContractChange(
        { versionContract: name },
        { versionContract: "v1.14", contractDefaults: name },
        false,
        always,
      ).join();
    expect(told("v1.1")).toMatch(/discovery service alone.*static pods/);
    expect(told("v1.2")).toContain("static pods");
    expect(told("v1.2")).not.toContain("discovery service alone");
    expect(told("v1.3")).not.toContain("static pods");
  });

  it("is each default that is taken, or given back, as far as it counts", () => {
    const taken = { ...risen, newDefaults: ["filesystemTrim" as const] };
    expect(describeContractChange(risen, taken, true, always)).toEqual([
      "filesystemTrim: disks aren't told which blocks are free → disks are told once a week which blocks are free; it counts at once",
    ]);
    expect(describeContractChange(taken, risen, true, always)).toEqual([
      "filesystemTrim: disks are told once a week which blocks are free → disks aren't told which blocks are free; it counts at once",
    ]);
    expect(describeContractChange(taken, former, true, always).join()).toContain(
      "filesystemTrim: disks are told once a week",
    );
    expect(describeContractChange(risen, taken, true, () => false)).toEqual([]);
    expect(describeContractChange(risen, risen, true, always)).toEqual([]);
  });

  it("has words for each default, in both directions", () => {
    for (const name of contractDefaultNames) {
      const { former: was, newer, effect } = defaultMeanings[name];
      expect(new Set([was, newer, effect]).size, name).toBe(3);
      // Each is another one in some contract, so that a cluster can keep it.
      const own = versionContract("v1.14")[name];
      const keeps = versionContracts.filter((each) => versionContract(each)[name] !== own);
      expect(keeps.length, name).toBeGreaterThan(0);
    }
  });
});

test.each([
  [
    { versionContract: "v1.13", contractDefaults: "v1.12" },
    /went over to version contract "v1.14"/,
  ],
  [{ versionContract: "v1.14", contractDefaults: "v1.14" }, /has the defaults of version contract/],
  [{ versionContract: "v1.14", contractDefaults: "v2" }, /is not a version contract/],
  [{ ...risen, newDefaults: ["filesystemTrimming"] }, /did you mean "filesystemTrim"/],
  [{ ...risen, newDefaults: ["x"] }, /there are podSecurityAdmission, /],
  [{ ...risen, newDefaults: ["kubePrism"] }, /is the same in "v1.12" and "v1.14"/],
  [{ ...all, newDefaults: ["filesystemTrim"] }, /has "filesystemTrim" already/],
])("%j is refused", (choice, reason) => {
  const problems = checkChosenDefaults(choice as ContractChoice);
  expect(problems.map((problem) => problem.reason)).toEqual([expect.stringMatching(reason)]);
});

test.each([former, risen, all, { ...risen, newDefaults: ["workloadIsolation"] }, {}])(
  "%j is accepted",
  (choice) => {
    expect(checkChosenDefaults(choice as ContractChoice)).toEqual([]);
  },
);
