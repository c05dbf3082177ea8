import { checkMachineSettings } from "../../../components/machines/machineSettings";

describe("checkMachineSettings", () => {
  it("accepts what is left out, and what AWS and Talos take", () => {
    expect(checkMachineSettings({})).toEqual([]);
    expect(
      checkMachineSettings({
        metadataHopLimit: 64,
        rootVolumeSizeGib: 20,
        rootVolume: { iops: 4_000 },
        kmsKeyId: "arn:aws:kms:us-east-1:123456789012:key/0123abcd",
        instanceType: "t4g.large",
        cpuCredits: "standard",
      }),
    ).toEqual([]);
  });

  it("rejects CPU credits of a type that earns none, and a choice that doesn't exist", () => {
    const reason = expect.stringMatching(/^"m6i.large" earns no CPU credits/) as string;
    const problems = [{ property: "cpuCredits", reason }];
    expect(checkMachineSettings({ cpuCredits: "unlimited" })).toEqual(problems);
    expect(checkMachineSettings({ instanceType: "m6i.large", cpuCredits: "standard" })).toEqual(
      problems,
    );
    const cpuCredits = "none" as "standard";
    expect(checkMachineSettings({ instanceType: "t3.large", cpuCredits })).toMatchObject([
      {
        property: "cpuCredits",
        reason: '"none" can\'t be chosen: take one of standard, unlimited',
      },
    ]);
  });

  it("rejects the alias of a key", () => {
    const reason = expect.stringMatching(/^"alias\/talos" is no ARN/) as string;
    expect(checkMachineSettings({ kmsKeyId: "alias/talos" })).toEqual([
      { property: "kmsKeyId", reason },
    ]);
  });

  it.each([19, 20.5, 0, -1])("rejects a root volume of %d GiB", (rootVolumeSizeGib) => {
    expect(checkMachineSettings({ rootVolumeSizeGib })).toMatchObject([
      { property: "rootVolumeSizeGib" },
    ]);
  });

  it.each([0, 1.5, 65])("rejects %d hops of the metadata service", (metadataHopLimit) => {
    expect(checkMachineSettings({ metadataHopLimit })).toMatchObject([
      { property: "metadataHopLimit" },
    ]);
  });
});
