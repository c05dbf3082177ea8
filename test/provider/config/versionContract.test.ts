import {
  checkVersionContract,
  supportedVersionContracts,
  versionContract,
} from "../../../provider/config/versionContract";

test("every supported contract is found by its name", () => {
  expect(supportedVersionContracts).toContain("v1.12");
  for (const name of supportedVersionContracts) {
    expect(checkVersionContract(name)).toBeUndefined();
    expect(versionContract(name).name).toBe(name);
  }
});

test.each([
  ["v1.0", 'version contract "v1.0" is not supported; supported: "v1.12"'],
  ["v1.99", 'version contract "v1.99" is not supported; supported: "v1.12"'],
  [
    "1.12",
    'write the version contract as "v1.12", not "1.12": it names a Talos minor, not a release',
  ],
  [
    "v1.12.1",
    'write the version contract as "v1.12", not "v1.12.1": it names a Talos minor, not a release',
  ],
  [
    "banana",
    '"banana" is not a version contract: write the Talos minor that the cluster was created with; supported: "v1.12"',
  ],
])("%s is refused", (name, message) => {
  expect(checkVersionContract(name)).toBe(message);
  expect(() => versionContract(name)).toThrow(message);
});
